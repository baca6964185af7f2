"""assignment.toml → Assignment: the one source for steps, points, files and limits."""

from autograder.manifest.course import Assignment, Course, find_course
from autograder.manifest.schema import Feedback, Limits, Manifest, Question, parse_manifest

__all__ = [
    "Assignment",
    "Course",
    "Feedback",
    "Limits",
    "Manifest",
    "Question",
    "find_course",
    "parse_manifest",
]
