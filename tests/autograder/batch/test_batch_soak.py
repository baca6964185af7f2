"""A class with attackers in it: they leave nothing behind, and honest submissions do not notice.

`python benchmarks/soak.py` does the same with thousands, and looks at speed.
"""

from __future__ import annotations

import dataclasses
import secrets

import pytest

from autograder.sandbox import LINUX
from benchmarks.soak import Graded, Soaked, places_of, soak, worst_attacks

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(not LINUX, reason="looks into /proc"),
]
SEED = secrets.randbits(32)
SUBMISSIONS, SHARE = 24, 1 / 3
WORST = {
    "d_fork_bomb",
    "d_giant_stdout",
    "d_infinite_loop",
    "d_memory_bomb",
    "d_os_exit_in_a_call",
    "d_thread_bomb",
    "p_forged_reply",
    "t_kills_the_grader",
}


@pytest.fixture(scope="module")
def soaked(tmp_path_factory):
    """Both classes, graded; nobody changes it."""
    worst = [attack for attack in worst_attacks() if attack.name in WORST]
    attackers = places_of(worst, SUBMISSIONS, SHARE, SEED)
    return soak(tmp_path_factory.mktemp("soak"), SUBMISSIONS, attackers, SEED)


def test_attackers_leave_nothing_and_honest_submissions_do_not_notice(soaked):
    """No process, descriptor, file or memory; the same scores in the same order."""
    assert {name.partition("-")[2] for name in soaked.attackers} == WORST
    assert len(soaked.mixed.held.results) == SUBMISSIONS
    assert soaked.problems() == [], f"seed {SEED}"


def left(graded: Graded, **changes: object) -> Graded:
    ran = dataclasses.replace(graded.ran, left={**graded.ran.left, **changes})
    return dataclasses.replace(graded, ran=ran)


def held(graded: Graded, **changes: object) -> Graded:
    return dataclasses.replace(graded, held=dataclasses.replace(graded.held, **changes))


def growing(graded: Graded, field: str, by: int) -> Graded:
    samples = [
        dataclasses.replace(sample, **{field: getattr(sample, field) + by * number})
        for number, sample in enumerate(graded.samples * 4)
    ]
    return dataclasses.replace(graded, samples=samples)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda mixed: left(mixed, processes=["7"]), "processes left: ['7']"),
        (lambda mixed: left(mixed, files=["/tmp/a"]), "files left: ['/tmp/a']"),
        (lambda mixed: left(mixed, queues=["shm: 1"]), "queues left: ['shm: 1']"),
        (lambda mixed: left(mixed, status=1), "it ended with 1"),
        (lambda mixed: growing(mixed, "rss", 1), "memory grew by"),
        (lambda mixed: growing(mixed, "descriptors", 1), "descriptors grew by"),
        (lambda mixed: growing(mixed, "base_rss", 1), "base process, memory grew by"),
        (lambda mixed: held(mixed, results={}), "another result than alone: "),
        (lambda mixed: held(mixed, scores={"a": None}), "no score: a"),
        (lambda mixed: held(mixed, litter=["a.tmp"]), "half-written: a.tmp"),
        (lambda mixed: dataclasses.replace(mixed, rows=mixed.rows[::-1]), "another order"),
    ],
)
def test_what_attackers_leave_is_seen(soaked, change, said):
    """The judge is not blind."""
    spoilt = Soaked(soaked.alone, change(soaked.mixed), soaked.attackers)

    assert any(said in problem for problem in spoilt.problems())


def test_what_attackers_cost_is_seen(soaked):
    """Their waiting aside; everything else counts."""
    slow = left(soaked.mixed, seconds=10 * soaked.alone.seconds + soaked.waiting)

    assert Soaked(soaked.alone, slow, soaked.attackers).slowness()
