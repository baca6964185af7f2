"""The graders themselves, put to the proof; says what is wrong and mends nothing."""

from autograder.verify.handouts import handout_problems, steps_of
from autograder.verify.matrix import Matrix
from autograder.verify.page import graders_page
from autograder.verify.verification import Level, Verification, prove, verify

__all__ = [
    "Level",
    "Matrix",
    "Verification",
    "graders_page",
    "handout_problems",
    "prove",
    "steps_of",
    "verify",
]
