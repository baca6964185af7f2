"""Every attack, as a submission among honest ones, graded by the real command in each environment:
what it gets, and what it costs others, is looked at from outside."""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable

import pytest

from .attack import KINDS, Attack
from .attacked import ATTACKED
from .corpus import attacks
from .environments import ENVIRONMENTS, OWN, Environment
from .oracles import OF_AN_ATTACK, OF_AN_ENVIRONMENT, Outcome, found_by

OTHERS = [one for one in ENVIRONMENTS.values() if one != OWN]


@functools.cache
def _few() -> set[str]:
    """The first attacks of each kind, which run when `make attacks` is not asked for all."""
    counted: Counter[tuple[str, str]] = Counter()
    found: dict[str, list[str]] = {name: [] for name in ATTACKED}
    for attack in attacks():
        counted[attack.assignment, attack.kind] += 1
        of, names = ATTACKED[attack.assignment], found[attack.assignment]
        if counted[attack.assignment, attack.kind] <= of.quick and len(names) < of.quick_in_all:
            names.append(attack.name)
    return {name for names in found.values() for name in names}


def _marks(environment: Environment, attack: Attack) -> list[pytest.MarkDecorator]:
    elsewhere = attack.where and not sys.platform.startswith(attack.where)
    marks = [pytest.mark.skip(f"for {attack.where}")] if elsewhere else []
    if attack.name not in _few():
        return [*marks, pytest.mark.slow, pytest.mark.attacks]
    return marks if environment == OWN else [*marks, pytest.mark.slow]


CASES = [
    pytest.param(one, attack, id=f"{one.name}-{attack.case}", marks=_marks(one, attack))
    for one in (OWN, *OTHERS)
    for attack in attacks()
]
PLACES = [
    pytest.param(one, id=one.name, marks=[] if one == OWN else [pytest.mark.slow])
    for one in (OWN, *OTHERS)
]
CLASSES = [
    pytest.param(one, name, id=f"{one.name}-{name}", marks=[] if one == OWN else [pytest.mark.slow])
    for one in (OWN, *OTHERS)
    for name in ATTACKED
]
Graded = Callable[[Environment, str], Outcome]


@pytest.mark.parametrize(("environment", "attack"), CASES)
def test_an_attack_gets_nothing(graded: Graded, environment, attack):
    """Neither points beyond its honest part's, nor secrets, nor words, nor a crash of ours."""
    outcome = graded(environment, attack.assignment)

    assert not found_by(OF_AN_ATTACK, outcome, attack)


@pytest.mark.parametrize("oracle", OF_AN_ENVIRONMENT, ids=lambda oracle: oracle.__name__)
@pytest.mark.parametrize(("environment", "assignment"), CLASSES)
def test_a_class_of_attacks_costs_nobody_anything(graded: Graded, environment, assignment, oracle):
    """Honest submissions, the course, the machine and the grader are as after any class."""
    assert not oracle(graded(environment, assignment))


@pytest.mark.parametrize("environment", PLACES)
def test_each_environment_promises_all_that_is_demanded(doctor, environment):
    """The attacks are graded where the machine itself says that it is strong enough."""
    said = doctor(environment)

    assert "promise: strong" in said
    assert not [layer for layer in environment.missing if layer in said.partition("; not")[0]]


def test_the_corpus_has_every_kind_of_attack():
    """At least seventy, of all the ways that were thought of."""
    assert {attack.kind for attack in attacks()} == KINDS.keys()
    assert len(attacks()) >= 70
    assert {attack.assignment for attack in attacks()} == ATTACKED.keys()
