"""One class, disturbed once or many times and graded once more, held against an undisturbed one."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random

from benchmarks.classroom import Classroom, Ended, Held, Running, look

KILLED, OURS = -9, 1
TRACEBACK = "Traceback (most recent call last)"


@contextlib.contextmanager
def attempt(classroom: Classroom, chance: Random, times: int = 1) -> Iterator[Attempt]:
    """A fault to be made in one class; nothing of it is left behind.

    Args:
        times: how often, where it is of a kind that can be made again and again.
    """
    assert classroom.undisturbed  # before anything else runs
    folder = Path(tempfile.mkdtemp(dir=classroom.folder))
    with contextlib.ExitStack() as undo:
        undo.callback(shutil.rmtree, folder)
        yield Attempt(classroom, chance, folder / "out", undo, times)


class Attempt:
    """A fault, made in one class: `start`, `reach_a_moment`, `end`, then `grade_again`.

    Args:
        chance: chooses the moment.
        out: the output folder; not there yet.
        undo: what is to be done when it is over.
        times: how often the fault is made.
    """

    def __init__(
        self,
        classroom: Classroom,
        chance: Random,
        out: Path,
        undo: contextlib.ExitStack,
        times: int,
    ) -> None:
        self.classroom = classroom
        self.chance = chance
        self.out = out
        self.undo = undo
        self.times = times
        self.too_late = 0  # of these times, when there was nothing more to do
        self.moment = ""
        self.is_done = False  # as the disturbed run says
        self.spoilt: set[str] = set()  # submissions whose results were changed by hand
        self.to_be_said = ""  # by the run after it
        self.problems: list[str] = []
        self.before: Held
        self.after: Held

    def start(self) -> Running:
        """Begin to grade."""
        running = self.classroom.start(self.out)
        self.undo.callback(running.process.kill)
        return running

    def moments(self) -> Iterator[range]:
        """For each time that the fault is made, between how many results; before the first, too."""
        count = len(self.classroom.names)
        bounds = [-count // 10, *(count * time // self.times for time in range(1, self.times + 1))]
        for first, last in itertools.pairwise(bounds):
            yield range(first, max(last, first + 1))

    def reach_a_moment(self, running: Running, between: range) -> bool:
        """Wait for a random moment; False when the run has ended before it.

        Args:
            between: how many results there are to be.
        """
        usual = self.classroom.undisturbed
        results = self.chance.choice(between)
        seconds = self.chance.uniform(0, usual.each if results > 0 else usual.first)
        self.moment = f"{max(results, 0)} results and {seconds:.3f} s"
        reached = running.reach(lambda: running.results >= results)
        time.sleep(seconds)
        return reached and running.reach(lambda: True)

    def copy_undisturbed(self) -> None:
        """Have what an undisturbed run left, without running it."""
        self.moment = "a finished run"
        shutil.copytree(self.classroom.undisturbed_folder, self.out)

    def end(self, running: Running, statuses: Collection[int], words: str = "") -> None:
        """Wait for the end of the disturbed run, which may end with these; or with 0, where it had
        nothing more to do when it was disturbed.

        Args:
            words: that it must say where it does not end with 0.
        """
        ended = running.end()
        self.is_done = ended.status == 0
        self.too_late += self.is_done and 0 not in statuses
        self._look_at(ended, (0, *statuses), "" if self.is_done else words)
        if ended.status != KILLED and (litter := look(self.out).litter):
            self.problems.append(f"half-written: {litter}")

    def grade_again(self) -> None:
        """Run the same command, undisturbed."""
        self.before = look(self.out)
        self._look_at(self.start().end(), (0,), self.to_be_said)
        self.after = look(self.out)

    def _look_at(self, ended: Ended, statuses: Collection[int], words: str) -> None:
        if ended.status not in statuses:
            self.problems.append(f"ended with {ended.status}, not {statuses}: {ended.said[-1500:]}")
        if words not in ended.said:
            self.problems.append(f"does not say {words!r}: {ended.said[-1500:]}")
        if TRACEBACK in ended.said:
            self.problems.append(f"a traceback: {ended.said[-1500:]}")
        if ended.left:
            self.problems.append(f"processes that outlived it: {ended.left}")

    @property
    def graded_again(self) -> list[str]:
        """Submissions that had a score, and were graded once more."""
        before, after = self.before, self.after
        return [
            name
            for name in self._had_a_score()
            if name not in self.spoilt and after.stamps.get(name) != before.stamps[name]
        ]

    def violations(self) -> dict[str, list[str]]:
        """What is not as it must be, by its kind."""
        expected = self.classroom.undisturbed.held
        before, after = self.before, self.after
        other = list(self.problems)
        if self.is_done and (before.grades, before.scores) != (expected.grades, expected.scores):
            other.append("it ended with 0 and was not done")
        if after.grades != expected.grades:
            other.append("grades.csv is another")
        if after.litter:
            other.append(f"left behind: {after.litter}")
        names = sorted(expected.results)
        honest = {name: before.scores[name] for name in self._had_a_score() - self.spoilt}
        return {
            "lost": [name for name in names if name not in after.results],
            "different": [
                name
                for name in names
                if after.results.get(name, "") not in ("", expected.results[name])
                or after.pages.get(name) != expected.pages[name]
                or honest.get(name, expected.scores[name]) != expected.scores[name]
            ],
            "zero": [
                name
                for name in names
                if expected.scores[name] and 0 in (honest.get(name), after.scores.get(name))
            ],
            "other": other,
        }

    def _had_a_score(self) -> set[str]:
        return {name for name, score in self.before.scores.items() if score is not None}


def victim(attempt: Attempt, running: Running, *, base: bool) -> int | None:
    """A process that grades now, or the one that workers come from."""
    found: list[int] = []
    if not running.reach(lambda: found.extend(running.children(base=base)) or found):
        return None
    return attempt.chance.choice(found)


def kill(pid: int) -> None:
    """kill -9; no harm when it has ended already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 9)
