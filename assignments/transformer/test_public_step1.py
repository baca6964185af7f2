"""Public checks of step 1: masks."""

import pytest
import torch

pytestmark = [pytest.mark.question("masks"), pytest.mark.weight(2)]


def look_at(mask, shape):
    """A look at what kind of mask this is, before its values."""
    assert isinstance(mask, torch.Tensor), f"expected a tensor, got {type(mask).__name__}"
    assert mask.dtype == torch.bool, f"a mask holds torch.bool, yours holds {mask.dtype}"
    assert mask.shape == shape, f"the mask has shape {tuple(mask.shape)}, not {shape}"


def test_the_paper_examples_of_causal_masks(student):
    """The two examples of the README come out as on paper."""
    square, wide = student.causal_mask(3), student.causal_mask(2, 4)

    look_at(square, (3, 3))
    look_at(wide, (2, 4))
    expected = [[True, False, False], [True, True, False], [True, True, True]]
    assert square.tolist() == expected, f"expected {expected}, got {square.tolist()}"
    expected = [[True, True, True, False], [True, True, True, True]]
    assert wide.tolist() == expected, (
        f"two queries, four keys: expected {expected}, got {wide.tolist()}"
    )


def test_the_paper_example_of_a_padding_mask(student):
    """The example of the README comes out as on paper, and with more padding as well."""
    lengths = torch.tensor([3, 1])

    mask, longer = student.padding_mask(lengths, 3), student.padding_mask(lengths, 5)

    look_at(mask, (2, 1, 3))
    look_at(longer, (2, 1, 5))
    expected = [[[True, True, True]], [[True, False, False]]]
    assert mask.tolist() == expected, f"expected {expected}, got {mask.tolist()}"
    seen = longer.sum(dim=-1).flatten().tolist()
    assert seen == [3, 1], f"sequences of 3 and 1 tokens have {seen} visible keys"


def test_a_key_is_seen_where_both_masks_allow_it(student):
    """Entry by entry, and None changes nothing."""
    future = torch.tensor([[True, False, False], [True, True, False]])
    padding = torch.tensor([[[True, True, True]], [[False, True, True]]])

    both = student.combine_masks(future, None, padding)

    look_at(both, (2, 2, 3))
    for b, i, j in torch.cartesian_prod(torch.arange(2), torch.arange(2), torch.arange(3)).tolist():
        expected = bool(future[i, j]) and bool(padding[b, 0, j])
        assert bool(both[b, i, j]) == expected, (
            f"sequence {b}, query {i}, key {j}: one mask says {bool(future[i, j])}, the other "
            f"{bool(padding[b, 0, j])}, yours {bool(both[b, i, j])}"
        )


@pytest.mark.parametrize("made", ["causal", "causal with more keys", "padding", "combined"])
def test_masks_are_made_where_they_are_needed(portable, made):
    """On a GPU the masks are made there, and nothing of theirs anywhere else; no GPU is needed."""
    if made == "causal":
        mask, shape = portable.causal_mask(5, device="cpu"), (5, 5)
    elif made == "causal with more keys":
        mask, shape = portable.causal_mask(3, 5, device="cpu"), (3, 5)
    elif made == "padding":
        mask, shape = portable.padding_mask(torch.tensor([3, 1, 5]), 5), (3, 1, 5)
    else:
        seen = torch.tensor([[True, False, False], [True, True, False]])
        padding = torch.tensor([[[True, False, True]]])
        mask, shape = portable.combine_masks(seen, None, padding), (1, 2, 3)

    look_at(mask, shape)
    assert not mask.all(), "nothing at all is hidden"
