"""One submission, graded: collects an assignment's graders once, runs them, makes a Result. Writes
no file and starts no other process but the sandbox's."""

from autograder.session.collecting import with_graders
from autograder.session.fingerprint import assignment_fingerprint, submission_key
from autograder.session.graders import Graders

__all__ = ["Graders", "assignment_fingerprint", "submission_key", "with_graders"]
