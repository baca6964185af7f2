"""Answers of the course's own, in the place of a student's: called in this process, through the
same wire as a worker's. Only for code that the course trusts: references, variants, mistakes,
mutants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder import wire
from autograder.grading.references import References
from autograder.manifest import Assignment
from autograder.sandbox import (
    NOTHING,
    Answer,
    Confinement,
    Served,
    StudentRaised,
    WorkerLimits,
)
from autograder.submissions import Staged
from autograder.worker.calling import performed
from autograder.worker.serve import known_name


class LocalCode:
    """One answer to every question.

    Args:
        functions: has them as attributes: the references, or one mistake alone.
        with_served: the same answer with other functions in the place of its own.
    """

    def __init__(
        self, functions: object, with_served: Callable[[Served], object] | None = None
    ) -> None:
        self._functions = functions
        self._with_served = with_served
        self.alive = True

    def load(
        self, files: Mapping[str, str], module: str, seconds: float, served: Served = NOTHING
    ) -> str:
        """They are imported already; those that build on a served one are imported anew."""
        if served and self._with_served is not None:
            self._functions = self._with_served(served)
        return ""

    def parse(self, files: Mapping[str, str], names: Sequence[str], seconds: float) -> wire.Value:
        """There are no files: nothing is used."""
        return {}

    def call(
        self,
        module: str,
        function: str,
        arguments: Sequence[object],
        named: Mapping[str, object],
        deadline: wire.Deadline,
        how: wire.How = wire.PLAIN,
    ) -> Answer:
        """Call a function as a worker would; raises `StudentRaised`."""
        values = [*arguments, *named.values()]
        functions: list[wire.Function] = []
        sent = wire.encode_call(0, module, function, list(named), values, how, functions)
        request = wire.decode_request(sent[0])
        assert isinstance(request, wire.Call)
        given = wire.decode_call(request, _body(sent), functions.__getitem__)
        try:
            with np.errstate(all="ignore"):
                came = performed(getattr(self._functions, function), given)
        except KeyboardInterrupt:  # ours
            raise
        except BaseException as error:  # SystemExit too, as of a student's
            raise StudentRaised(known_name(error), str(error), [], "") from None
        done = wire.encode_done(0, [came.value, *came.arguments], "", came.gradients)
        reply = wire.decode_reply(done[0])
        assert isinstance(reply, wire.Done)
        (value, *after), gradients = wire.decode_done(reply, _body(done))
        answer = Answer(value, after, "", gradients, came.measures)
        return answer.of_arguments(len(values) + len(how.weights))

    def kill(self) -> None:
        """There is no process to end."""

    def release(self) -> None:
        """There is no process to end."""


class LocalSandbox:
    """Hands out one answer, whoever asks.

    Args:
        replaced: functions by name, in the place of the references' own.

    Raises:
        CourseError: the references cannot be imported with them.
    """

    confinement = Confinement(())

    def __init__(
        self, assignment: Assignment, replaced: Mapping[str, Callable[..., Any]] | None = None
    ) -> None:
        self._assignment = assignment
        self._replaced = replaced or {}
        self._functions = References(assignment, replaced)

    def spawn(self, limits: WorkerLimits) -> LocalCode:
        """The answer; nothing limits it."""
        return LocalCode(self._functions, self._with_served)

    def _with_served(self, served: Served) -> References:
        steps = {name: step for module in served.values() for name, step in module.items()}
        return References(self._assignment, {**self._replaced, **steps})

    def alive(self) -> bool:
        """Always."""
        return True

    def close(self) -> None:
        """There is no process to end."""


def staged_as(name: str, assignment: Assignment) -> Staged:
    """A submission of that name with every file; its inputs are drawn for the name."""
    files = {question.file: f"# {name}\n" for question in assignment.manifest.questions}
    return Staged(name, files)


def _body(frame: wire.Frame) -> bytes:
    return b"".join(frame[1])
