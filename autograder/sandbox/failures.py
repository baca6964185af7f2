"""How a call to student code can fail to return a value; which words anyone reads is decided
above: every text here is for instructors."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from autograder.errors import CourseError
from autograder.wire import Where


class Ending(enum.Enum):
    """Why a worker had to be given up."""

    TIME = "time"
    DIED = "died"
    REPLY = "reply"


class WorkerEnded(Exception):
    """The worker died, ran out of time, or answered with something that is no reply."""

    def __init__(self, ending: Ending, detail: str) -> None:
        self.ending = ending
        self.detail = detail
        super().__init__(f"{ending.value}: {detail}")


class StudentRaised(Exception):
    """The student's code raised. All texts are the student's, bounded by the worker's frame."""

    def __init__(self, kind: str, message: str, where: Sequence[Where], output: str) -> None:
        self.kind = kind
        self.message = message
        self.where = tuple(where)
        self.output = output
        super().__init__(f"{kind}: {message}")


class SandboxRefused(CourseError):
    """No worker may be started: a planned layer failed, or the base process has gone (ours)."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "the sandbox",
            f"refused to start a worker: {why}",
            "run `autograder doctor`; it says what this machine can isolate.",
            "No student code was run.",
        )
