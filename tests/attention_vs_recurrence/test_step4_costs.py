"""Step 4: the lesson's comparison, as numbers for any n and d."""

import pytest

from autograder.grading import question

pytestmark = question("costs")
LAYERS = ["self-attention", "recurrent"]


@pytest.mark.parametrize("layer", LAYERS)
def test_the_longest_path(compare, rng, layer):
    """One step between any two tokens, or a chain through all of them."""
    for n in (1, *rng.integers(2, 999, size=4).tolist()):
        compare.max_path_length(layer, n)


@pytest.mark.parametrize("layer", LAYERS)
def test_what_has_to_wait(compare, rng, layer):
    """All tokens at once, or one after the other."""
    for n in (1, *rng.integers(2, 999, size=4).tolist()):
        compare.sequential_operations(layer, n)


@pytest.mark.parametrize("layer", LAYERS)
def test_multiplications_by_their_leading_term(compare, rng, layer):
    """Every pair of tokens times the width, or every token times the width squared."""
    for n, d in rng.integers(2, 99, size=(4, 2)).tolist():
        compare.complexity_per_layer(layer, n, d)


def test_which_is_cheaper(compare, rng):
    """Short texts of wide tokens for the one, long texts of narrow tokens for the other."""
    for n, more in rng.integers(1, 99, size=(4, 2)).tolist():
        compare.cheaper_layer(n, n + more)
        compare.cheaper_layer(n + more, n)


@pytest.mark.parametrize("layer", LAYERS)
def test_what_is_passed_on(compare, rng, layer):
    """All that was read, or one state however much was read."""
    for n, d in rng.integers(2, 99, size=(4, 2)).tolist():
        compare.state_size(layer, n, d)
