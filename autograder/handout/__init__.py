"""Solution → stub, and whether a handout is fresh, free of solutions and portable; pure text,
nothing of a course is run."""

from autograder.handout.check import check_handout, stale_problems
from autograder.handout.folder import Problem, Steps, handout_files
from autograder.handout.leaks import leak_problems
from autograder.handout.portable import portable_problems
from autograder.handout.stubs import build_handout, cut_stub, write_handout

__all__ = [
    "Problem",
    "Steps",
    "build_handout",
    "check_handout",
    "cut_stub",
    "handout_files",
    "leak_problems",
    "portable_problems",
    "stale_problems",
    "write_handout",
]
