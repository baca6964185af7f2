"""Views of results: gradebook, feedback, one line of why; and the printed quiz. Writes no file."""

from autograder.outputs.feedback import feedback_markdown
from autograder.outputs.gradebook import GRADES_ENCODING, grades_csv
from autograder.outputs.why import explain_line, lost_questions

__all__ = [
    "GRADES_ENCODING",
    "explain_line",
    "feedback_markdown",
    "grades_csv",
    "lost_questions",
]
