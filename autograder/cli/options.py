"""Arguments and options that several commands share."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer


class PagesOf(enum.Enum):
    """The moment of `[feedback]` that pages are written for."""

    now = "now"
    after_due_date = "after_due_date"
    after_published = "after_published"


class VerifyLevel(enum.Enum):
    """How much `verify` looks at."""

    basic = "basic"
    full = "full"


class DeviceName(enum.Enum):
    """Where checks run."""

    cpu = "cpu"
    cuda = "cuda"


AssignmentName = Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="its folder's name")]
CourseOption = Annotated[
    Path | None,
    typer.Option("--course", metavar="DIR", help="the course's folder; else the nearest upwards"),
]
AllowWeak = Annotated[
    bool,
    typer.Option(
        "--allow-weak-isolation", help="grade although student code may find the tests here"
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="of the hidden inputs; seen in the list of processes"),
]
DeviceOption = Annotated[
    DeviceName, typer.Option("--device", help="cuda: run the checks' cases for a GPU as well")
]
