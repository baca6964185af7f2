"""One submission, graded: collects an assignment's graders once, runs them, makes a Result. Writes
no file and starts no other process but the sandbox's."""

from autograder.session.fingerprint import assignment_fingerprint, submission_key
from autograder.session.graders import Graders, Verdict, with_graders

__all__ = ["Graders", "Verdict", "assignment_fingerprint", "submission_key", "with_graders"]
