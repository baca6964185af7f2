"""How much room the tolerances leave, from what known answers gave."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from autograder import wire
from autograder.compare import TOLERANCES
from autograder.grading.check import Check
from autograder.grading.mistakes import Mistake, Variant
from autograder.grading.observation import Observation
from autograder.handout import Problem
from autograder.sandbox import Answer
from autograder.verify.errors import errors_of
from autograder.verify.margins import (
    Margin,
    margin_problems,
    margins_of,
    stale_mild,
    stale_narrow,
)
from autograder.verify.records import Mild, Narrow


def trial(name: str, *errors, kills: str = ""):
    """A trial of a variant, or of a mistake that these checks see."""
    words = {"name": name, "question": "q", "function": "f", "call": lambda x: x}
    known = Mistake(kind="k", symptom="Why?", answer="A", **words) if kills else Variant(**words)
    killers = [SimpleNamespace(name=check) for check in kills.split()]
    return SimpleNamespace(answer=known, killers=killers, errors=list(errors))


def margin(dtype: str, variant: float, mistake: float | None = None) -> Margin:
    """A check's room."""
    return Margin(check="q/a", dtype=dtype, variant=variant, mistake=mistake, mildest="m")


def observed(check: str, got, x=1.0) -> Observation:
    """One call of `f`, which doubles."""
    graded = Check("demo", "q", check, 1, "hidden", False, Path("test_q.py"))
    return Observation(graded, "f", (np.full(2, x),), {}, Answer(got, [], "") if got else None)


def test_the_worst_right_answer_and_the_mildest_wrong_one_decide():
    """By check and dtype; a mistake counts where the check sees it, and sees it by values."""
    found = margins_of(
        [
            trial("v1", ("q/a", "float64", 1e-4), ("q/a", "float32", 0.2)),
            trial("v2", ("q/a", "float64", 3e-4)),
            trial("m1", ("q/a", "float64", 5e5), ("q/b", "float64", 40.0), kills="a b"),
            trial("m2", ("q/a", "float64", 2e5), ("q/b", "float64", 9.0), kills="a"),
            trial("m3", ("q/a", "float64", 0.5), ("p/a", "float64", 7.0), kills="a"),
        ]
    )

    assert [(one.check, one.dtype, one.variant, one.mistake, one.mildest) for one in found] == [
        ("q/a", "float32", 0.2, None, ""),
        ("q/a", "float64", 3e-4, 2e5, "m2"),
        ("q/b", "float64", 0.0, 40.0, "m1"),
    ]


@pytest.mark.parametrize(
    ("room", "is_narrow"),
    [
        (margin("float64", 0.01, 100), False),
        (margin("float64", 0.011, 100), True),
        (margin("float64", 0, 99), True),
        (margin("float64", 0.01), False),
        (margin("float32", 0.1, 10), False),
        (margin("float32", 0.11, 10), True),
        (margin("float32", 0.1, 9.9), True),
        (margin("float16", 1.0, 1.1), False),
        (margin("float16", 1.1, 1.1), True),
    ],
)
def test_a_check_with_too_little_room_on_either_side_is_named(room, is_narrow):
    """A hundredfold in float64, tenfold in float32; half types only have to pass right answers."""
    problems = list(margin_problems("demo", [room], []))

    assert room.is_narrow == is_narrow
    said = [(one.where, room.dtype in one.what, "demo/narrow.toml" in one.fix) for one in problems]
    assert said == [("tests/demo: q/a", True, True)] * is_narrow


def test_a_check_that_cannot_have_the_room_may_say_why():
    """For one dtype of one check: the others have no reason."""
    rooms = [margin("float64", 0.02), margin("float32", 0.2)]

    problems = margin_problems("demo", rooms, [Narrow("q/a", "float64", "It is.")])

    assert ["float32" in one.what for one in problems] == [True]


def test_a_mistake_that_is_mild_by_its_nature_narrows_no_check():
    """The check keeps the room that it has with all the others."""
    trials = [
        trial("m1", ("q/a", "float64", 5.0), kills="a"),
        trial("m2", ("q/a", "float64", 5e5), kills="a"),
    ]

    (room,) = margins_of(trials, [Mild("q", "m1", "It is.")])

    assert (room.mistake, room.mildest) == (5e5, "m2")


@pytest.mark.parametrize(
    ("check", "dtype", "said"),
    [
        ("q/a", "float64", None),
        ("q/b", "float64", "there is no check 'q/b'"),
        ("q/a", "float32", "'q/a' judges no known answer as 'float32'"),
    ],
)
def test_a_record_of_room_that_there_is_not_is_stale(check, dtype, said):
    """It is named with its file, and what to do."""
    rooms = [margin("float64", 0.02)]

    problems = list(stale_narrow("demo", ["q/a"], rooms, [Narrow(check, dtype, "It is.")]))

    what = f"stale record: {said}"
    fix = "take the record out, or correct it."
    assert problems == ([Problem("tests/demo/narrow.toml", what, fix)] if said else [])


@pytest.mark.parametrize(
    ("question", "mistake", "said"),
    [
        ("q", "mild", None),
        ("q", "m", "there is no mistake 'm' in 'q'"),
        ("p", "mild", "there is no mistake 'mild' in 'p'"),
        ("q", "plain", "'plain' is off by enough wherever a check sees it by values"),
        ("q", "raises", "'raises' is off by enough wherever a check sees it by values"),
    ],
)
def test_a_record_of_a_mistake_that_is_not_mild_is_stale(question, mistake, said):
    """One that raises is off by no multiple."""
    trials = [
        trial("mild", ("q/a", "float64", 5e5), ("q/b", "float64", 5.0), kills="a b"),
        trial("plain", ("q/a", "float64", 5e5), ("q/b", "float64", 0.5), kills="a"),
        trial("raises", kills="a"),
    ]

    problems = list(stale_mild("demo", trials, [Mild(question, mistake, "It is.")]))

    wanted = [("tests/demo/mild.toml", f"stale record: {said}")] if said else []
    assert [(one.where, one.what) for one in problems] == wanted


def test_errors_are_the_largest_by_check_and_bounds_do_not_judge_form():
    """Another shape, NaN, or nothing at all is off by no multiple."""
    bound = TOLERANCES["float64"].relative * 2 + TOLERANCES["float64"].of_largest * 2
    seen = [
        observed("a", [2, 2]),
        *(observed("a", None), observed("b", None)),
        observed("c", (np.full(2, 2.0),)),
    ]
    values = [np.full(2, 2 + 3 * bound), np.full(2, 2.0), np.full(3, 2.0), np.array([2, np.nan])]
    for value in values:
        graded = seen[0].check
        seen.append(Observation(graded, "f", (np.ones(2),), {}, Answer(value, [], "")))

    def doubles(x):
        return 2 * x

    assert errors_of(seen, SimpleNamespace(f=doubles)) == [
        ("q/a", "float64", pytest.approx(3, rel=1e-3))
    ]


def test_a_layer_is_off_as_a_function_is():
    """It is constructed, and has the weights of the call."""
    how = wire.How(construct=(2,), weights={"weight": torch.full((2,), 3.0, dtype=torch.float64)})
    bound = TOLERANCES["float64"].relative + TOLERANCES["float64"].of_largest
    x = torch.ones(2, dtype=torch.float64)
    graded = observed("a", None).check
    answer = Answer(3 * x * (1 + 5 * bound), [], "")

    found = errors_of(
        [Observation(graded, "f", (x,), {}, answer, how=how)], SimpleNamespace(f=Scales)
    )

    assert found == [("q/a", "float64", pytest.approx(5, rel=1e-3))]


class Scales(torch.nn.Module):
    """Multiplies each feature by a weight."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(d))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x times the weights."""
        return x * self.weight


def test_a_check_on_whose_inputs_the_reference_fails_has_no_errors():
    """That it is broken is said elsewhere; the others have theirs."""

    def fails(x):
        if x[0] == 1:
            raise ValueError
        return [2.0, 2.0]

    seen = [observed("a", [2.0, 2.0]), observed("b", [2.0, 2.0], x=3.0)]

    assert [place for place, _, _ in errors_of(seen, SimpleNamespace(f=fails))] == ["q/b"]
