"""Speed and memory of grading a class, against one fresh pytest process a submission, in one run.

Both grade the same submissions with the same graders and the same isolation, on one core. What is
quoted is the ratio: times alone depend on the machine and on what else it does.

usage: python benchmarks/throughput.py [--assignment NAME] [--submissions 200] [--peer 50]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from autograder.manifest import Assignment, find_course

ROOT = Path(__file__).parent.parent
NAME = "self_attention"
WAITING = "loop"  # in the names of examples that wait for a time limit on purpose
SAMPLE_SECONDS = 0.2


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assignment", default=NAME, help="one of the bundled ones")
    parser.add_argument("--submissions", type=int, default=200, help="in the class")
    parser.add_argument("--peer", type=int, default=50, help="of them graded one process each")
    options = parser.parse_args()
    assignment = find_course(ROOT).assignment(options.assignment)
    with tempfile.TemporaryDirectory() as folder:
        submissions = make_class(assignment, Path(folder) / "class", options.submissions)
        ours, peak = grade_class(assignment.name, Path(folder))
        peer = grade_one_by_one(assignment.name, submissions[: options.peer])
    ours_each, peer_each = ours / len(submissions), peer / min(options.peer, len(submissions))
    print(f"one core, {len(submissions)} submissions, {len(set(map(kind, submissions)))} kinds")
    print(f"autograder grade               {1000 * ours_each:7.1f} ms each, {ours:.1f} s in all")
    print(f"pytest --submission, each anew {1000 * peer_each:7.1f} ms each")
    print(f"throughput                     {peer_each / ours_each:7.1f} times")
    print(f"process tree, at most          {peak:7.0f} MB of PSS")


def kind(submission: Path) -> str:
    """The example that a submission is a copy of."""
    return submission.name.partition("-")[2]


def examples_of(assignment: Assignment, leave_out: str = WAITING) -> list[Path]:
    """The bundled examples, but for those whose names match a pattern."""
    found = [path for path in sorted(assignment.examples.iterdir()) if path.is_dir()]
    return [path for path in found if not re.search(leave_out, path.name)]


def make_class(
    assignment: Assignment, folder: Path, count: int, leave_out: str = WAITING
) -> list[Path]:
    """Copies of the bundled examples, but for those whose names match a pattern."""
    examples = examples_of(assignment, leave_out)
    made = []
    for number in range(count):
        example = examples[number % len(examples)]
        made.append(folder / f"{number:05d}-{example.name}")
        shutil.copytree(example, made[-1])
    return made


def grade_class(name: str, folder: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of `autograder grade` over the class."""
    command = [sys.executable, "-m", "autograder", "grade", name, str(folder / "class")]
    command += ["--out", str(folder / "out"), "--allow-weak-isolation", "--course", str(ROOT)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=on_one_core)
    peak = Peak(process.pid)
    status = process.wait()
    seconds = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"autograder grade ended with {status}")
    return seconds, peak.stop()


def grade_one_by_one(name: str, submissions: list[Path]) -> float:
    """Seconds of one fresh pytest process a submission."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", f"tests/{name}", "--allow-weak-isolation"]
    for submission in submissions:
        subprocess.run(
            [*command, f"--submission={submission}"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            preexec_fn=on_one_core,
            check=False,  # pytest ends with 1 when a check fails, as most examples' do
        )
    return time.perf_counter() - started


def on_one_core() -> None:
    """Keep this process and its children on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Peak:
    """Samples the proportional set size of a process and all its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._kilobytes = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> float:
        """The largest sample, in megabytes; 0 where the system does not tell."""
        self._done.set()
        self._thread.join()
        return self._kilobytes / 1024

    def _watch(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            self._kilobytes = max(self._kilobytes, sum(map(pss, descendants(self._pid))))


def descendants(root: int) -> list[int]:
    """The process and everything that comes from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, todo = [], [root]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def pss(pid: int) -> int:
    """Kilobytes; 0 when it has ended, or may not be read (another user's, or closed to others)."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


if __name__ == "__main__":
    main()
