"""Step 1: True where a query may attend to a key."""

import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("masks")


def a_mask(rng, *shape):
    """A random boolean mask in which both truth values occur."""
    drawn = rng.permutation(torch.arange(torch.Size(shape).numel()).numpy() % 2)
    return torch.from_numpy(drawn).reshape(shape).bool()


@weight(3)
@pytest.mark.parametrize(
    ("n_q", "n_k"), [(4, 4), (1, 1), (2, 5), (1, 6), (3, 7), (5, 6), (4, None), (7, None)]
)
def test_a_query_sees_what_came_before_it(compare, n_q, n_k):
    """Its own token and all before it, also where the first tokens ask nothing any more."""
    if n_k is None:
        compare.causal_mask(n_q)
    else:
        compare.causal_mask(n_q, n_k)


@weight(2)
def test_the_last_query_sees_every_key(student, rng):
    """The queries are the last tokens: one key more comes into sight with each of them."""
    n_q = int(rng.integers(2, 5))
    n_k = n_q + int(rng.integers(1, 5))

    seen = student.causal_mask(n_q, n_k).sum(-1)

    assert seen[-1] == n_k, (
        "With fewer queries than keys, the last query does not see every key. "
        "Which tokens do the queries belong to: the first ones or the last ones?"
    )
    assert torch.equal(seen.diff(), torch.ones_like(seen[1:])), (
        "From one query to the next, not exactly one key more comes into sight. "
        "Which key is new to a query that its neighbour before it could not see?"
    )


@weight(2)
@pytest.mark.parametrize(("n_q", "n_k"), [(2, 1), (5, 3), (7, 6)])
def test_no_query_stands_before_the_first_key(refuses, n_q, n_k):
    """More queries than keys cannot be the last tokens: that is refused."""
    refuses.causal_mask(n_q, n_k)


@weight(3)
@pytest.mark.parametrize(
    ("lengths", "n"), [((5, 3, 1), 5), ((2, 5), 7), ((4,), 4), ((1, 2, 3, 4, 5), 5), ((3, 1), 6)]
)
def test_keys_after_the_end_are_hidden(compare, rng, lengths, n):
    """The mask hides keys, has an axis of one for the queries, and is as long as it is told to."""
    lengths = torch.from_numpy(rng.permutation(lengths))

    compare.padding_mask(lengths, n)


def test_lengths_of_any_integer_dtype(compare, rng):
    """Lengths are whole numbers, of whichever width."""
    compare.padding_mask(torch.from_numpy(rng.integers(6, size=4)).to(torch.int32), 5)


@weight(2)
def test_an_empty_sequence_has_no_key(compare, rng):
    """Length 0 hides everything, and its neighbours in the batch are none of its business."""
    lengths = torch.from_numpy(rng.permutation([0, 2, 6, 0]))

    compare.padding_mask(lengths, 6)


@weight(3)
@pytest.mark.parametrize(
    "shapes",
    [
        [(4, 6), (3, 1, 6)],
        [(3, 1, 6), (4, 6)],
        [(5, 5), (5, 1, 5)],
        [(4, 6), (4, 6), (2, 1, 6)],
        [(2, 4, 6)],
    ],
)
def test_what_one_mask_forbids_is_forbidden(compare, rng, shapes):
    """A combination allows only what every mask allows, whatever their order and number."""
    compare.combine_masks(*(a_mask(rng, *shape) for shape in shapes))


@weight(2)
@pytest.mark.parametrize("places", [(0,), (1,), (0, 1, 2), (2, 2)])
def test_no_mask_changes_nothing(compare, rng, places):
    """None among the masks stands for no mask, wherever it stands."""
    masks = [a_mask(rng, 4, 6), a_mask(rng, 3, 1, 6)]
    for place in places:
        masks.insert(place, None)

    compare.combine_masks(*masks)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_without_masks_there_is_none(compare, count):
    """Nothing combined is no mask at all."""
    compare.combine_masks(*[None] * count)


@pytest.mark.parametrize("what", ["lengths", "masks"])
def test_arguments_are_left_as_they_were(unmodified, rng, what):
    """Whoever calls the function still finds the same lengths and masks."""
    if what == "lengths":
        unmodified.padding_mask(torch.from_numpy(rng.integers(0, 6, size=4)), 5)
    else:
        unmodified.combine_masks(a_mask(rng, 3, 4, 6), a_mask(rng, 4, 6), None)
