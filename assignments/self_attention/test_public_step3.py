"""Public checks of step 3: scaling by the root of the key width."""

import numpy as np
import pytest

pytestmark = [pytest.mark.question("scaling"), pytest.mark.weight(2)]


def test_the_paper_example_of_step_3(student):
    """The example of the README comes out as on paper."""
    scores = np.array([[2.0, 4.0], [5.0, 1.0]])

    scaled = student.scale_scores(scores, 4)

    assert np.shape(scaled) == (2, 2), f"the result has shape {np.shape(scaled)}, not (2, 2)"
    assert np.allclose(scaled, [[1, 2], [2.5, 0.5]]), f"expected [[1, 2], [2.5, 0.5]], got {scaled}"


@pytest.mark.parametrize("d_k", [1, 3, 8])
def test_scaling_twice_divides_by_the_key_width(student, d_k):
    """A root taken twice is the whole: scaling twice divides by d_k, batched or not."""
    scores = np.random.default_rng(5).normal(size=(2, 5, 7))

    once = student.scale_scores(scores.copy(), d_k)

    assert np.shape(once) == (2, 5, 7), f"the result has shape {np.shape(once)}, not (2, 5, 7)"
    twice = student.scale_scores(np.array(once), d_k)
    assert np.allclose(twice, scores / d_k), (
        f"d_k = {d_k}: scaling {scores[0, 0, 0]:.4f} twice gave {twice[0][0][0]:.4f}, "
        f"not {scores[0, 0, 0] / d_k:.4f}"
    )


def test_whole_numbers_do_not_stay_whole(student):
    """Integer scores give floating point; the caller's scores are the same afterwards."""
    scores = np.array([[2.0, 4.0, 7.0], [5.0, 1.0, 3.0]])
    before = scores.copy()

    student.scale_scores(scores, 8)
    scaled = student.scale_scores(np.array([[2, 4, 7], [5, 1, 3]]), 8)

    assert np.array_equal(scores, before), f"scale_scores changed its argument to {scores}"
    assert np.asarray(scaled).dtype.kind == "f", (
        f"the result holds {np.asarray(scaled).dtype}, not floating point"
    )
    assert np.shape(scaled) == (2, 3), f"the result has shape {np.shape(scaled)}, not (2, 3)"
    assert not np.allclose(scaled, np.ravel(scaled)[0]), (
        f"the scores all differ, but every value of the result is the same: {np.ravel(scaled)[0]}"
    )
