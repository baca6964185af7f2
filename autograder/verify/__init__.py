"""The graders themselves, put to the proof; says what is wrong and mends nothing."""

from autograder.verify.handouts import handout_problems, steps_of
from autograder.verify.proof import prove

__all__ = ["handout_problems", "prove", "steps_of"]
