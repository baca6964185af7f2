"""Grades each environment's class once, with the attacks that the chosen tests ask for."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .attack import Attack
from .attacked import ATTACKED
from .corpus import attacks
from .environments import HERE, UNGUARDED, Environment, run, why_unavailable
from .graded import grade, grade_unguarded
from .oracles import Outcome

NEIGHBOURS_UNGUARDED = ("a_right", "e_right_with_einsum_and_loops", "z_right")


def pytest_configure(config: pytest.Config) -> None:
    """`slow and attacks`: in all environments; `slow` alone: what runs before each release."""
    config.addinivalue_line("markers", "attacks: every attack in every environment; takes minutes")


@pytest.fixture(scope="session")
def fresh_folder() -> Iterator[Callable[[], Path]]:
    """Make an empty folder that other users can reach once it is opened to them."""
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(tempfile.mkdtemp(prefix="attacks-")))
        return made[-1]

    yield make
    for folder in made:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def graded(
    request: pytest.FixtureRequest, fresh_folder: Callable[[], Path]
) -> Callable[[Environment, str], Outcome]:
    """What came of an assignment's class there."""
    outcomes: dict[tuple[str, str], Outcome] = {}

    def in_environment(environment: Environment, assignment: str) -> Outcome:
        missing = why_unavailable(environment) or ATTACKED[assignment].missing
        if missing:
            pytest.skip(missing)
        place = (environment.name, assignment)
        if place not in outcomes:
            chosen = _chosen(request.session, environment, assignment)
            outcomes[place] = grade(fresh_folder(), environment, chosen, assignment)
        return _strong_enough(outcomes[place])

    return in_environment


def _chosen(session: pytest.Session, environment: Environment, assignment: str) -> list[Attack]:
    """The attacks on it that tests were selected for in this environment; all where none was."""
    params = [item.callspec.params for item in session.items if hasattr(item, "callspec")]
    asked = [
        one["attack"] for one in params if one.get("environment") == environment and "attack" in one
    ]
    own = {attack.name: attack for attack in asked if attack.assignment == assignment}
    return list(own.values()) or [one for one in attacks() if one.assignment == assignment]


def _strong_enough(outcome: Outcome) -> Outcome:
    """A machine of unknown strength is not tested where it refuses to grade at all."""
    if outcome.environment == HERE and "expected the promise" in outcome.ran.stderr:
        pytest.skip("this machine does not promise what hidden grading demands")
    return outcome


@pytest.fixture(scope="session")
def doctor(fresh_folder: Callable[[], Path]) -> Callable[[Environment], str]:
    """What `autograder doctor` says there."""

    def ask(environment: Environment) -> str:
        missing = why_unavailable(environment)
        if missing:
            pytest.skip(missing)
        folder = fresh_folder()
        folder.chmod(0o755)
        return run(environment, ["-m", "autograder", "doctor"], folder, folder).stdout

    return ask


@pytest.fixture(scope="session")
def unguarded(fresh_folder: Callable[[], Path]) -> Outcome:
    """What came of the class in the control."""
    missing = why_unavailable(UNGUARDED)  # what succeeds there must stay there
    if missing:
        pytest.skip(missing)
    chosen = [attack for attack in attacks() if attack.unconfined]
    return grade_unguarded(fresh_folder(), chosen, NEIGHBOURS_UNGUARDED)
