"""assignment.toml → Assignment: the one source for steps, points, files and limits."""

from autograder.manifest.course import Assignment, Course, find_course
from autograder.manifest.parse import parse_manifest
from autograder.manifest.schema import Feedback, Given, Gradescope, Limits, Manifest, Question

__all__ = [
    "Assignment",
    "Course",
    "Feedback",
    "Given",
    "Gradescope",
    "Limits",
    "Manifest",
    "Question",
    "find_course",
    "parse_manifest",
]
