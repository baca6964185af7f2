"""The kinds of fault, each made in one class. What came of it is judged elsewhere."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder.results import decode_result, encode_result
from benchmarks.attempt import KILLED, OURS, Attempt, kill, victim

INTERRUPTED, USAGE = 130, 2
PAGE = 4096
EDITED = "graded again, since results/ were not as they were written: "


@dataclass(frozen=True)
class Fault:
    """One kind of fault.

    Args:
        make: disturbs the grading, and waits for its end.
        why_not: why it cannot be made on this machine; empty: it can.
        repeats: it can be made again and again in one class.
    """

    name: str
    make: Callable[[Attempt], None]
    why_not: Callable[[], str]
    repeats: bool = False


def _runner_killed(attempt: Attempt) -> None:
    """Each run goes on where the one before was killed."""
    for between in attempt.moments():
        running = attempt.start()
        if attempt.reach_a_moment(running, between):
            running.process.kill()
        attempt.end(running, (KILLED,))


def _runner_stopped(attempt: Attempt) -> None:
    """Ctrl-C, as soon as there is anything to be stopped."""
    for between in attempt.moments():
        running = attempt.start()
        begun = running.reach((attempt.out / "run.json").exists)
        if begun and attempt.reach_a_moment(running, between):
            os.killpg(running.process.pid, signal.SIGINT)
        attempt.end(running, (OURS, INTERRUPTED))


def _grading_child_killed(attempt: Attempt) -> None:
    _helper_killed(attempt, base=False)


def _base_process_killed(attempt: Attempt) -> None:
    _helper_killed(attempt, base=True)


def _helper_killed(attempt: Attempt, *, base: bool) -> None:
    """The run goes on by itself: what is broken is graded once more in it, and stays broken where
    that is killed too. Only a base process that is killed before any work was begun is an error of
    its own."""
    may_end = (0, OURS) if base or attempt.times > 1 else (0,)
    words = "the base process did not start" if attempt.times == 1 else ""
    running = attempt.start()
    for between in attempt.moments():
        if running.process.poll() is not None:  # as the last one was too early for it
            attempt.end(running, may_end, words)
            running = attempt.start()
        attempt.reach_a_moment(running, between)
        pid = victim(attempt, running, base=base)
        attempt.too_late += pid is None
        if pid is not None:
            kill(pid)
    attempt.end(running, may_end, words)


def _disk_full(attempt: Attempt) -> None:
    """A small disk for the output folder, which is full at some time; then there is room."""
    files = [path for path in attempt.classroom.undisturbed_folder.rglob("*") if path.is_file()]
    needed = sum(-(-path.stat().st_size // PAGE) for path in files)
    size = max(int(needed * attempt.chance.uniform(0, 0.95)), 1)
    attempt.moment = f"a disk of {size} pages, where {needed} are needed"
    attempt.out.mkdir()
    mount(attempt.out, f"size={size * PAGE}")
    attempt.undo.callback(unmount, attempt.out)
    attempt.end(attempt.start(), (OURS,), "No space left on device\nFix: ")
    mount(attempt.out, "remount,size=100%")


def _no_file_may_grow(attempt: Attempt) -> None:
    """What stands for a full disk where nobody may mount one."""
    running = attempt.start()
    if attempt.reach_a_moment(running, *attempt.moments()):
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (0, 0))
    attempt.end(running, (OURS,), "File too large\nFix: ")


def _unwritable_folder(attempt: Attempt) -> None:
    running = attempt.start()
    results = attempt.out / "results"
    (between,) = attempt.moments()
    with contextlib.ExitStack() as reopen:
        if attempt.reach_a_moment(running, between[-between.start + 1 :]):  # when it is there
            if os.geteuid() == 0:  # whom no permission stops
                subprocess.run(["mount", "--bind", results, results], check=True)
                reopen.callback(unmount, results)
                subprocess.run(["mount", "-o", "remount,bind,ro", results], check=True)
            else:
                results.chmod(0o500)
                reopen.callback(results.chmod, 0o700)
        attempt.end(running, (OURS,), "Fix: make room or make the folder writable")


def _two_runs(attempt: Attempt) -> None:
    """The second one changes nothing, and says why."""
    running = attempt.start()
    is_in_time = running.reach((attempt.out / ".lock").exists)
    if is_in_time and attempt.reach_a_moment(running, *attempt.moments()):
        second = attempt.start().end()
        is_late = running.results == len(attempt.classroom.names)
        if second.status != USAGE and not (is_late and second.status == 0):
            attempt.problems.append(f"the second ended with {second.status}: {second.said}")
    attempt.end(running, (0,))


def _result_cut_short(attempt: Attempt) -> None:
    for path in _some_results(attempt):
        data = path.read_bytes()
        path.write_bytes(data[: attempt.chance.randrange(len(data))])


def _result_edited(attempt: Attempt) -> None:
    """Whole, and with the same key, and another score."""
    attempt.to_be_said = EDITED
    for path in _some_results(attempt):
        result = decode_result(path.read_bytes())
        score = 0.0 if result.score else result.max_score
        path.write_bytes(encode_result(msgspec.structs.replace(result, score=score)))


def _results_exchanged(attempt: Attempt) -> None:
    """One has another's file, as after a slip of the hand."""
    attempt.to_be_said = EDITED
    paths = _some_results(attempt, 2)
    for path, data in zip(paths, [path.read_bytes() for path in reversed(paths)], strict=True):
        path.write_bytes(data)


def _results_removed(attempt: Attempt) -> None:
    for path in _some_results(attempt):
        path.unlink()
    shutil.rmtree(attempt.out / "feedback")


def _list_cut_short(attempt: Attempt) -> None:
    """The digests by which an edited result is known."""
    attempt.copy_undisturbed()
    path = attempt.out / ".written"
    path.write_bytes(path.read_bytes()[: attempt.chance.randrange(path.stat().st_size)])


def _some_results(attempt: Attempt, count: int = 3) -> list[Path]:
    """Results of a finished run, to be spoilt."""
    attempt.copy_undisturbed()
    names = attempt.chance.sample(attempt.classroom.names, count)
    attempt.moment = f"a finished run, with {', '.join(names)}"
    attempt.spoilt.update(names)
    return [attempt.out / "results" / f"{name}.json" for name in names]


def mount(folder: Path, options: str) -> None:
    """A disk of its own there; or other options for the one that is there already."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)


def unmount(folder: Path) -> None:
    """Let it go; no harm where there is none."""
    subprocess.run(["umount", "--lazy", folder], check=False, stderr=subprocess.DEVNULL)


def always() -> str:
    """Nothing is needed for it."""
    return ""


@functools.cache
def no_mount() -> str:
    """Why no disk can be mounted here."""
    missing = "needs root, mount(8), and a system that lets root mount"
    if os.geteuid() != 0 or not shutil.which("mount"):
        return missing
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "tmpfs", folder]
        if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
            return missing
        unmount(Path(folder))
    return ""


def no_closed_folder() -> str:
    """Why no folder can be closed to whoever this is."""
    return no_mount() if os.geteuid() == 0 else ""


FAULTS = (
    Fault("runner killed", _runner_killed, always, repeats=True),
    Fault("runner stopped", _runner_stopped, always, repeats=True),
    Fault("grading child killed", _grading_child_killed, always, repeats=True),
    Fault("base process killed", _base_process_killed, always, repeats=True),
    Fault("disk full", _disk_full, no_mount),
    Fault("no file may grow", _no_file_may_grow, always),
    Fault("unwritable folder", _unwritable_folder, no_closed_folder),
    Fault("two runs in one folder", _two_runs, always),
    Fault("result cut short", _result_cut_short, always),
    Fault("result edited", _result_edited, always),
    Fault("results exchanged", _results_exchanged, always),
    Fault("results removed", _results_removed, always),
    Fault("digests cut short", _list_cut_short, always),
)
