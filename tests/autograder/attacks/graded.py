"""One class of attacks and honest submissions, graded by the real command in one environment."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from .attack import USUAL, Attack
from .attacked import ATTACKED
from .course import Ground, give_to, make_ground, open_to_all
from .environments import UNGUARDED, Environment, run
from .oracles import Outcome

SAME_PROCESS = Path(__file__).with_name("same_process.py")
JOBS = 6  # more than there are cores: most attacks that last only wait


def grade(
    folder: Path,
    environment: Environment,
    attacks: Iterable[Attack],
    assignment: str = USUAL,
    neighbours: Sequence[str] | None = None,
) -> Outcome:
    """Grade them in the empty folder, which is closed to others where that is what guards it.

    Args:
        attacks: on this assignment.
        neighbours: the honest submissions beside them; all that the assignment has by default.
    """
    beside = tuple(ATTACKED[assignment].neighbours) if neighbours is None else neighbours
    ground = make_ground(folder / "ground", attacks, neighbours=beside, assignment=assignment)
    command = ["-m", "autograder", "grade", assignment, ground.submissions]
    options = ["--course", ground.course, "--out", ground.out, "--jobs", JOBS]
    return _run(folder, environment, ground, [*command, *options])


def grade_unguarded(folder: Path, attacks: Iterable[Attack], neighbours: Sequence[str]) -> Outcome:
    """Grade them in the grading process itself, as an ordinary user."""
    ground = make_ground(folder / "ground", attacks, neighbours=neighbours)
    (ground.out / "run.json").write_text(json.dumps({"seed": secrets.randbits(48)}))
    command = [SAME_PROCESS, ground.course, ground.submissions, ground.out]
    return _run(folder, UNGUARDED, ground, command)


def _run(
    folder: Path, environment: Environment, ground: Ground, command: Iterable[object]
) -> Outcome:
    if environment.uid is not None:
        give_to(ground.root, environment.uid)
    if environment.open:
        open_to_all(ground.root)
        folder.chmod(0o755)
    before = ground.snapshot()
    ran = run(environment, [str(word) for word in command], folder, ground.home)
    return Outcome(environment, ground, before, ran)
