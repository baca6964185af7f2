"""assignment.toml as typed data; parses nothing (see parse.py) and knows no folder."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

# The upper bounds are beyond any use; above them the arithmetic of clocks and limits overflows.
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
CpuSeconds = Annotated[int, Meta(ge=1, le=86_400)]
Megabytes = Annotated[int, Meta(ge=64, le=1 << 20)]
Timeouts = Annotated[int, Meta(ge=1, le=10_000)]
# Shown on terminals, in cells and on pages: no control character, line break or turn of direction.
ONE_LINE = r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]*\Z"
Line = Annotated[str, Meta(pattern=ONE_LINE)]
Title = Annotated[str, Meta(pattern=ONE_LINE, min_length=1)]
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*\Z", max_length=60)]

Dotted = Annotated[str, Meta(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+\Z", max_length=200)]
File = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\.py\Z", max_length=100)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What student code may use."""

    seconds: Seconds = 10.0  # wall clock, one check (one case of it)
    cpu_seconds: CpuSeconds = 60  # CPU of one worker: a question has two
    memory_mb: Megabytes = 512  # on top of Python and the packages
    total_seconds: Seconds = 120.0  # wall clock, one submission
    timeouts: Timeouts = 2  # of one question, before its other checks go unrun


class QuestionLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one question changes in the assignment's limits."""

    seconds: Seconds | None = None
    cpu_seconds: CpuSeconds | None = None
    memory_mb: Megabytes | None = None


class Feedback(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a student sees what; `never` is for an exam."""

    hidden_points: Literal["now", "after_due_date", "after_published", "never"] = "after_published"
    hints: Literal["now", "after_due_date", "after_published", "never"] = "now"


class Gradescope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the assignment is packaged for Gradescope."""

    rows: Literal["checks", "otter"] = "checks"  # a row a check; or otter-grader's own rows
    torch_index: Line = ""  # the package index that has a CPU build of torch


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the handout that works as it is; steps may import it."""

    file: File
    functions: list[str] = []  # that graders call, like a student's

    @property
    def module(self) -> str:
        """The name that steps import it by."""
        return self.file.removesuffix(".py")


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: one file, its functions and its points."""

    name: Name
    title: Title
    file: File
    functions: Annotated[list[str], Meta(min_length=1)]
    points: Annotated[float, Meta(ge=0.01, le=10_000)]
    needs: list[str] = []
    # Of its points: what it may earn by being right for right earlier steps, the student's being
    # wrong.
    follow_through: Annotated[float, Meta(ge=0, le=1)] = 1.0
    # Calls that are the exercise, such as torch.nn.MultiheadAttention: with one of them in its
    # files the question has no points.
    forbidden: list[Dotted] = []
    enabled: bool = True
    extra: bool = False  # extra credit: earns points, not counted in the total
    limits: QuestionLimits = QuestionLimits()

    @property
    def module(self) -> str:
        """The name other steps import this one by."""
        return self.file.removesuffix(".py")


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assignment.toml."""

    name: Name
    title: Title
    packages: list[Literal["numpy", "torch"]]
    questions: Annotated[list[Question], Meta(min_length=1)]
    hours: Line = ""
    given: list[Given] = []
    limits: Limits = Limits()
    feedback: Feedback = Feedback()
    gradescope: Gradescope = Gradescope()

    def step_of(self, question: Question) -> int:
        """The number a question bears everywhere: in its stub, its file and every report."""
        return self.questions.index(question) + 1

    @property
    def enabled_questions(self) -> list[Question]:
        """The questions that are graded, in order."""
        return [question for question in self.questions if question.enabled]

    def builds_on(self, question: Question) -> list[Question]:
        """The earlier questions that one needs, directly or not, in order."""
        needed = set(question.needs)
        for one in reversed(self.questions):  # `needs` names earlier ones only
            if one.name in needed:
                needed.update(one.needs)
        return [one for one in self.questions if one.name in needed]

    @property
    def parts(self) -> list[Question | Given]:
        """Everything that has a module: the steps, and what is given."""
        return [*self.questions, *self.given]

    def owner_of(self, function: str) -> Question | Given:
        """Where a function is found.

        Raises:
            AttributeError: nowhere.
        """
        for one in self.parts:
            if function in one.functions:
                return one
        raise AttributeError(f"no question of this assignment has a function {function!r}")

    @property
    def given_functions(self) -> frozenset[str]:
        """Those of given files."""
        return frozenset(name for one in self.given for name in one.functions)

    def limits_of(self, question: Question) -> Limits:
        """The assignment's limits with the question's own in their place."""
        own = msgspec.structs.asdict(question.limits)
        changed = {key: value for key, value in own.items() if value is not None}
        return msgspec.structs.replace(self.limits, **changed)
