"""Step 4: each position has a vector of its own, made of waves."""

import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("positions")

WIDE = torch.float64


@weight(3)
@pytest.mark.parametrize("size", [(6, 8), (3, 2), (5, 4), (1, 6), (8, 8), (12, 10), (4, 32)])
def test_pairs_of_waves(compare, size):
    """Sine and cosine of one angle stand side by side, with a slower angle for each next pair."""
    compare.positional_encoding(*size)


@weight(2)
@pytest.mark.parametrize("size", [(6, 5), (4, 1), (3, 3), (7, 7), (10, 11)])
def test_an_odd_width_ends_on_a_sine(compare, size):
    """The last sine of an odd width has no cosine beside it."""
    compare.positional_encoding(*size)


@weight(2)
def test_the_first_position_is_zero_and_one(student, rng):
    """At position 0 every sine is 0 and every cosine is 1."""
    d_model = 2 * int(rng.integers(2, 9))

    first = student.positional_encoding(3, d_model)[0]

    assert torch.equal(first, torch.tensor([0.0, 1.0]).repeat(d_model // 2)), (
        "The first position is not 0, 1, 0, 1 and so on. "
        "What number does the first position have, and which column is a sine?"
    )


@weight(2)
def test_a_shift_is_a_turn(student, rng):
    """How alike two positions are depends on their distance alone, not on where they stand."""
    n, away = 40, int(rng.integers(1, 9))

    encoding = student.positional_encoding(n, 12, dtype=WIDE)

    alike = (encoding[away:] * encoding[:-away]).sum(-1)
    assert not torch.allclose(encoding[away:], encoding[:-away]), (
        "Positions apart from each other have the same vector. How is a model to tell them apart?"
    )
    assert torch.allclose(alike, alike[:1]), (
        "Two positions at one distance are not always equally alike. "
        "Do both columns of a pair have the same angle, and is it proportional to the position?"
    )


@weight(2)
def test_a_longer_sequence_begins_like_a_shorter_one(student, rng):
    """What a position is given does not depend on how many come after it."""
    short, long = int(rng.integers(2, 9)), int(rng.integers(10, 20))

    ours, theirs = (student.positional_encoding(n, 6, dtype=WIDE) for n in (short, long))

    assert torch.allclose(theirs[:short], ours), (
        "In a longer sequence the first positions get other vectors. "
        "Should the angle know how long the sequence is?"
    )


@weight(2)
@pytest.mark.parametrize("size", [(100, 6), (1000, 3), (9, 64)])
def test_as_exact_as_is_asked_for(compare, size):
    """In double precision every digit counts, at late positions too."""
    compare.positional_encoding(*size, dtype=WIDE)


@weight(2)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_narrow_numbers_are_rounded_at_the_end(student, reference, dtype):
    """No position gets lost in a dtype that cannot count so far."""
    exact = reference.positional_encoding(700, 8, dtype=WIDE)

    got = student.positional_encoding(700, 8, dtype=dtype)

    assert torch.allclose(got.to(WIDE), exact, rtol=0, atol=torch.finfo(dtype).eps), (
        "In a narrow dtype, late positions are off by more than one rounding. "
        "Up to which number can that dtype count, and where are you rounding?"
    )


@weight(2)
@pytest.mark.parametrize("d_model", [6, 5])
def test_made_where_it_is_needed(portable, d_model):
    """On another device all of it is made there."""
    portable.positional_encoding(4, d_model, device="cpu")
