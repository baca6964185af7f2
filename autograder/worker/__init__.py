"""The child's side: takes a student's files as text, imports them, calls their functions, answers
with values. It knows no grader, no reference and no path of the course."""

from autograder.worker.errors import ElsewhereGiven, FunctionMissing, NotAModule, WeightsDiffer
from autograder.worker.serve import serve

__all__ = ["ElsewhereGiven", "FunctionMissing", "NotAModule", "WeightsDiffer", "serve"]
