"""More known wrong answers to step 1: padding, and masks combined."""

from functools import partial

import torch

from autograder.grading import mistake

_padding = partial(mistake, "masks", function="padding_mask")
_combine = partial(mistake, "masks", function="combine_masks")

upside_down = partial(
    _padding,
    kind="padding mask the wrong way round",
    symptom="Your padding mask shows the padding and hides the tokens. What does True mean?",
    answer="True = may attend: `keys < lengths`, not `>=`.",
)
queries_hidden = partial(
    _padding,
    kind="padding hidden on the query axis",
    symptom=(
        "Your padding mask takes rows away, not columns. "
        "Who must not be looked at: the padded tokens as queries, or as keys?"
    ),
    answer="It is keys that are hidden, so the last axis is theirs: (batch, 1, n).",
)
without_axis = partial(
    _padding,
    kind="padding mask of another shape",
    symptom="Your padding mask has other axes than it should. Which one stands for the queries?",
    answer="(batch, 1, n): an axis of size one for the queries, none for the heads.",
)
off_by_one = partial(
    _padding,
    kind="length off by one",
    symptom="Your padding mask is off at the end of a sequence. Which index has its last token?",
    answer="Tokens stand at 0 … length - 1: `keys < lengths`.",
)
numbers = partial(
    _padding,
    kind="padding mask of numbers",
    symptom="Your padding mask holds numbers. What does a boolean mask hold?",
    answer="A comparison gives truth values: `keys < lengths[:, None, None]`.",
)
padding_elsewhere = partial(
    _padding,
    kind="padding mask on another device",
    symptom="Your padding mask is not made where the lengths are. Which call decides where it is?",
    answer="`torch.arange(n, device=lengths.device)`.",
)
either = partial(
    _combine,
    kind="allowed by either mask",
    symptom="Your combination shows what one of the masks hides. When may a key be seen?",
    answer="Every mask has to allow it: `a & b`, logical and.",
)
some_only = partial(
    _combine,
    kind="not all masks combined",
    symptom="One of several masks has no effect. How many may there be, and which do you look at?",
    answer="Go through all of them: start with none, and `&` each that is not None.",
)
none_counts = partial(
    _combine,
    kind="None taken for a mask",
    symptom="None among the masks makes a difference to you. What does it stand for?",
    answer="None means no mask: skip it, `if mask is not None`.",
)
none_left = partial(
    _combine,
    kind="a mask made of none",
    symptom="Where no mask is given you return something. What says that there is no mask?",
    answer="Return None if no mask is left.",
)
writes = partial(
    _combine,
    kind="writes into a mask",
    symptom="After a call, a mask is not what it was. Which line changes a tensor of the caller's?",
    answer="`combined = combined & mask` makes a new tensor; `&=` writes into the old one.",
)


@upside_down()
def padding_mask_true_where_padded(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return keys >= lengths[:, None, None]


@queries_hidden()
def padding_mask_of_queries(lengths, n):
    tokens = torch.arange(n, device=lengths.device)
    return tokens[:, None] < lengths[:, None, None]


@queries_hidden()
def padding_mask_of_queries_and_keys(lengths, n):
    real = torch.arange(n, device=lengths.device) < lengths[:, None]
    return real[:, None, :] & real[:, :, None]


@without_axis()
def padding_mask_without_an_axis_for_queries(lengths, n):
    return torch.arange(n, device=lengths.device) < lengths[:, None]


@without_axis()
def padding_mask_with_a_head_axis(lengths, n):
    return (torch.arange(n, device=lengths.device) < lengths[:, None])[:, None, None, :]


@without_axis()
def padding_mask_repeated_for_every_query(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return (keys < lengths[:, None, None]).repeat(1, n, 1)


@without_axis(
    kind="as long as the longest sequence",
    symptom="Your padding mask is as long as the longest sequence. Which argument says how long?",
    answer="n is the length that is filled up to; a batch may have no sequence that long.",
)
def padding_mask_as_long_as_the_longest(lengths, n):
    keys = torch.arange(int(lengths.max()), device=lengths.device)
    return keys < lengths[:, None, None]


@off_by_one()
def padding_mask_with_one_token_more(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return keys <= lengths[:, None, None]


@off_by_one()
def padding_mask_with_one_token_less(lengths, n):
    keys = torch.arange(1, n + 1, device=lengths.device)
    return keys < lengths[:, None, None]


@off_by_one(
    kind="padding in front",
    symptom="Your padding mask hides the beginning of a sequence. Where is a sequence filled up?",
    answer="Padding comes after the tokens: the first `length` keys are visible.",
)
def padding_mask_of_padding_in_front(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return keys >= n - lengths[:, None, None]


@off_by_one(
    kind="a token seen in an empty sequence",
    symptom="An empty sequence has a visible key in your mask. How many tokens has it?",
    answer="Length 0 hides every key; step 2 copes with that.",
)
def padding_mask_that_always_shows_one(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return keys < lengths.clamp(min=1)[:, None, None]


@numbers()
def padding_mask_of_ones_and_zeros(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    return (keys < lengths[:, None, None]).float()


@numbers()
def padding_mask_to_be_added(lengths, n):
    keys = torch.arange(n, device=lengths.device)
    hidden = keys >= lengths[:, None, None]
    return torch.zeros(hidden.shape, device=lengths.device).masked_fill(hidden, -torch.inf)


@padding_elsewhere()
def padding_mask_without_device(lengths, n):
    return torch.arange(n) < lengths[:, None, None]


@either()
def combined_by_or(*masks):
    return _folded(masks, torch.logical_or)


@either()
def combined_by_a_sum(*masks):
    return _folded(masks, lambda one, other: one + other)


@either(
    kind="allowed by one mask alone",
    symptom="Your combination shows what the masks disagree on. When may a key be seen?",
    answer="`a & b` is logical and; `a ^ b` is True where they differ.",
)
def combined_by_exclusive_or(*masks):
    return _folded(masks, torch.logical_xor)


@some_only()
def only_the_first_mask(*masks):
    given = [mask for mask in masks if mask is not None]
    return given[0] if given else None


@some_only()
def only_the_last_mask(*masks):
    given = [mask for mask in masks if mask is not None]
    return given[-1] if given else None


@some_only()
def only_the_first_two_masks(*masks):
    return _folded([mask for mask in masks if mask is not None][:2], torch.logical_and)


@some_only()
def only_until_the_first_none(*masks):
    combined = None
    for mask in masks:
        if mask is None:
            break
        combined = mask if combined is None else combined & mask
    return combined


@none_counts()
def none_is_combined_like_a_mask(*masks):
    combined = masks[0] if masks else None
    for mask in masks[1:]:
        combined = combined & mask
    return combined


@none_counts()
def one_none_makes_all_none(*masks):
    if any(mask is None for mask in masks):
        return None
    return _folded(masks, torch.logical_and)


@none_counts()
def none_hides_everything(*masks):
    given = [mask for mask in masks if mask is not None]
    combined = _folded(given, torch.logical_and)
    return combined if len(given) == len(masks) or not given else torch.zeros_like(combined)


@none_left()
def true_where_there_is_no_mask(*masks):
    combined = torch.tensor(True)
    for mask in masks:
        if mask is not None:
            combined = combined.to(mask.device) & mask
    return combined


@none_left()
def an_error_where_there_is_no_mask(*masks):
    given = [mask for mask in masks if mask is not None]
    combined = given[0]
    for mask in given[1:]:
        combined = combined & mask
    return combined


@writes()
def combined_in_place(*masks):
    combined = None
    for mask in masks:
        if mask is not None and combined is None:
            combined = mask
        elif mask is not None:
            one, other = torch.broadcast_tensors(combined, mask)
            combined = combined.__iand__(mask) if one.shape == combined.shape else one & other
    return combined


@either(
    kind="masks of one shape only",
    symptom="Masks of different shapes do not come together. What does `&` do with an axis of one?",
    answer="`a & b` broadcasts; stacking or concatenating needs equal shapes.",
)
def combined_by_stacking(*masks):
    given = [mask for mask in masks if mask is not None]
    return torch.stack(given).all(dim=0) if given else None


@either(
    kind="combined mask of numbers",
    symptom="Your combination holds numbers. What do two truth values give?",
    answer="`a & b` stays boolean.",
)
def combined_by_products_of_numbers(*masks):
    return _folded(masks, lambda one, other: one.float() * other.float())


def _folded(masks, pair):
    """All masks that are not None, two and two together."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else pair(combined, mask)
    return combined
