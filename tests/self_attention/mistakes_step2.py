"""Known wrong answers to step 2. What comes first is the more fundamental."""

from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "scores")

not_an_array = partial(
    _wrong,
    kind="scores not returned as an array",
    symptom="What comes back is not one array. Can the next step divide it by a number?",
    answer="Return one array: `return q @ np.swapaxes(k, -1, -2)`.",
)
not_transposed = partial(
    _wrong,
    kind="keys not transposed",
    symptom=(
        "Your sums run over axes that do not belong together. "
        "Which axis do one query and one key share, and where does it stand in each?"
    ),
    answer=(
        "The widths have to meet: `q @ np.swapaxes(k, -1, -2)`. NumPy's transpose takes all axes."
    ),
)
over_the_tokens = partial(
    _wrong,
    kind="sums over the tokens",
    symptom="Your rows and columns belong to features. What should row i and column j belong to?",
    answer="Sum over the width, not over the tokens: it is k that is transposed, not q.",
)
reshaped = partial(
    _wrong,
    kind="reshape used as a transpose",
    symptom="Your scores mix features of several keys. Does each key still hold its own numbers?",
    answer="reshape keeps the order in memory; `np.swapaxes(k, -1, -2)` exchanges two axes.",
)
pairs_only = partial(
    _wrong,
    kind="each query with its own key only",
    symptom="Query i meets only key i in yours. With how many keys is each query compared?",
    answer="Compare every query with every key: `q @ np.swapaxes(k, -1, -2)`, not `q * k`.",
)
rows_are_keys = partial(
    _wrong,
    kind="rows are keys",
    symptom="Your scores are turned over. Whose row is row i: a query's or a key's?",
    answer="Rows are queries: q stands on the left, `q @ np.swapaxes(k, -1, -2)`, or '->...ij'.",
)
with_itself = partial(
    _wrong,
    kind="one argument compared with itself",
    symptom="One of your two arguments changes nothing. What is compared with what?",
    answer="Both arguments are needed: q on the left, the transposed k on the right.",
)
one_length = partial(
    _wrong,
    kind="as many keys as queries",
    symptom="Your scores fit only as many keys as queries. What are rows and columns counted by?",
    answer="Rows are counted by `q.shape[-2]`, columns by `k.shape[-2]`: they may differ.",
)
symmetric = partial(
    _wrong,
    kind="scores taken to be symmetric",
    symptom="Your scores are symmetric. Do two tokens always want as much of each other?",
    answer="q_i · k_j and q_j · k_i are two numbers: compute all pairs.",
)
incomplete = partial(
    _wrong,
    kind="incomplete dot product",
    symptom=(
        "Not every feature counts in your scores. Where does your sum begin, and where does it end?"
    ),
    answer="The sum runs over all d_k features: `range(d_k)`.",
)
not_the_dot_product = partial(
    _wrong,
    kind="another measure than the dot product",
    symptom="Your scores measure something else. Do longer vectors, in one direction, score more?",
    answer="A score is the plain dot product: no norm, no distance, no absolute value.",
)
already_scaled = partial(
    _wrong,
    kind="scaled already here",
    symptom="Your scores are smaller than the dot products. Which step is to change their size?",
    answer="Leave the scaling to step 3, else it happens twice.",
)
already_weights = partial(
    _wrong,
    kind="more than the dot products",
    symptom=(
        "Something happens to your scores after the dot products. Which step does that belong to?"
    ),
    answer="Return the dot products as they are; scaling is step 3, the softmax step 4.",
)


@not_an_array()
def returns_lists_of_dot_products(q, k):
    return [[float(np.dot(one, other)) for other in k] for one in q]


@not_an_array()
def returns_the_scores_and_their_width(q, k):
    return q @ np.swapaxes(k, -1, -2), q.shape[-1]


@not_transposed()
def does_not_transpose(q, k):
    return q @ k


@not_transposed()
def names_the_axes_to_numpys_transpose(q, k):
    return q @ k.transpose(-2, -1)


@over_the_tokens()
def transposes_the_queries(q, k):
    return np.swapaxes(q, -1, -2) @ k


@reshaped()
def reshapes_the_keys(q, k):
    n_k, d_k = k.shape[-2:]
    return q @ k.reshape(*k.shape[:-2], d_k, n_k)


@pairs_only()
def multiplies_queries_and_keys_entry_by_entry(q, k):
    return q * k


@pairs_only()
def compares_each_query_with_one_key(q, k):
    return (q * k).sum(axis=-1)


@pairs_only()
def keeps_the_pairs_as_a_column(q, k):
    return (q * k).sum(axis=-1, keepdims=True)


@rows_are_keys()
def puts_the_keys_on_the_left(q, k):
    return k @ np.swapaxes(q, -1, -2)


@rows_are_keys()
def names_the_keys_first_in_einsum(q, k):
    return np.einsum("...id,...jd->...ji", q, k)


@with_itself()
def compares_queries_with_queries(q, k):
    return q @ np.swapaxes(q, -1, -2)


@with_itself()
def compares_keys_with_keys(q, k):
    return k @ np.swapaxes(k, -1, -2)


@one_length()
def counts_the_columns_by_the_queries(q, k):
    n = q.shape[-2]
    scores = np.zeros((*q.shape[:-1], n))
    for i in range(n):
        for j in range(n):
            scores[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(axis=-1)
    return scores


@symmetric()
def mirrors_the_upper_triangle(q, k):
    scores = q @ np.swapaxes(k, -1, -2)
    return np.triu(scores) + np.swapaxes(np.triu(scores, 1), -1, -2)


@incomplete()
def starts_the_sum_at_the_second_feature(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for t in range(1, q.shape[-1]):
        scores += q[..., :, None, t] * k[..., None, :, t]
    return scores


@incomplete()
def ends_the_sum_before_the_last_feature(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for t in range(q.shape[-1] - 1):
        scores += q[..., :, None, t] * k[..., None, :, t]
    return scores


@not_the_dot_product()
def takes_the_cosine(q, k):
    lengths = np.linalg.norm(q, axis=-1)[..., :, None] * np.linalg.norm(k, axis=-1)[..., None, :]
    return q @ np.swapaxes(k, -1, -2) / lengths


@not_the_dot_product()
def takes_the_negative_distance(q, k):
    return -np.linalg.norm(q[..., :, None, :] - k[..., None, :, :], axis=-1)


@not_the_dot_product()
def takes_the_size_of_the_dot_product(q, k):
    return np.abs(q @ np.swapaxes(k, -1, -2))


@already_scaled()
def divides_by_the_root_already_here(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


@already_scaled()
def divides_by_the_width_already_here(q, k):
    return q @ np.swapaxes(k, -1, -2) / q.shape[-1]


@already_scaled()
def scales_the_queries_in_place(q, k):
    q *= q.shape[-1] ** -0.5
    return q @ np.swapaxes(k, -1, -2)


@already_weights()
def takes_the_softmax_already_here(q, k):
    powers = np.exp(q @ np.swapaxes(k, -1, -2))
    return powers / powers.sum(axis=-1, keepdims=True)


@already_weights()
def subtracts_the_largest_already_here(q, k):
    scores = q @ np.swapaxes(k, -1, -2)
    return scores - scores.max(axis=-1, keepdims=True)
