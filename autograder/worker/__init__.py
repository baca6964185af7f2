"""The child's side: takes a student's files as text, imports them, calls their functions, answers
with values. It knows no grader, no reference and no path of the course."""

from autograder.worker.serve import FunctionMissing, serve

__all__ = ["FunctionMissing", "serve"]
