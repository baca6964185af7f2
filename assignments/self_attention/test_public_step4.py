"""Public checks of step 4: weights that never overflow."""

import numpy as np
import pytest

pytestmark = pytest.mark.question("softmax")


def test_the_paper_example_of_step_4(student):
    """The example of the README comes out as on paper."""
    scaled = np.array([[1.0, 2.0], [2.5, 0.5]])

    weights = student.softmax(scaled)

    assert np.shape(weights) == (2, 2), f"the weights have shape {np.shape(weights)}, not (2, 2)"
    assert np.allclose(weights, [[0.2689, 0.7311], [0.8808, 0.1192]], atol=1e-4), (
        f"expected [[0.2689, 0.7311], [0.8808, 0.1192]], got {weights}"
    )


@pytest.mark.weight(2)
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_each_query_shares_out_one_unit_of_weight(student, batch):
    """Weights are positive, each row sums to 1 over the keys, and a larger score gets more."""
    scores = np.random.default_rng(6).normal(size=(*batch, 4, 5))

    weights = np.asarray(student.softmax(scores))

    assert weights.shape == scores.shape, (
        f"scores of shape {scores.shape} gave weights of shape {weights.shape}"
    )
    assert np.all(weights > 0), f"the smallest weight is {weights.min()}, not above 0"
    sums = weights.sum(axis=-1)
    assert np.allclose(sums, 1), f"the sums over the keys are not 1: {sums}"
    assert np.array_equal(scores.argsort(axis=-1), weights.argsort(axis=-1)), (
        "within a row, weights and scores are not in the same order"
    )


@pytest.mark.weight(2)
@pytest.mark.parametrize("shift", [1000.0, -1000.0])
def test_public_shift_of_a_row_changes_nothing(student, shift):
    """exp(1000) is too large for any float, yet the weights of a shifted row are the same."""
    scores = np.random.default_rng(7).normal(size=(3, 5))

    weights, shifted = student.softmax(scores), student.softmax(scores + shift)

    assert np.shape(shifted) == (3, 5), f"the weights have shape {np.shape(shifted)}, not (3, 5)"
    assert np.all(np.isfinite(shifted)), f"scores near {shift:.0f} gave {shifted}"
    assert np.all(np.std(weights, axis=-1) > 1e-6), (
        f"the scores of a row differ, but every weight in it is the same:\n{weights}"
    )
    assert np.allclose(weights, shifted), (
        f"adding {shift:.0f} to all scores changed the weights from\n{weights}\nto\n{shifted}"
    )


def test_softmax_leaves_its_argument_alone(student):
    """The caller's scores are the same afterwards, and so are the weights of a second call."""
    scores = np.random.default_rng(8).normal(size=(3, 5))
    before = scores.copy()

    first, second = student.softmax(scores), student.softmax(scores)

    assert np.array_equal(scores, before), "softmax changed its argument"
    assert np.shape(first) == (3, 5), f"the weights have shape {np.shape(first)}, not (3, 5)"
    assert not np.array_equal(first, scores), "the weights are the scores, unchanged"
    assert np.all(np.std(first, axis=-1) > 1e-6), (
        f"the scores of a row differ, but every weight in it is the same:\n{first}"
    )
    assert np.array_equal(first, second), "the same scores gave other weights the second time"
