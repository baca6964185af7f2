"""Known wrong answers to step 1: the causal mask. What comes first is the more fundamental;
mistakes_step1_padding.py goes on."""

from functools import partial

import torch

from autograder.grading import mistake

_causal = partial(mistake, "masks", function="causal_mask")

no_truth_values = partial(
    _causal,
    kind="causal mask of numbers",
    symptom="Your causal mask holds numbers. What does a boolean mask hold, and what do they mean?",
    answer="Return truth values: compare positions, `keys <= queries[:, None]`, or `.bool()`.",
)
no_future_hidden = partial(
    _causal,
    kind="nothing of the future hidden",
    symptom="Every query sees every key in your causal mask. Which keys come after it?",
    answer="True only where the key stands no later than the query: lower triangle and diagonal.",
)
upside_down = partial(
    _causal,
    kind="causal mask the wrong way round",
    symptom=(
        "Your causal mask shows what it should hide, or hides the past in place of the future. "
        "What does True mean, and on which side of the diagonal is the past?"
    ),
    answer="True = may attend, and row = query: True on and below the diagonal (`tril`).",
)
not_itself = partial(
    _causal,
    kind="a token hidden from itself",
    symptom="In your causal mask a token does not see itself. What may the first one see?",
    answer="The diagonal is visible: `tril()` of ones, or `keys <= queries[:, None]`.",
)
one_too_many = partial(
    _causal,
    kind="one future token visible",
    symptom="In your causal mask a query sees one key too many. Which one comes after it?",
    answer="Begin hiding right above the diagonal: `triu(1)` is what is hidden.",
)
first_query = partial(
    _causal,
    kind="aligned to the first query",
    symptom=(
        "With fewer queries than keys, your queries stand at the beginning. "
        "Which tokens are still asking, once the first ones were computed before?"
    ),
    answer="The queries are the last tokens: `tril(n_k - n_q)`, or positions from n_k - n_q on.",
)
square = partial(
    _causal,
    kind="number of keys not used",
    symptom="Your causal mask is square where it should not be. What are its columns counted by?",
    answer="Rows are counted by n_q, columns by n_k: (n_q, n_k).",
)
not_refused = partial(
    _causal,
    kind="more queries than keys not refused",
    symptom=(
        "More queries than keys give an answer, or another error than the one asked for. "
        "Where would the first query stand?"
    ),
    answer="`raise ValueError(...)` where n_q > n_k, and only there.",
)
causal_elsewhere = partial(
    _causal,
    kind="causal mask on another device",
    symptom="Your causal mask is not made where it is asked for. Which call does not know of it?",
    answer="Hand device on to every call that makes a tensor: `torch.arange(n_k, device=device)`.",
)


@_causal(
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return`: without one, a function gives its caller None.",
)
def causal_mask_not_returned(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    torch.ones(n_q, n_k, device=device).tril(n_k - n_q).bool()


@no_truth_values()
def causal_mask_of_ones_and_zeros(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q)


@no_truth_values()
def causal_mask_of_whole_numbers(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, dtype=torch.int64, device=device).tril(n_k - n_q)


@no_truth_values()
def causal_mask_to_be_added(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.full((n_q, n_k), -torch.inf, device=device).triu(n_k - n_q + 1)


@no_future_hidden()
def causal_mask_of_everything(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device)


@upside_down()
def causal_mask_true_where_hidden(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).triu(n_k - n_q + 1).bool()


@upside_down()
def causal_mask_hides_the_past(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).triu(n_k - n_q).bool()


@upside_down()
def causal_mask_hides_the_past_from_the_first_query_on(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).triu().bool()


@not_itself()
def causal_mask_without_the_diagonal(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q - 1).bool()


@one_too_many()
def causal_mask_with_one_more_diagonal(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q + 1).bool()


@first_query()
def causal_mask_from_the_first_query_on(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril().bool()


@first_query()
def causal_mask_moved_the_other_way(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril(n_q - n_k).bool()


@square()
def causal_mask_of_queries_only(n_q, n_k=None, device=None):
    _expect(n_q, n_q if n_k is None else n_k)
    return torch.ones(n_q, n_q, device=device).tril().bool()


@square()
def causal_mask_of_keys_only(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_k, n_k, device=device).tril().bool()


@square(
    kind="keys as rows",
    symptom="Your causal mask has its keys in rows. What is a row of it about?",
    answer="Row = query, column = key: (n_q, n_k).",
)
def causal_mask_of_keys_by_queries(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q).bool().T


@square(
    kind="axes of size one around a mask",
    symptom="Your causal mask has axes that nobody asked for. Which two does it need?",
    answer="(n_q, n_k) and no more: batch and heads are broadcast later.",
)
def causal_mask_with_batch_and_head_axes(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(1, 1, n_q, n_k, device=device).tril(n_k - n_q).bool()


@not_refused()
def causal_mask_for_any_number_of_queries(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q).bool()


@not_refused()
def causal_mask_refused_by_an_assert(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    assert n_q <= n_k
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q).bool()


@not_refused(
    kind="as many queries as keys refused",
    symptom="As many queries as keys are an error to you. When would a query stand too early?",
    answer="Only n_q > n_k is an error; n_q = n_k is the usual case.",
)
def causal_mask_refused_for_a_square(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    if n_q >= n_k > 1:
        raise ValueError("not fewer queries than keys")
    return torch.ones(n_q, n_k, device=device).tril(n_k - n_q).bool()


@causal_elsewhere()
def causal_mask_without_device(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)


@causal_elsewhere()
def causal_mask_with_keys_on_another_device(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    _expect(n_q, n_k)
    queries = torch.arange(n_k - n_q, n_k, device=device)
    return torch.arange(n_k) <= queries[:, None]


def _expect(n_q, n_k):
    """What most get right."""
    if n_q > n_k:
        raise ValueError("more queries than keys")
