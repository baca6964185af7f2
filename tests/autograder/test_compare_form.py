"""The form of a value: structure, then shape, then dtype, then finite."""

import re

import numpy as np
import pytest

from autograder.compare import Axes, axes_of, check_form, check_values
from autograder.wire import FOREIGN_KINDS, Foreign


def scores(q, k):
    """Args:
        q: (..., n_q, d_k), queries.
        k: (..., n_k, d_k), keys.

    Returns:
        (..., n_q, n_k), scores.
    """
    return q @ np.swapaxes(k, -1, -2)


def project(x, w_q, w_k, w_v):
    """Args:
        x: (..., n, d_model), tokens.
        w_q: (d_model, d_k), weights.
        w_k: (d_model, d_k), weights.
        w_v: (d_model, d_v), weights.

    Returns:
        q: (..., n, d_k), queries.
        k: (..., n, d_k), keys.
        v: (..., n, d_v), values.
    """
    return x @ w_q, x @ w_k, x @ w_v


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture(params=[(), (2,), (2, 4)], ids=["no batch", "batch", "two batch axes"])
def qk(request, rng):
    return rng.normal(size=(*request.param, 5, 3)), rng.normal(size=(*request.param, 7, 3))


@pytest.fixture
def projection(rng):
    arguments = [rng.normal(size=shape) for shape in [(5, 6), (6, 3), (6, 3), (6, 2)]]
    return arguments, project(*arguments)


def form(got, expected, arguments=(), function=scores, hidden=True):
    return check_form(got, expected, arguments, axes_of(function), hidden=hidden)


def test_the_expected_value_has_the_expected_form(qk):
    """The reference's own value is right, and a copy of it in a wider dtype is too."""
    expected = scores(*qk)

    assert form(expected.copy(), expected, qk) is None
    assert form(expected.astype(np.longdouble), expected, qk) is None


def test_transposed_shapes_are_said_with_the_axes_names(qk):
    """The transpose is named as one, and the question is about the rows."""
    expected = scores(*qk)

    found = form(np.swapaxes(expected, -1, -2), expected, qk)

    dots = "..., " if qk[0].ndim > 2 else ""
    assert found.kind == "shape"
    assert found.message == (
        f"Yours is ({dots}n_k, n_q), the transpose of ({dots}n_q, n_k). "
        "Which argument should the rows come from?"
    )
    assert "n_q=5" in found.detail


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((5, 3), "Yours is (n_q, d_k); (n_q, n_k) is expected. Which argument should the columns"),
        ((7, 7), "Yours is (n_k, n_k); (n_q, n_k) is expected. Which argument should the rows"),
        ((3, 3), "Yours is (d_k, d_k); (n_q, n_k) is expected. Which axes are summed over"),
        (
            (5, 9),
            "Yours is (n_q, ?) (? is an axis that is none of these: n_q, n_k, d_k); (n_q, n_k",
        ),
        ((5,), "Yours has too few axes: (n_q, n_k) is expected."),
        ((5, 7, 1), "Yours has too many axes: (n_q, n_k) is expected."),
        ((0, 2**20), "Yours is (?, ?)"),
    ],
)
def test_a_wrong_shape_names_its_axes(rng, shape, words):
    """Sizes become names where the arguments have them; too few or too many axes are said."""
    q, k = rng.normal(size=(5, 3)), rng.normal(size=(7, 3))

    found = form(np.zeros(shape), scores(q, k), [q, k])

    assert found.message.startswith(words)


def test_lost_and_moved_batch_axes_are_said(rng):
    """A result of one element of the batch, or one whose batch axis moved, is told from others."""
    q, k = rng.normal(size=(2, 4, 5, 3)), rng.normal(size=(2, 4, 7, 3))
    expected = scores(q, k)

    lost = form(expected[0, 0], expected, [q, k])
    moved = form(np.swapaxes(expected, 0, 1), expected, [q, k])
    both = form(expected.reshape(4, 2, 5, 7)[..., :6], expected, [q, k])

    assert lost.message.startswith("Yours is (n_q, n_k), without the batch axes of (..., n_q, n_k)")
    assert moved.message.startswith("The batch axes of yours are not those of the arguments")
    assert both.message.startswith("Neither the batch axes of yours nor the ones after them")


def test_without_names_in_the_docstring_the_words_have_none():
    """A reference whose docstring names no axes still gets a symptom and a question."""
    found = [
        check_form(np.zeros(shape), np.zeros((5, 7)), [], Axes(), hidden=True).message
        for shape in [(7, 5), (5, 6), (5,)]
    ]

    assert found[0].startswith("Yours has the shape of the transpose of what is expected.")
    assert found[1].startswith("Yours does not have the expected shape.")
    assert found[2].startswith("Yours has too few axes. ")


def test_sizes_stand_in_public_messages_only(qk):
    """A public check may say sizes; a hidden one names axes."""
    expected = scores(*qk)

    public = form(np.zeros((11, 13)), expected, qk, hidden=False)
    hidden = form(np.zeros((11, 13)), expected, qk, hidden=True)

    assert "(11, 13)" in public.message
    assert not re.search(r"\d", hidden.message)
    assert "(11, 13)" in hidden.detail


def test_a_list_may_stand_for_a_tuple(projection):
    """Unpacking works with either, so either is right."""
    arguments, expected = projection

    assert form(list(expected), expected, arguments, project) is None
    assert (
        check_values(tuple(expected), list(expected), arguments, axes_of(project), hidden=True)
        is None
    )


@pytest.mark.parametrize(
    ("pick", "words"),
    [
        (lambda q, k, v: q, "You return one array; three are expected: q, k and v."),
        (lambda q, k, v: None, "You return nothing (None); three are expected: q, k and v."),
        (lambda q, k, v: (q, k), "You return too few values; three are expected: q, k and v."),
        (lambda q, k, v: [q] * 9, "You return too many values; three are expected: q, k and v."),
        (lambda q, k, v: (q, None, v), "k: you return nothing (None); an array is expected."),
        (lambda q, k, v: (q, k, [v]), "v: you return a list; an array is expected."),
        (
            lambda q, k, v: (q, k, k),
            "v: yours has the shape of q or k. Which of the results is it?",
        ),
        (lambda q, k, v: (q, v, k), "k: yours has the shape of v. Which of the results is it?"),
        (lambda q, k, v: (q[:, :1], k, v), "q: yours is (n, ?) (? is an axis that is none of"),
        (lambda q, k, v: (q, k, v.T), "v: yours is (d_v, n), the transpose of (n, d_v)."),
    ],
)
def test_results_that_are_missing_or_wrong_are_called_by_name(projection, pick, words):
    """Of several results, the words name the one they are about."""
    arguments, expected = projection

    found = form(pick(*expected), expected, arguments, project)

    assert found.message.startswith(words)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (None, "nothing (None)"),
        (True, "True or False"),
        (3, "a single number"),
        (np.float64(3), "a single number"),
        ("<script>", "text"),
        ([np.zeros((5, 7))], "a list"),
        ((), "a tuple"),
        ({"a": 1}, "a dictionary"),
        *[(Foreign(kind), kind) for kind in FOREIGN_KINDS],
        (Foreign("Alice's class"), "an object of another kind"),
    ],
)
def test_what_is_no_array_is_said_in_our_words(qk, got, words):
    """Every kind of value has words of ours; a name that a student chose is never said."""
    found = form(got, scores(*qk), qk)

    assert found.kind == "structure"
    assert found.message.startswith(f"You return {words}; an array is expected.")


def test_dictionaries_need_the_expected_entries():
    """Keys count, their order does not; the words of an entry name it."""
    expected = {"raw": 1.0, "scaled": np.ones(3)}

    assert form({"scaled": np.ones(3), "raw": 2.0}, expected) is None
    assert form({"raw": 1.0}, expected).kind == "structure"
    assert form({"raw": 1.0, "scaled": 1.0}, expected).message.startswith("scaled: you return")


def test_containers_inside_containers_are_walked():
    """Two partial results, each a tuple of arrays: the words name the outer one."""
    expected = ((np.ones(2), np.zeros(2)), np.ones(3))

    assert form([[np.ones(2), np.zeros(2)], np.ones(3)], expected) is None
    assert form(((np.ones(2),), np.ones(3)), expected).message == (
        "first value: you return too few values; two are expected. What should each of them be?"
    )
    assert form(((np.ones(2), np.ones(4)), np.ones(3)), expected).kind == "shape"


@pytest.mark.parametrize(
    ("expected", "accepted", "refused"),
    [
        (np.ones(3), "float32 float64", "int64 uint8 bool complex128 object str"),
        (np.ones(3, int), "float64 int8 uint64 int64", "bool complex128 object"),
        (np.ones(3, bool), "bool", "int64 float64 object"),
        (np.ones(3, complex), "complex64 complex128", "float64 bool"),
    ],
)
def test_the_kind_of_numbers_counts_not_the_width(expected, accepted, refused):
    """Floating point stays floating point; integers may become it; truth values are their own."""
    for dtype in accepted.split():
        assert form(np.ones(3).astype(dtype), expected) is None
    for dtype in refused.split():
        assert form(np.ones(3).astype(dtype), expected).kind == "dtype"


def test_never_narrower_than_the_widest_argument(rng):
    """Wider is right; narrower loses digits that came in, whichever argument brought them."""
    x, w = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(5, 3))
    expected = scores(x, w)

    narrow = form(expected.astype(np.float32), expected, [x, w])
    inside = form(expected.astype(np.float32), expected, {"pair": (x, [w])})

    assert narrow.kind == inside.kind == "dtype"
    assert narrow.message.startswith("Yours is narrower than")
    assert form(expected, expected.astype(np.float32), [x, x]) is None


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ((..., slice(None)), "All your values are NaN;"),
        ((slice(None), 1), "Whole rows of yours are NaN;"),
        ((0, 1, 2), "Some of your values are NaN;"),
        ((slice(None), slice(None), 2), "Some of your values are NaN;"),
    ],
)
def test_what_is_not_finite_is_said_by_its_place(rng, where, words):
    """Everything, whole rows, or some of it: no index and no size."""
    expected = rng.normal(size=(2, 3, 4))
    got = expected.copy()
    got[where] = np.nan

    found = check_form(got, expected, [], Axes(), hidden=True)

    assert found.message.startswith(words)


@pytest.mark.parametrize(
    ("value", "word"), [(np.nan, "NaN;"), (np.inf, "infinite;"), (-np.inf, "infinite;")]
)
def test_not_finite_where_the_expected_is(rng, value, word):
    """NaN passes `not error > tolerance`, so it is asked for by itself, and before closeness."""
    expected = rng.normal(size=(5, 7))
    got = expected.copy()
    got[1, 2] = value

    found = form(got, expected)

    assert found.kind == "finite"
    assert found.message.startswith(f"Some of your values are {word}")
    assert "[1, 2]" in found.detail
    assert "[1, 2]" not in found.message


def test_numbers_of_pythons_and_arrays_without_axes_are_one():
    """A loss may be 0, 0.0 or a numpy scalar; True is no number."""
    for got in (0.0, 0, np.float64(0), np.array(0.0)):
        assert form(got, 0.0) is None
    assert form(True, 0.0).kind == "dtype"
    assert form(1.0, True).kind == "dtype"
    assert form(np.zeros(1), 0.0).message.startswith("You return one array; a single number is")
    assert form(None, None) is None
    assert form("yes", None).kind == "structure"


def test_form_is_asked_of_all_results_before_the_next_question(projection):
    """Structure, shape, dtype, finite: an early NaN does not hide a later wrong shape."""
    arguments, (q, k, v) = projection

    found = form((q * np.nan, k > 0, v[:-1]), (q, k, v), arguments, project)

    assert found.message.startswith("v: yours is")


def test_a_reference_that_cannot_be_compared_is_ours_to_fix():
    """What the reference returns is never blamed on a student."""
    with pytest.raises(TypeError, match="a reference returned"):
        form(np.zeros(3), {1, 2})
