"""One worker, seen from the grading process: load, call, kill. Everything it sends is checked; it
is given up at the first thing that is no reply."""

from __future__ import annotations

import inspect
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Protocol

from autograder import wire
from autograder.sandbox.control import Ended
from autograder.sandbox.failures import Ending, StudentRaised, WorkerEnded
from autograder.sandbox.serving import Functions, Server, served_by

KEPT_OUTPUT = 10_000
KEPT_NAME = 80
KEPT_MESSAGE = 2_000
KEPT_WHERE = 8


class Process(Protocol):
    """A worker's process, however it was started."""

    @property
    def ended(self) -> int | None:
        """A descriptor that becomes readable at its end, where the system has one."""

    def kill(self) -> Ended | None:
        """End it and wait for it; what is known of its end."""

    def release(self) -> None:
        """Let it be ended without waiting."""


@dataclass(frozen=True)
class Answer:
    """What a call returned, the arguments as it left them, what it printed; and where they were
    asked for, each argument's gradient, what it cost, and the line that decided what it returned.
    """

    value: wire.Value
    arguments: list[wire.Value] | None  # None: too large to come back
    output: str
    gradients: list[wire.Value] | None = None  # likewise
    measures: Mapping[str, int] = field(default_factory=dict)
    where: Sequence[wire.Where] = ()

    def of_arguments(self, count: int) -> Answer:
        """The same; what is not one for each of so many arguments did not come back."""
        arguments, gradients = (
            one if one is not None and len(one) == count else None
            for one in (self.arguments, self.gradients)
        )
        return replace(self, arguments=arguments, gradients=gradients)


Served = Mapping[str, Functions]  # by module: functions of ours in the place of the student's
NOTHING: Served = {}


class StudentCode(Protocol):
    """Whatever answers calls in a student's place: a confined worker, or a known wrong answer."""

    alive: bool

    def load(
        self, files: Mapping[str, str], module: str, seconds: float, served: Served = NOTHING
    ) -> str: ...

    def parse(
        self, files: Mapping[str, str], names: Sequence[str], seconds: float
    ) -> wire.Value: ...

    def call(
        self,
        module: str,
        function: str,
        arguments: Sequence[object],
        named: Mapping[str, object],
        deadline: wire.Deadline,
        how: wire.How = wire.PLAIN,
    ) -> Answer: ...

    def kill(self) -> Ended | None: ...

    def release(self) -> None: ...


class Worker:
    """A confined process that serves one question of one submission."""

    def __init__(self, channel: socket.socket, process: Process, layers: tuple[str, ...]) -> None:
        channel.setblocking(False)  # a worker that does not read must not hold us up
        self._channel = channel
        self._process = process
        self.layers = layers
        self._serial = 0
        self._files: frozenset[str] = frozenset()
        self._server = self._asides = Server({})
        self.alive = True

    def load(
        self, files: Mapping[str, str], module: str, seconds: float, served: Served = NOTHING
    ) -> str:
        """Import `module` of these files (module name → source); returns what it printed.

        Args:
            served: called here, on what the student's code passes to them; their code does not
                get into the worker.

        Raises:
            StudentRaised, WorkerEnded.
        """
        self._serial += 1
        self._files = frozenset(f"{name}.py" for name in files)
        functions = {name: one for module in served.values() for name, one in module.items()}
        self._server.close()
        self._server = Server(served_by(functions))
        names = {module: list(functions) for module, functions in served.items()}
        classes = [name for name, one in functions.items() if inspect.isclass(one)]
        frame = wire.encode(wire.Load(self._serial, dict(files), module, names, classes))
        return self._exchange(frame, wire.Deadline.after(seconds)).output

    def parse(self, files: Mapping[str, str], names: Sequence[str], seconds: float) -> wire.Value:
        """Which of these names the files use; runs none of them.

        Raises:
            StudentRaised, WorkerEnded.
        """
        self._serial += 1
        frame = wire.encode(wire.Parse(self._serial, dict(files), list(names)))
        return self._exchange(frame, wire.Deadline.after(seconds)).value

    def call(
        self,
        module: str,
        function: str,
        arguments: Sequence[object],
        named: Mapping[str, object],
        deadline: wire.Deadline,
        how: wire.How = wire.PLAIN,
    ) -> Answer:
        """Call a function of a loaded module; positional arguments, then named ones.

        A function among the arguments is called here, whenever the student's code calls it. A
        generator of random numbers there is afterwards where the student's code has left it.

        Raises:
            StudentRaised: it raised; the worker lives on.
            WorkerEnded: it did not return a value in time; the worker is gone.
            TypeError: an argument cannot be sent, which is the caller's fault.
        """
        self._serial += 1
        values = [*arguments, *named.values()]
        functions: list[wire.Function] = []
        call = (self._serial, module, function, list(named), values, how, functions)
        frame = wire.encode_call(*call)
        given = {wire.argument_name(at): one for at, one in enumerate(functions)}
        with closing(Server(given)) as self._asides:
            answer = self._exchange(frame, deadline)
        return answer.of_arguments(len(values) + len(how.weights))

    def _exchange(self, frame: wire.Frame, deadline: wire.Deadline) -> Answer:
        if not self.alive:
            raise WorkerEnded(Ending.DIED, "it had ended before this call")
        try:
            if wire.pending(self._channel):
                raise self._before_it_was_asked()
            wire.send(self._channel, *frame, deadline)
            answer = self._answered(deadline)
        except wire.DeadlinePassed:
            raise self._give_up(Ending.TIME, "no answer within the time limit") from None
        except wire.ChannelClosed:
            raise self._give_up(Ending.DIED, "it ended during the call") from None
        except wire.WireError as error:
            raise self._give_up(Ending.REPLY, str(error)) from None
        except BaseException:
            self.kill()  # an answer may still be on its way: it must not meet the next call
            raise
        if isinstance(answer, StudentRaised):
            raise answer
        return answer

    def _answered(self, deadline: wire.Deadline) -> Answer | StudentRaised:
        """What it answers, after as many questions of its own as there is time for."""
        while True:
            head, body = wire.receive(self._channel, deadline, ended=self._process.ended)
            reply = wire.decode_reply(head)
            if not isinstance(reply, wire.Ask):
                return self._answer(reply, body)
            if reply.id != self._serial:
                raise wire.WireError("it asked while it answered another request")
            deadline.demand()
            server = self._asides if self._asides.has(reply.function) else self._server
            wire.send(self._channel, *server.answer(reply, body, deadline), deadline)

    def _before_it_was_asked(self) -> Exception:
        try:
            said = self._channel.recv(1, socket.MSG_PEEK)
        except OSError:
            said = b""
        if said:
            return wire.WireError("it spoke before it was asked")
        return wire.ChannelClosed()

    def _answer(
        self, reply: wire.Done | wire.Raised | wire.Hello, body: bytearray
    ) -> Answer | StudentRaised:
        if isinstance(reply, wire.Hello) or reply.id != self._serial:
            raise wire.WireError("a reply to another request")
        output = reply.output[:KEPT_OUTPUT]
        if isinstance(reply, wire.Raised):
            kind, message = reply.kind[:KEPT_NAME], reply.message[:KEPT_MESSAGE]
            return StudentRaised(kind, message, list(self._own(reply.where)), output)
        values, gradients = wire.decode_done(reply, body)
        value, *arguments = values or [None]
        told = reply.measures
        measures = {name: told[name] for name in wire.MEASURES if told.get(name, -1) >= 0}
        return Answer(value, arguments, output, gradients, measures, self._own(reply.where))

    def _own(self, where: Sequence[wire.Where]) -> tuple[wire.Where, ...]:
        """The lines among these that are in the student's files."""
        return tuple(
            wire.Where(at.file, at.line, at.function[:KEPT_NAME])
            for at in where[-KEPT_WHERE:]
            if at.file in self._files
        )

    def kill(self) -> Ended | None:
        """End the worker now and wait for it."""
        if not self.alive:
            return None
        self._let_go()
        return self._process.kill()

    def release(self) -> None:
        """Be done with it: it is ended without being waited for."""
        if self.alive:
            self._let_go()
            self._process.release()

    def _let_go(self) -> None:
        self.alive = False
        self._channel.close()
        self._server.close()

    def _give_up(self, ending: Ending, detail: str) -> WorkerEnded:
        end = self.kill()
        if end is not None and ending is Ending.DIED and -end.status == signal.SIGXCPU:
            ending = Ending.TIME
        return WorkerEnded(ending, f"{detail}; {_describe(end)}")


def _describe(end: Ended | None) -> str:
    if end is None:
        return "how it ended is not known"
    by_signal = end.status < 0
    how = f"killed by {_signal_name(-end.status)}" if by_signal else f"exit code {end.status}"
    return f"{how}, {end.cpu_seconds:.1f} s of CPU, {end.peak_mb} MB at most"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
