"""A printed sheet of known mistakes, and its key: which input shows it, and why? Writes no file."""

from autograder.outputs.quiz.pages import key_html, sheet_html
from autograder.outputs.quiz.quiz import Item, Quiz, make_quiz

__all__ = ["Item", "Quiz", "key_html", "make_quiz", "sheet_html"]
