"""Public checks of step 2: every query against every key."""

import numpy as np
import pytest

pytestmark = [pytest.mark.question("scores"), pytest.mark.weight(2)]


def test_the_paper_example_of_step_2(student):
    """The example of the README comes out as on paper."""
    q = np.array([[1.0, 0.0, 1.0, 1.0], [0.0, 2.0, 1.0, 0.0]])
    k = np.array([[0.0, 2.0, 1.0, 1.0], [2.0, 0.0, 1.0, 1.0]])

    scores = student.attention_scores(q, k)

    assert np.shape(scores) == (2, 2), f"the scores have shape {np.shape(scores)}, not (2, 2)"
    assert np.allclose(scores, [[2, 4], [5, 1]]), f"expected [[2, 4], [5, 1]], got {scores}"


def test_row_i_belongs_to_query_i(student):
    """Row i, column j is the dot product of query i and key j."""
    rng = np.random.default_rng(3)
    q, k = rng.normal(size=(5, 4)), rng.normal(size=(3, 4))

    scores = student.attention_scores(q, k)

    assert np.shape(scores) == (5, 3), (
        f"5 queries and 3 keys give (5, 3) scores, got {np.shape(scores)}"
    )
    for i, j in np.ndindex(5, 3):
        expected = sum(a * b for a, b in zip(q[i], k[j], strict=True))
        assert np.isclose(scores[i][j], expected), (
            f"query {i} against key {j} is {expected:.4f}, got {scores[i][j]:.4f}"
        )


@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_is_scored_by_itself(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    rng = np.random.default_rng(4)
    q, k = rng.normal(size=(*batch, 5, 4)), rng.normal(size=(*batch, 3, 4))

    together = student.attention_scores(q, k)

    assert np.shape(together) == (*batch, 5, 3), (
        f"the scores have shape {np.shape(together)}, not {(*batch, 5, 3)}"
    )
    assert not np.allclose(together, np.ravel(together)[0]), (
        f"queries and keys are random, but every score is the same: {np.ravel(together)[0]}"
    )
    for index in np.ndindex(*batch):
        alone = student.attention_scores(q[index], k[index])
        assert np.allclose(together[index], alone), (
            f"the scores of sequence {index} are not the same in a batch as alone"
        )
