"""A long class with the worst of the attacks in it, graded by the real command: nothing may be left
behind, and honest submissions may not notice.

Some of the honest ones are graded twice, alone and among the attackers, with the same seed; each
of the others must have the score of its example's copies there. What the attackers wait for on
purpose is taken out of the comparison of speed: the seconds of their checks that ended at a time
limit, shared by the jobs. Everything else that they cost counts.

usage: python benchmarks/soak.py [--submissions 5000] [--attackers 0.1] [--alone 500] [--seed N]
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # when run as a program

from autograder.manifest import find_course
from autograder.results import read_result
from autograder.sandbox import Ending
from benchmarks.classroom import NEVER_THE_SAME, Held, look
from benchmarks.throughput import NAME, ROOT, examples_of, kind
from benchmarks.watching import Sample, Watch, growth
from tests.autograder.attacks import environments
from tests.autograder.attacks.attack import Attack, Places
from tests.autograder.attacks.corpus import attacks

WORST = "dpt"  # the kinds that break, forge and tamper
LIMITS = "seconds = 2\ncpu_seconds = 3\nmemory_mb = 256\ntotal_seconds = 60\ntimeouts = 1"
JOBS = 2
LONGEST_SECONDS = 24 * 3600.0
LEFT = ("processes", "files", "queues", "sockets", "arrived")
LEAST_THROUGHPUT = 0.6
HELD: dict[str, tuple[Callable[[Sample], float], str]] = {
    "memory": (lambda sample: sample.rss, " MB"),
    "descriptors": (lambda sample: sample.descriptors, ""),
    "base process, memory": (lambda sample: sample.base_rss, " MB"),
    "base process, descriptors": (lambda sample: sample.base_descriptors, ""),
    "processes": (lambda sample: sample.processes, ""),
}
Attackers = Mapping[int, Attack]  # by their number in the class
# From the second quarter of the run to the last, by unit: what the allocator does now and then,
# and what is open or runs for a moment.
MOST_GROWTH = {" MB": 4.0, "": 8.0}


def main() -> None:
    """Grade, measure and print; exits with 1 where anything was not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=5000, help="in the class")
    parser.add_argument("--attackers", type=float, default=0.1, help="their share of it")
    parser.add_argument("--alone", type=int, default=500, help="honest ones graded alone, too")
    parser.add_argument("--seed", type=int, help="of who sits where; drawn where none is given")
    options = parser.parse_args()
    seed = secrets.randbits(32) if options.seed is None else options.seed
    print(f"{options.submissions} submissions, --seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        attackers = places_of(worst_attacks(), options.submissions, options.attackers, seed)
        soaked = soak(Path(folder), options.submissions, attackers, seed, options.alone)
    print(*soaked.lines(), sep="\n")
    problems = [*soaked.problems(), *soaked.slowness()]
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


@dataclass(frozen=True)
class Graded:
    """One class, graded.

    Args:
        rows: of its gradebook.
        waited: seconds that submissions spent in checks that ended at a time limit.
        samples: while it was graded, not while its table was made.
    """

    ran: environments.Ran
    held: Held
    rows: list[str]
    waited: dict[str, float]
    samples: list[Sample]

    @property
    def seconds(self) -> float:
        """From start to end."""
        return float(self.ran.left["seconds"])


@dataclass(frozen=True)
class Soaked:
    """Some honest submissions by themselves, and all together."""

    alone: Graded
    mixed: Graded
    attackers: list[str]

    @property
    def waiting(self) -> float:
        """Seconds of the run that attackers waited for, on purpose."""
        return sum(self.mixed.waited.get(name, 0.0) for name in self.attackers) / JOBS

    @property
    def throughput(self) -> float:
        """Submissions a second among attackers, as a share of those without."""
        alone = len(self.alone.held.results) / self.alone.seconds
        return len(self.mixed.held.results) / (self.mixed.seconds - self.waiting) / alone

    def lines(self) -> list[str]:
        """What was measured."""
        mixed, alone = self.mixed, self.alone
        kinds = {kind(Path(name)) for name in self.attackers}
        found = [
            f"honest                     {len(self.honest):8}   of them alone, too: "
            f"{len(alone.held.results)}",
            f"attackers                  {len(self.attackers):8}   of {len(kinds)} kinds",
            f"seconds, honest alone      {alone.seconds:8.1f}",
            f"seconds, all together      {mixed.seconds:8.1f}   attackers waited for "
            f"{self.waiting:.1f} of them",
            f"throughput                 {self.throughput:8.0%}   of that without attackers",
        ]
        found.append(f"largest process            {mixed.ran.left['peak_mb']:8.0f} MB")
        for what, (of, unit) in HELD.items():
            most, more = max(map(of, mixed.samples), default=0), growth(mixed.samples, of)
            found.append(f"{what:<26} {most:8.0f}{unit} at most, grown by {more:.1f}")
        found += [f"{kind + ' left':<26} {len(mixed.ran.left[kind]):8}" for kind in LEFT]
        return [*found, f"honest ones that noticed   {len(self.noticed()):8}"]

    @property
    def honest(self) -> set[str]:
        """Those who are no attackers."""
        return {*self.alone.held.results, *self.mixed.held.results} - {*self.attackers}

    def noticed(self) -> list[str]:
        """Honest submissions with another result, page or place than by themselves, or another
        score than an example's copies have there."""
        alone, mixed = self.alone.held, self.mixed.held
        found = {
            name
            for name in alone.results
            if (alone.results[name], alone.pages[name])
            != (mixed.results.get(name), mixed.pages.get(name))
        }
        scores = {kind(Path(name)): score for name, score in alone.scores.items()}
        found |= {
            name for name in self.honest if mixed.scores.get(name) != scores[kind(Path(name))]
        }
        present = set(self.mixed.rows)
        found.update(row.partition(",")[0] for row in self.alone.rows if row not in present)
        return sorted(found)

    def problems(self) -> list[str]:
        """What is not as it must be, whatever the time."""
        left, held = self.mixed.ran.left, self.mixed.held
        found = [f"{kind} left: {left[kind]}" for kind in LEFT if left[kind]]
        found += [f"it ended with {left['status']}"] * (left["status"] != 0)
        found += [f"another result than alone: {name}" for name in self.noticed()]
        found += [f"no score: {name}" for name, score in held.scores.items() if score is None]
        found += [f"half-written: {name}" for name in held.litter]
        names = [row.partition(",")[0] for row in self.mixed.rows[1:]]
        found += ["the rows have another order"] * (names != sorted(names))
        for what, (of, unit) in HELD.items():
            more, most = growth(self.mixed.samples, of), MOST_GROWTH[unit]
            found += [f"{what} grew by {more:.1f}{unit}"] * (more > most)
        return found

    def slowness(self) -> list[str]:
        """Whether honest submissions had to wait for what the attackers cost us."""
        if self.throughput >= LEAST_THROUGHPUT:
            return []
        return [f"throughput {self.throughput:.0%}, less than {LEAST_THROUGHPUT:.0%}"]


def places_of(worst: Sequence[Attack], submissions: int, share: float, seed: int) -> Attackers:
    """Who sits where; the worst are taken one after the other until their share is reached."""
    numbers = random.Random(seed).sample(range(submissions), int(submissions * share))
    return {number: worst[at % len(worst)] for at, number in enumerate(numbers)}


def soak(
    folder: Path, submissions: int, attackers: Attackers, seed: int, alone: int = sys.maxsize
) -> Soaked:
    """Make both classes in an empty folder, and grade them.

    Args:
        seed: of the hidden inputs.
        alone: so many honest ones are graded by themselves, too; a copy of each example at least.
    """
    course = folder / "course"
    for name in ("assignments", "solutions", "tests"):
        shutil.copytree(ROOT / name / NAME, course / name / NAME)
    manifest = course / "assignments" / NAME / "assignment.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("seconds = 5", LIMITS), encoding="utf-8")
    names = seat(folder, submissions, attackers, alone)
    return Soaked(_grade(folder, "alone", seed), _grade(folder, "mixed", seed), names)


def seat(folder: Path, submissions: int, attackers: Attackers, alone: int) -> list[str]:
    """Write `mixed`, and `alone` with the first honest ones; returns the attackers' names."""
    places = Places(folder / "course", folder / "mixed-out", folder / "mixed")
    honest = examples_of(find_course(ROOT).assignment(NAME), leave_out=NEVER_THE_SAME)
    missing = {one.name for one in honest}
    for number in range(submissions):
        if number in attackers:
            attack = attackers[number]
            attack.make(folder / "mixed" / f"{number:05d}-{attack.name}", places)
            continue
        example = honest[number % len(honest)]
        place = folder / "mixed" / f"{number:05d}-{example.name}"
        shutil.copytree(example, place)
        for path in place.glob("*.py"):
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n# {number}\n")  # nobody else's to the byte, so inputs differ
        if alone > 0 or example.name in missing:
            alone -= 1
            missing.discard(example.name)
            shutil.copytree(place, folder / "alone" / place.name, copy_function=os.link)
    return [f"{number:05d}-{attack.name}" for number, attack in sorted(attackers.items())]


def worst_attacks() -> list[Attack]:
    """The corpus's worst of its assignment that run here and are a folder of steps."""
    return [
        attack
        for attack in attacks()
        if attack.assignment == NAME
        and attack.kind in WORST
        and attack.step
        and not attack.suffix
        and (not attack.where or sys.platform.startswith(attack.where))
    ]


def _grade(folder: Path, name: str, seed: int) -> Graded:
    out, home = folder / f"{name}-out", folder / "home"
    home.mkdir(exist_ok=True)
    command = ["-m", "autograder", "grade", NAME, str(folder / name), "--out", str(out)]
    command += ["--course", str(folder / "course"), "--jobs", str(JOBS), "--seed", str(seed)]
    command.append("--allow-weak-isolation")
    with (
        mock.patch.object(environments, "SECONDS", LONGEST_SECONDS),
        Watch(out / "results") as watch,
    ):
        ran = environments.run(environments.OWN, command, folder, home)
    if not (out / "grades.csv").exists():
        raise RuntimeError(f"{name}: ended with {ran.status}:\n{ran.stdout}\n{ran.stderr}")
    held = look(out)
    rows = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    waited = {path.stem: waited_for(path) for path in (out / "results").glob("*.json")}
    everybody = len(held.results)
    during = [sample for sample in watch.samples if 0 < sample.graded < everybody]
    return Graded(ran, held, rows, waited, during)


def waited_for(path: Path) -> float:
    """The seconds of a result's checks that ended at a time limit."""
    checks = [one for question in read_result(path).questions for one in question.checks]
    return sum(check.seconds for check in checks if check.detail.startswith(Ending.TIME.value))


if __name__ == "__main__":
    main()
