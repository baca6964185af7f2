"""No value that a worker can send makes the comparison raise, warn, or say too much."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograder.compare import (
    TOLERANCES,
    Axes,
    Returned,
    alike,
    check_form,
    check_unmodified,
    check_values,
    excess,
)
from autograder.wire import FOREIGN_KINDS, Foreign

from .fuzzing import carried, examples

AXES = Axes(
    ("q", "k"),
    {"q": ("...", "n_q", "d_k"), "k": ("...", "n_k", "d_k")},
    (Returned("", ("...", "n_q", "n_k")),),
)
ARGUMENTS = [np.ones((2, 5, 3)), np.ones((2, 7, 3))]
EXPECTED = [
    np.arange(70.0).reshape(2, 5, 7),
    np.full((2, 5, 7), -np.inf),
    np.zeros((0, 7)),
    np.ones((3, 3), bool),
    np.eye(4, dtype=int),
    (np.ones((2, 3)), np.zeros((2, 3))),
    {"a": [1.0, 2.0], "b": None},
    [0.5, 0.25],
    "recurrent",
    1.5,
    2**70,
    True,
    None,
]
DTYPES = arrays.scalar_dtypes() | arrays.unicode_string_dtypes() | arrays.byte_string_dtypes()
ARRAYS = arrays.arrays(DTYPES, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=7))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | ARRAYS
    | st.sampled_from(FOREIGN_KINDS).map(Foreign)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.sampled_from("abc"), inner)
    ),
    max_leaves=8,
)
HIDDEN_WORDS = re.compile(r"[A-Za-z0-9_ .,;:?()'=-]*\Z")


def deep(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


EXTREME = [
    np.zeros((1,) * 30),
    np.zeros((0, 2**40)),
    np.broadcast_to(np.float64(1), (2**20, 2**20)),
    np.array(["\u202eevil\n" * 9] * 3),
    np.array([object()]),
    np.array([(1, 2)], dtype="i4,f8"),
    np.array("2024-01-01", "datetime64[D]"),
    np.array([2e4000], np.longdouble) if np.finfo(np.longdouble).max > 1e309 else np.zeros(1),
    10**5000,
    -(10**5000),
    "x" * 65_536,
    "\ud800",
    deep(900),
    [0] * 20_000,
    {f"k{index}": "\x1b[2J" for index in range(100)},
]


def assert_quiet(got, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for hidden in (True, False):
            for check in (check_form, check_values):
                found = check(got, expected, ARGUMENTS, AXES, hidden=hidden)
                if found is not None:
                    assert len(found.detail) <= 2_000
                    assert len(found.message) <= 600
                    assert found.detail.isascii()
                    assert not hidden or HIDDEN_WORDS.match(found.message)
        check_unmodified([expected], [got], AXES)
        nearly = alike(got, expected, ARGUMENTS, AXES, any_width=True)
        assert nearly or not alike(got, expected, ARGUMENTS, AXES)
        measured, dtype = excess(got, expected, ARGUMENTS, AXES)
        assert measured >= 0
        assert dtype in {"", *TOLERANCES}


@examples(150)
@given(VALUES | carried, st.sampled_from(EXPECTED))
def test_any_value_gets_a_quiet_bounded_verdict(got, expected):
    """Whatever comes over the wire: no exception, no warning, bounded and plain words."""
    assert_quiet(got, expected)


def holds_words_alone(value):
    """Whether something in it stands for what could not be sent."""
    if isinstance(value, list | tuple | dict):
        return any(map(holds_words_alone, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Foreign)


@examples(100)
@given(carried, carried)
def test_any_two_values_are_alike_or_not_unless_one_was_never_sent(got, other):
    """As the diagnosis asks of a student's value and a mistake's, which no reference gave."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for measure in (alike, excess):
            try:
                measure(got, other, ARGUMENTS, AXES)
            except TypeError as error:
                told = str(error)
            else:
                continue
            assert "cannot be compared" in told
            assert holds_words_alone(other)


@pytest.mark.parametrize("got", EXTREME, ids=range(len(EXTREME)))
def test_extreme_values_get_a_quiet_bounded_verdict(got):
    """Thirty axes, empty and enormous shapes, foreign dtypes, huge integers and deep lists."""
    for expected in EXPECTED:
        assert_quiet(got, expected)


@examples(100)
@given(arrays.arrays(np.float64, (2, 5, 7), elements=st.floats(width=64)))
def test_hidden_words_come_from_a_short_list(got):
    """A student who chooses the values chooses among few messages, none with a digit."""
    found = check_values(got, EXPECTED[0], ARGUMENTS, AXES, hidden=True)

    assert found is None or not re.search(r"[02-9]", found.message)


@examples(100)
@given(arrays.array_shapes(min_dims=0, max_dims=6, min_side=0, max_side=9))
def test_a_shape_carries_out_names_only(shape):
    """No size that a student chose comes back, and only axes that the docstring names."""
    found = check_form(np.zeros(shape), EXPECTED[0], ARGUMENTS, AXES, hidden=True)

    if found is not None:
        assert not re.search(r"\d", found.message)
        named = set(re.findall(r"\b[a-z]_[a-z]\b", found.message))
        assert named <= {"n_q", "n_k", "d_k"}
