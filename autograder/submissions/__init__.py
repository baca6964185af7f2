"""Where submissions come from, and how their files are read safely; nothing of theirs is run,
parsed or extracted here."""

from autograder.submissions.find import Found, find_submissions
from autograder.submissions.staged import Staged
from autograder.submissions.submission import Submission, submission_in

__all__ = ["Found", "Staged", "Submission", "find_submissions", "submission_in"]
