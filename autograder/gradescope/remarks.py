"""What an instructor should know of a package that was made all the same; refuses nothing."""

from __future__ import annotations

from autograder.gradescope.grading import STUDENT_SECONDS
from autograder.manifest import Assignment, Manifest

CONTAINER_MB = 768  # of Gradescope's default container
GRADER_MB = 256  # about what the grading process, its base process and otter-grader take there


def remarks_of(assignment: Assignment, *, reason_unneeded: bool, conda: bool) -> list[str]:
    """One sentence or two for each thing.

    Args:
        reason_unneeded: `--unproved` was given, and everything is proved.
        conda: otter-grader's own set-up is kept.
    """
    remarks = [*_of_time(assignment.manifest), *_of_memory(assignment.manifest)]
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
