"""Many submissions: one process each, side by side, resumable. Points, words and views are not made
here."""

from autograder.batch.folder import OutputFolder
from autograder.batch.grade import Graded, Plan, grade_class

__all__ = ["Graded", "OutputFolder", "Plan", "grade_class"]
