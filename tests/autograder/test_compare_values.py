"""The values: one table of tolerances, and a relation where one is seen."""

import re

import numpy as np
import pytest
import torch

from autograder.compare import TOLERANCES, Axes, Returned, check_values

ROWS = Axes(("x",), {"x": ("...", "n", "d")}, (Returned("", ("...", "n", "d")),))


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def values(got, expected, arguments=(), axes=ROWS, hidden=True):
    return check_values(got, expected, arguments, axes, hidden=hidden)


def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_rounding_is_right_and_a_real_difference_is_not(rng, dtype):
    """Within a dtype's own rounding nothing is lost; ten times the tolerance is seen."""
    arguments = [rng.normal(size=(5, 3)).astype(dtype)]
    expected = rng.uniform(1, 2, size=(5, 3)).astype(dtype)
    tolerance = TOLERANCES[dtype]

    rounded = expected * (1 + 2 * np.finfo(dtype).eps)
    shifted = expected.astype(float) + 10 * (tolerance.relative + tolerance.of_largest) * 2

    assert values(rounded.astype(dtype), expected, arguments) is None
    assert values(shifted, expected, arguments).kind == "values"


def test_the_narrowest_floating_argument_sets_the_tolerance(rng):
    """float32 in, float64 out is held to float32; without floating arguments, to its own dtype."""
    narrow = [np.ones((2, 2), np.float32), np.ones((2, 2))]
    expected = rng.normal(size=(4, 3))
    got = expected * (1 + 1e-6)

    assert values(got, expected, narrow) is None
    assert values(got, expected, [np.ones((2, 2), int)]).kind == "values"
    assert values(got.astype(np.float32), expected, [np.ones((2, 2), int)]) is None


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16"])
def test_a_dtype_that_is_asked_for_sets_the_tolerance(rng, name):
    """A function that makes numbers of a given dtype is held to that dtype."""
    expected = torch.from_numpy(rng.uniform(1, 2, size=(4, 3))).to(getattr(torch, name))
    tolerance = TOLERANCES[name]
    off = 1 + 0.8 * (tolerance.relative + tolerance.of_largest)

    assert values(expected * off, expected, [3, getattr(torch, name)]) is None
    assert values(expected + 9 * (off - 1), expected, [3, getattr(torch, name)]).kind == "values"


@pytest.mark.parametrize("shape", [(1, 3), (3,), (5, 1), ()])
def test_nothing_is_ever_broadcast(shape):
    """A value that would broadcast to the right one has the wrong form."""
    found = values(np.ones(shape), np.ones((5, 3)))

    assert found.kind in {"shape", "structure"}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_student_does_not_choose_to_be_judged_loosely(dtype):
    """Without a floating-point argument a result may be single precision, and no vaguer."""
    arguments = (np.arange(6).reshape(2, 3),)
    expected = np.arange(1.0, 7.0).reshape(2, 3)

    exact = values(expected.astype(dtype), expected, arguments)
    off = values((expected * 1.008).astype(dtype), expected, arguments)

    assert exact is None
    assert off is not None


def test_infinities_and_nan_belong_where_they_are_expected():
    """(−inf, 0, 0) is the empty partial result; elsewhere, or of the other sign, it is wrong."""
    expected = np.array([-np.inf, np.nan, np.inf, 1.0])

    assert values(expected.copy(), expected) is None
    assert values(np.array([np.inf, np.nan, np.inf, 1.0]), expected).kind == "values"
    assert values(np.array([-1e300, np.nan, np.inf, 1.0]), expected).kind == "values"
    assert values(np.array([-np.inf, -np.inf, np.inf, 1.0]), expected).kind == "values"
    assert values(np.array([np.nan, np.nan, np.inf, 1.0]), expected).kind == "values"


def test_integers_truth_values_and_text_have_to_be_equal():
    """No tolerance applies where nothing is rounded."""
    large = np.array([2**62, 2**62 + 1])

    assert values(large.copy(), large) is None
    assert values(large + 1, large).kind == "values"
    assert values(np.array([1, 2], np.uint64), np.array([1, 2])) is None
    assert values(7, 8).kind == "values"
    assert values(7.0, 7) is None
    assert values(True, False).message.startswith("You answer the other way round.")
    assert values("self-attention", "recurrent").kind == "values"


def test_all_zero_is_reached_up_to_rounding():
    """Where everything is 0 there is no largest value; rounding is then measured against 1."""
    assert values(np.full((2, 2), 1e-12), np.zeros((2, 2))) is None
    assert values(np.full((2, 2), 1e-6), np.zeros((2, 2))).kind == "values"


SEEN = {
    "transposed": lambda e: np.swapaxes(e, -1, -2),
    "opposite sign": lambda e: -e,
    "common factor": lambda e: e * 3,
    "rows in another order": lambda e: e[..., ::-1, :],
    "columns in another order": lambda e: np.roll(e, 1, axis=-1),
    "only the first of the batch": lambda e: np.concatenate([e[:1], e[:1] ** 2, e[:1] ** 2]),
    "only the last row": lambda e: np.concatenate([e[:, :-1] ** 2, e[:, -1:]], axis=1),
    "only the first row": lambda e: np.concatenate([e[:, :1], e[:, 1:] ** 2], axis=1),
    "none seen": lambda e: np.concatenate([e[:, :1] ** 2, e[:, 1:]], axis=1),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_relation_is_named_when_one_is_seen(rng, name):
    """The symptom is the relation to the right values; a square batch shows each of them."""
    expected = rng.normal(size=(3, 4, 4))

    found = values(SEEN[name](expected), expected)

    assert found.detail.endswith(f"seen: {name}")
    assert found.message.endswith("?")
    assert not re.search(r"[02-9]", found.message)


SCALED = Axes(
    ("scores", "d_k"), {"scores": ("...", "n_q", "n_k")}, (Returned("", ("...", "n_q", "n_k")),)
)
FACTORS = {
    "the expected ones times the root of d_k": 7**0.5,
    "the expected ones divided by the root of d_k": 7**-0.5,
    "the expected ones times n_k": 3,
    "the expected ones divided by n_q": 1 / 5,
    "twice the expected ones": 2,
    "half the expected ones": 0.5,
}


def scaled(rng, factor, sizes=(5, 3, 7), dtype=float, hidden=True, named=True):
    """What is said of values that are off by a factor, where (n_q, n_k, d_k) are these sizes."""
    n_q, n_k, d_k = sizes
    scores = rng.normal(size=(2, n_q, n_k)).astype(dtype)
    arguments = {"scores": scores, "d_k": d_k} if named else (scores, d_k)
    got, expected = (factor * scores).astype(dtype), scores
    return values(got, expected, arguments, SCALED, hidden=hidden).message


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("words", FACTORS)
def test_one_common_factor_is_said_in_the_words_of_a_formula(rng, words, dtype):
    """A size by the name of its axis or argument, or its root; a hidden check says no number."""
    for named in (True, False):
        hidden = scaled(rng, FACTORS[words], dtype=dtype, named=named)

        assert hidden.startswith(f"All your values are {words}. ")
        assert hidden.endswith("?")
        assert not re.search(r"\d", hidden)


@pytest.mark.parametrize(
    ("factor", "sizes"),
    [
        (3, (5, 4, 7)),  # no size of these
        (-(7**0.5), (5, 3, 7)),
        (7**0.5, (7, 3, 7)),  # of n_q and of d_k
        (2, (5, 3, 4)),  # two, and the root of d_k
        (1 / 3, (9, 3, 5)),  # by n_k, and by the root of n_q
        (1.001 * 7**0.5, (5, 3, 7)),
    ],
)
def test_a_factor_that_fits_no_form_or_several_is_not_put_into_words(rng, factor, sizes):
    """Nobody is sent after the wrong size."""
    said = scaled(rng, factor, sizes)

    assert said.startswith("All your values are off by one common factor. ")


def test_a_public_check_gives_the_factor_as_well(rng):
    """Beside the words, which are the hidden check's."""
    public, hidden = (scaled(np.random.default_rng(5), 0.5, hidden=one) for one in (False, True))

    assert public.startswith(hidden)
    assert "Yours is 0.5 times the expected one." in public


def test_weights_that_do_not_sum_to_one_are_told_apart(rng):
    """Softmax over the queries, and scaling after the softmax, are two symptoms."""
    scores = rng.normal(size=(2, 4, 4))
    expected = softmax(scores)

    columns = values(softmax(scores, axis=-2), expected)
    after = values(expected / np.sqrt(3), expected)
    twice = values(softmax(expected), expected)
    expected[:, 0] = 0  # a query that sees no key
    unseen = values(expected / 2, expected)

    assert columns.detail.endswith("seen: columns sum to 1")
    assert after.detail.endswith("seen: rows do not sum to 1")
    assert twice.detail.endswith("seen: none seen")
    assert unseen.detail.endswith("seen: rows do not sum to 1")


def test_an_inverted_mask_is_seen(rng):
    """True = may attend; the other convention gives every value the other way round."""
    expected = rng.random((4, 6)) > 0.3

    assert values(~expected, expected).detail.endswith("seen: inverted")


def test_results_in_each_others_place_are_named(rng):
    """K where V belongs is said by name, when they are of one shape."""
    axes = Axes(returns=(Returned("q", ("n", "d")), Returned("k", ("n", "d"))))
    q, k = rng.normal(size=(2, 4, 3))

    found = values((k, q), (q, k), axes=axes)

    assert found.message == "q: yours is what k should be. In which order are the results returned?"


def test_values_stand_in_public_messages_only(rng):
    """A public check may say where, what and what instead; a hidden one never does."""
    expected = np.array([[2.0, 4.0, 6.5]])

    public = values(expected * 1.5, expected, hidden=False).message
    hidden = values(expected * 1.5, expected, hidden=True).message

    assert "At [0, 0] yours is 3, expected 2. Yours is 1.5 times the expected one." in public
    assert public.startswith(hidden)
    assert not re.search(r"\d", hidden)
