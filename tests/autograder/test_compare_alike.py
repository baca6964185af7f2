"""Whether two values are the same, and how far one is off: `alike` and `excess`."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.compare import TOLERANCES, Axes, Returned, alike, check_values, excess
from autograder.wire import Foreign

ONE = Axes(("x",), {"x": ("...", "n")}, (Returned("", ("...", "n")),))
WIDE = (np.ones(2),)
NAN = float("nan")
numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
arrays = hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=4), elements=numbers)
odd = hnp.arrays(
    np.float64, (3,), elements=st.sampled_from([0.0, 1.0, 2.0, math.inf, -math.inf, NAN])
)
scalars = st.sampled_from([None, True, 0, 1, 1.0, NAN, "a", "b", np.float32(1), np.int64(1)])
values = st.recursive(
    scalars | arrays | odd | st.sampled_from([np.ones(3, dtype) for dtype in "?bilBefdFD"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from("ab"), inner)
    ),
    max_leaves=4,
)


def same(got, other, arguments=WIDE):
    return alike(got, other, arguments, ONE)


def off(got, expected, arguments=WIDE):
    return excess(got, expected, arguments, ONE)


@given(values)
def test_every_value_is_the_same_as_itself(value):
    """With its infinities and NaN, in containers too, and it is off by nothing."""
    assert same(value, value)
    assert off(value, value, ())[0] == 0


@given(values, values)
def test_what_one_value_is_to_another_that_is_it_to_the_first(one, other):
    """Who stands on which side decides nothing but the last digits."""
    assert same(one, other) == same(other, one)


@given(values, values)
def test_more_than_the_bound_is_wrong_and_nothing_else_is(got, expected):
    """`excess` measures what `check_values` judges, for all values and forms."""
    measured, dtype = off(got, expected)

    assert (measured > 1) == (check_values(got, expected, WIDE, ONE, hidden=True) is not None)
    assert dtype in {"", *TOLERANCES}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(expected=arrays, multiple=st.sampled_from([0.5, 1, 2]), sign=st.sampled_from([-1, 1]))
def test_a_multiple_of_the_bound_is_measured_as_such(dtype, expected, multiple, sign):
    """By the narrowest argument's dtype: half a bound is right, twice is not."""
    tolerance = TOLERANCES[dtype]
    largest = np.abs(expected).max() or 1.0
    allowed = tolerance.relative * np.abs(expected) + tolerance.of_largest * largest
    arguments = (np.ones(2, dtype),)
    got = expected + sign * multiple * allowed

    measured, judged = off(got, expected, arguments)

    assert judged == dtype
    assert measured == pytest.approx(multiple, rel=1e-3)
    assert multiple == 1 or same(got, expected, arguments) == (multiple < 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.ones((3, 1)), np.ones((1, 3))),
        (np.ones(3), np.ones((1, 3))),
        (np.ones(3), 1.0),
        (np.ones(3), [1.0, 1.0, 1.0]),
        (np.ones(3), np.ones(3, int)),
        (np.ones(3), np.ones(3, np.float32)),
        (np.ones(3), np.ones(3, complex)),
        (np.ones(3, int), np.ones(3, bool)),
        (1, True),
        (1, 1.0),
        (0.0, None),
        ("1", 1),
        ([1.0], [1.0, 1.0]),
        ({"a": 1}, {"b": 1}),
        (np.array([NAN, 1]), np.array([1, NAN])),
        (np.array([math.inf]), np.array([-math.inf])),
        (np.array([1e300]), np.array([math.inf])),
        (Foreign("a set"), np.ones(3)),
        (10**15, 10**15 + 1),
    ],
)
def test_what_differs_in_more_than_digits_is_not_the_same(one, other):
    """Shape, container, kind and width of numbers, and where NaN and infinities stand."""
    assert not same(one, other)
    assert isinstance(one, Foreign) or not same(other, one)


@pytest.mark.parametrize(
    ("got", "expected", "found"),
    [
        (10**15, 10**15 + 1, (math.inf, "")),
        (np.arange(3), np.arange(3), (0, "")),
        (True, False, (math.inf, "")),
        ("yes", "no", (math.inf, "")),
        ((np.ones(2, np.float32), 5), (np.ones(2), 5), (0, "float32")),
        (
            (np.array([2.0]), np.ones(2, np.float32)),
            (np.ones(1), np.ones(2)),
            (1 / 1.1e-9, "float64"),
        ),
        (np.array([0, 1e-320]), np.array([0, 2e-320]), (math.inf, "float64")),
        (np.array([0, 2e-320]), np.array([0, 2e-320]), (0, "float64")),
    ],
)
def test_the_measure_is_that_of_the_number_that_is_most_off(got, expected, found):
    """What has to be equal has no measure: it is right, or off without bounds."""
    measured, dtype = off(got, expected, ())

    assert (measured, dtype) == (pytest.approx(found[0]), found[1])


def test_what_no_reference_may_return_cannot_be_compared():
    """It is said, not taken for another value."""
    with pytest.raises(TypeError, match="cannot be compared"):
        same(np.ones(3), Foreign("a set"))
