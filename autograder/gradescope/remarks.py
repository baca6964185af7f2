"""What an instructor should know of a package that was made all the same; refuses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.gradescope.grading import STUDENT_SECONDS
from autograder.manifest import Assignment, Manifest
from autograder.session import Graders, with_graders
from autograder.shown import WHEN
from autograder.text import joined

CONTAINER_MB = 768  # of Gradescope's default container
GRADER_MB = 256  # about what the grading process, its base process and otter-grader take there


def settings_of(manifest: Manifest, otter_config: Mapping[str, Any]) -> str:
    """What has to be typed into the assignment's settings on Gradescope.

    Args:
        otter_config: otter-grader's configuration; `points_possible` scales every total.
    """
    counted = [one for one in manifest.enabled_questions if not one.extra]
    points = otter_config.get("points_possible") or sum(one.points for one in counted)
    return (
        f"autograder points {points:g}, base image Ubuntu 22.04, a time limit of 10 minutes or more"
    )


def remarks_of(assignment: Assignment, *, reason_unneeded: bool, conda: bool) -> list[str]:
    """One sentence or two for each thing.

    Args:
        reason_unneeded: `--unproved` was given, and everything is proved.
        conda: otter-grader's own set-up is kept.
    """
    remarks = [*_of_time(assignment.manifest), *_of_memory(assignment.manifest)]
    remarks += _of_public_checks(assignment)
    if reason_unneeded:
        remarks.append("--unproved was not needed: everything is proved. The reason is not kept.")
    if conda:
        remarks.append("--conda: the image fetches a conda environment and a browser, about 4 GB.")
    return remarks


def _of_time(manifest: Manifest) -> list[str]:
    seconds = manifest.limits.total_seconds
    if seconds <= STUDENT_SECONDS:
        return []
    return [
        f"total_seconds is {seconds:g}; on Gradescope student code gets {STUDENT_SECONDS:g} "
        "seconds in all, to stay within its 10 minutes."
    ]


def _of_memory(manifest: Manifest) -> list[str]:
    """Where a worker within its limit could have the whole container killed, and the grade lost."""
    most = max(manifest.limits_of(one).memory_mb for one in manifest.enabled_questions)
    if most + GRADER_MB <= CONTAINER_MB:
        return []
    return [
        f"memory_mb is {most}, and the grader needs about {GRADER_MB} MB beside it; Gradescope's "
        f"default container has {CONTAINER_MB} MB. Choose one with at least {most + GRADER_MB} MB "
        "in the assignment's autograder settings."
    ]


def _of_public_checks(assignment: Assignment) -> list[str]:
    """Which questions tell a student nothing at once; raises `CourseError`."""
    waiting = WHEN[assignment.manifest.feedback.hidden_points]
    if not waiting:
        return []
    public = with_graders(assignment, _with_public_checks)
    silent = [one.name for one in assignment.manifest.enabled_questions if one.name not in public]
    if not silent:
        return []
    return [
        f"no public check in {joined(silent)}: students see no check of it at once; hidden checks "
        f"are {waiting}."
    ]


def _with_public_checks(graders: Graders) -> set[str]:
    return {check.question for check in graders.checks() if not check.hidden}
