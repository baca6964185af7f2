"""Axis names come from the reference's docstring, sizes from the arguments."""

import numpy as np
import pytest

from autograder.compare import Axes, Returned, axes_of


def scores(q, k):
    """Compare every query with every key.

    Args:
        q: (..., n_q, d_k), one query
            a row (all of them).
        k: `(…, n_k, d_k)`, one key a row.

    Returns:
        (..., n_q, n_k), floating point.
    """


def project(x, w_q, w_k, bias=None):
    """Project.

    Args:
        x: (..., n, d_model), one token a row.
        w_q, w_k: (d_model, d_k), the weights.
        bias: (optional) added in the end.

    Returns:
        q: (..., n, d_k), one query a row.
        weights: (n,)

    Raises:
        ValueError: (never, ever).
    """


def positions(n, d_model, device=None):
    """Encode.

    Args:
        n: how many positions.
        d_model: width.

    Returns:
        (n, d_model), floating point.
    """


def test_reads_arguments_and_a_single_result():
    """A shape that leads an entry names its axes; the words after it do not matter."""
    axes = axes_of(scores)

    assert axes.parameters == ("q", "k")
    assert axes.arguments == {"q": ("...", "n_q", "d_k"), "k": ("...", "n_k", "d_k")}
    assert axes.returns == (Returned("", ("...", "n_q", "n_k")),)


def test_reads_several_results_by_name():
    """One line a result gives each its name; one entry may stand for several arguments."""
    axes = axes_of(project)

    assert axes.returns == (Returned("q", ("...", "n", "d_k")), Returned("weights", ("n",)))
    assert axes.arguments["w_k"] == ("d_model", "d_k")
    assert "bias" not in axes.arguments


@pytest.mark.parametrize("function", [len, lambda x: x, int, print])
def test_a_docstring_without_shapes_names_nothing(function):
    """Whatever the function, no shape in its docstring means no names, and no error."""
    axes = axes_of(function)

    assert axes.arguments == {}
    assert axes.result(0, 1).shape is None


@pytest.mark.parametrize("batch", [(), (2,), (2, 4)])
def test_names_bind_to_sizes_whatever_the_batch(batch):
    """Names count from the last axis, so batch axes change nothing."""
    q, k = np.zeros((*batch, 5, 3)), np.zeros((*batch, 7, 3))

    by_place = axes_of(scores).sizes([q, k])
    by_name = axes_of(scores).sizes({"k": k, "q": q})

    assert by_place == by_name == {"n_q": 5, "d_k": 3, "n_k": 7}


def test_a_whole_number_argument_is_the_axis_of_its_name():
    """`n` and `d_model` of a positional encoding are sizes, though no array shows them."""
    assert axes_of(positions).sizes([6, 8]) == {"n": 6, "d_model": 8}


def test_arguments_of_another_shape_bind_nothing():
    """An argument that does not fit its docstring is no evidence of any size."""
    axes = Axes(("m", "x"), {"m": ("n", "1 or n_k"), "x": ("n",)})

    assert axes.sizes([np.zeros((4, 1)), np.zeros((2, 2))]) == {"n": 4}
