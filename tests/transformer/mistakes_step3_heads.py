"""Known wrong answers to step 3: splitting and merging. What comes first is the more fundamental;
mistakes_step3_layer.py goes on."""

from functools import partial

import torch

from autograder.grading import mistake

_split = partial(mistake, "multi_head", function="split_heads")
_merge = partial(mistake, "multi_head", function="merge_heads")

blocks_of_tokens = partial(
    _split,
    kind="heads get blocks of tokens",
    symptom="A head of yours gets some tokens whole, not every token in part. What does it slice?",
    answer="First (..., n, num_heads, d_head), then exchange two axes: `.transpose(-3, -2)`.",
)
every_other_column = partial(
    _split,
    kind="columns dealt out in turn",
    symptom="A head's columns do not lie side by side in x. Which ones belong to the first head?",
    answer=(
        "Head h owns d_head columns in a row: reshape to (..., num_heads, d_head), not reversed."
    ),
)
no_head_axis = partial(
    _split,
    kind="axes of the split in another order",
    symptom="Your axes are not in the order heads, tokens, columns. Which axis does attention sum?",
    answer="(..., num_heads, n, d_head): the head is one more batch axis.",
)
one_batch_axis = partial(
    _split,
    kind="one batch axis expected",
    symptom="Your split wants one certain number of axes. How many batch axes may there be?",
    answer="Count axes from the end: `.transpose(-3, -2)`, and `*batch, n, d_model = x.shape`.",
)
not_refused = partial(
    _split,
    kind="a width that is not divisible not refused",
    symptom=(
        "Where heads would not be equally wide, you raise nothing or something else. What then?"
    ),
    answer="`raise ValueError(...)` where `d_model % num_heads` is not 0.",
)
not_undone = partial(
    _merge,
    kind="merged without undoing the split",
    symptom="A row of your merge mixes several tokens. Which axes did the split exchange?",
    answer="Exchange first, then join: `.transpose(-3, -2)`, then the reshape.",
)
in_turn = partial(
    _merge,
    kind="columns joined in turn",
    symptom="The columns of a head do not lie side by side after your merge. Whose come first?",
    answer="(..., n, num_heads, d_head) in this order, and then flatten the last two axes.",
)
fewer_columns = partial(
    _merge,
    kind="heads mixed in place of joined",
    symptom="Your merge is as narrow as one head. What becomes of the others' columns?",
    answer="Heads stand side by side: num_heads · d_head columns; w_o does the mixing.",
)


@blocks_of_tokens()
def split_by_reshape_alone(x, num_heads):
    _expect(x, num_heads)
    *batch, n, d_model = x.shape
    return x.reshape(*batch, num_heads, n, d_model // num_heads)


@every_other_column()
def split_with_columns_before_heads(x, num_heads):
    _expect(x, num_heads)
    *batch, n, d_model = x.shape
    return x.reshape(*batch, n, d_model // num_heads, num_heads).movedim(-1, -3)


@no_head_axis()
def split_without_exchange(x, num_heads):
    _expect(x, num_heads)
    *batch, n, d_model = x.shape
    return x.reshape(*batch, n, num_heads, d_model // num_heads)


@no_head_axis()
def split_with_tokens_last(x, num_heads):
    _expect(x, num_heads)
    *batch, n, d_model = x.shape
    columns = x.reshape(*batch, n, num_heads, d_model // num_heads)
    return columns.movedim(-3, -1)


@no_head_axis()
def split_with_heads_in_front_of_the_batch(x, num_heads):
    _expect(x, num_heads)
    return torch.stack(x.chunk(num_heads, dim=-1))


@no_head_axis()
def split_with_heads_folded_into_the_batch(x, num_heads):
    _expect(x, num_heads)
    *_, n, d_model = x.shape
    columns = x.reshape(-1, n, num_heads, d_model // num_heads).transpose(1, 2)
    return columns.reshape(-1, n, d_model // num_heads)


@one_batch_axis()
def split_of_one_batch_axis(x, num_heads):
    _expect(x, num_heads)
    batch, n, d_model = x.shape
    return x.reshape(batch, n, num_heads, d_model // num_heads).transpose(1, 2)


@one_batch_axis()
def split_with_axes_counted_from_the_front(x, num_heads):
    _expect(x, num_heads)
    columns = x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return columns.transpose(1, 2) if x.ndim > 2 else columns.transpose(0, 1)


@not_refused()
def split_with_any_width(x, num_heads):
    *batch, n, d_model = x.shape
    d_head = max(d_model // num_heads, 1)
    whole = torch.nn.functional.pad(x, (0, num_heads * d_head - min(d_model, num_heads * d_head)))
    columns = whole[..., : num_heads * d_head].reshape(*batch, n, num_heads, d_head)
    return columns.transpose(-3, -2)


@not_refused()
def split_that_leaves_it_to_reshape(x, num_heads):
    *batch, n, d_model = x.shape
    return x.reshape(*batch, n, num_heads, d_model // num_heads).transpose(-3, -2)


@not_refused()
def split_refused_by_an_assert(x, num_heads):
    assert x.shape[-1] % num_heads == 0
    *batch, n, d_model = x.shape
    return x.reshape(*batch, n, num_heads, d_model // num_heads).transpose(-3, -2)


@not_undone()
def merged_by_reshape_alone(x):
    *batch, num_heads, n, d_head = x.shape
    return x.reshape(*batch, n, num_heads * d_head)


@not_undone(
    kind="a view of what does not lie in one piece",
    symptom="Your merge raises. What does view ask of the order in memory?",
    answer="After a transpose use `reshape`, or `.contiguous()` before `view`.",
)
def merged_by_a_view(x):
    tokens = x.transpose(-3, -2)
    return tokens.view(*tokens.shape[:-2], -1)


@in_turn()
def merged_with_columns_before_heads(x):
    return x.movedim(-3, -1).flatten(-2)


@in_turn()
def merged_with_the_last_head_first(x):
    return torch.cat(list(reversed(x.unbind(dim=-3))), dim=-1)


@fewer_columns()
def heads_averaged(x):
    return x.mean(dim=-3)


@fewer_columns()
def first_head_only(x):
    return x.select(-3, 0)


@fewer_columns()
def heads_summed(x):
    return x.sum(dim=-3)


@fewer_columns(
    kind="one batch axis expected in the merge",
    symptom="Your merge wants one certain number of axes. How many batch axes may there be?",
    answer="Count axes from the end: `.transpose(-3, -2)`.",
)
def merge_of_one_batch_axis(x):
    batch, num_heads, n, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, n, num_heads * d_head)


@fewer_columns(
    kind="tokens and batch run together",
    symptom="Your merge loses the batch axes. Which axes are joined, and which stay?",
    answer="Only heads and columns are joined: `.flatten(-2)` after the transpose.",
)
def merge_that_flattens_the_batch(x):
    tokens = x.transpose(-3, -2)
    return tokens.reshape(-1, tokens.shape[-2] * tokens.shape[-1])


def _expect(x, num_heads):
    """What most get right."""
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
