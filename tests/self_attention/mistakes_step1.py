"""Known wrong answers to step 1. What comes first is the more fundamental."""

from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "projections")

not_three_results = partial(
    _wrong,
    kind="q, k and v not returned as three results",
    symptom="What comes back is not three arrays. What does a caller get who asks for q, k and v?",
    answer="Return three arrays of their own: `return q, k, v`.",
)
wrong_side = partial(
    _wrong,
    kind="weight matrix on the wrong side, or transposed",
    symptom=(
        "Your product does not take each token through the weights. A token is a row of x: "
        "which axis of the weights has to meet it, and which axis is left?"
    ),
    answer="Tokens are rows, so the weights stand on the right, as they are: `x @ w_q`.",
)
columns = partial(
    _wrong,
    kind="tokens as columns",
    symptom="Your queries, keys and values stand in columns. What is one row of x, and of q?",
    answer="One token is one row, before and after: `x @ w_q` is (..., n, d_k), not transposed.",
)
elementwise = partial(
    _wrong,
    kind="product entry by entry",
    symptom="Your projections mix nothing within a token. How does each feature get into each key?",
    answer="`*` multiplies entry by entry; the matrix product is `@` or `np.matmul`.",
)
chained = partial(
    _wrong,
    kind="one projection fed into the next",
    symptom="Your keys or values change with weights that are not theirs. What is each made from?",
    answer="All three start from x: `x @ w_q`, `x @ w_k`, `x @ w_v`. Keep x under its own name.",
)
exchanged = partial(
    _wrong,
    kind="results exchanged",
    symptom="Some of q, k and v stand in each other's place. Which weights make which result?",
    answer="Return them in the order q, k, v, each made with its own matrix: w_q, w_k, w_v.",
)
one_matrix_twice = partial(
    _wrong,
    kind="one matrix in two roles",
    symptom="Two of your results come from the same weights. Which matrix gives which role?",
    answer="Each role has a matrix of its own: `x @ w_q`, `x @ w_k`, `x @ w_v`.",
)
one_width = partial(
    _wrong,
    kind="widths taken to be equal",
    symptom=(
        "Your function fits only where some widths agree. Which of d_model, d_k and d_v may differ?"
    ),
    answer="Take each result's width from its own matrix; `x @ w` does it by itself.",
)
more_than_a_product = partial(
    _wrong,
    kind="more than a product",
    symptom=(
        "Something happens to your results, or to the tokens, besides the product. "
        "Is the formula all that your lines compute?"
    ),
    answer="A projection is one matrix product: no bias, no scaling, no activation, no residual.",
)
normalised_tokens = partial(
    _wrong,
    kind="tokens normalised first",
    symptom="The tokens are changed before they are projected. What does the formula multiply?",
    answer="Project x as it is; normalising is a layer of its own, not part of attention.",
)


@not_three_results()
def returns_queries_and_keys_only(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k


@not_three_results()
def returns_one_stacked_array(x, w_q, w_k, w_v):
    return np.array([x @ w_q, x @ w_k, x @ w_v])


@not_three_results()
def returns_one_concatenated_array(x, w_q, w_k, w_v):
    return x @ np.concatenate([w_q, w_k, w_v], axis=1)


@not_three_results()
def returns_a_dictionary(x, w_q, w_k, w_v):
    return {"q": x @ w_q, "k": x @ w_k, "v": x @ w_v}


@not_three_results()
def returns_a_generator(x, w_q, w_k, w_v):
    return (x @ w for w in (w_q, w_k, w_v))


@wrong_side()
def transposes_the_weights(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@wrong_side()
def puts_the_weights_on_the_left(x, w_q, w_k, w_v):
    return w_q @ x, w_k @ x, w_v @ x


@wrong_side()
def puts_transposed_weights_on_the_left(x, w_q, w_k, w_v):
    return w_q.T @ x, w_k.T @ x, w_v.T @ x


@wrong_side()
def transposes_the_tokens(x, w_q, w_k, w_v):
    tokens = np.swapaxes(x, -1, -2)
    return tokens @ w_q, tokens @ w_k, tokens @ w_v


@columns()
def returns_tokens_as_columns(x, w_q, w_k, w_v):
    tokens = np.swapaxes(x, -1, -2)
    return w_q.T @ tokens, w_k.T @ tokens, w_v.T @ tokens


@elementwise()
def multiplies_entry_by_entry(x, w_q, w_k, w_v):
    return x * w_q, x * w_k, x * w_v


@elementwise()
def weighs_and_sums_each_feature(x, w_q, w_k, w_v):
    return x * w_q.sum(axis=1), x * w_k.sum(axis=1), x * w_v.sum(axis=1)


@chained()
def projects_the_projection_before(x, w_q, w_k, w_v):
    q = x @ w_q
    k = q @ w_k
    v = k @ w_v
    return q, k, v


@chained()
def makes_values_from_keys(x, w_q, w_k, w_v):
    q, k = x @ w_q, x @ w_k
    return q, k, k @ w_v


@exchanged()
def returns_keys_first(x, w_q, w_k, w_v):
    return x @ w_k, x @ w_q, x @ w_v


@exchanged()
def returns_values_second(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_v, x @ w_k


@exchanged()
def returns_values_first(x, w_q, w_k, w_v):
    return x @ w_v, x @ w_k, x @ w_q


@one_matrix_twice()
def makes_keys_with_the_query_weights(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_q, x @ w_v


@one_matrix_twice()
def makes_values_with_the_key_weights(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_k


@one_matrix_twice()
def makes_all_three_with_the_query_weights(x, w_q, w_k, w_v):
    q = x @ w_q
    return q, q, q


@one_matrix_twice(
    symptom="Your values are the tokens as they came. What do the value weights do in your lines?",
    answer="Values are projected like queries and keys: `x @ w_v`.",
)
def takes_the_tokens_for_the_values(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x


@one_width()
def splits_into_equal_thirds(x, w_q, w_k, w_v):
    together = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    return tuple(np.split(together, 3, axis=-1))


@one_width()
def makes_room_as_wide_as_the_tokens(x, w_q, w_k, w_v):
    q, k, v = np.zeros(x.shape), np.zeros(x.shape), np.zeros(x.shape)
    q[...], k[...], v[...] = x @ w_q, x @ w_k, x @ w_v
    return q, k, v


@one_width()
def cuts_every_result_to_the_query_width(x, w_q, w_k, w_v):
    d_k = w_q.shape[1]
    together = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    return together[..., :d_k], together[..., d_k : 2 * d_k], together[..., 2 * d_k : 3 * d_k]


@more_than_a_product()
def adds_a_bias_of_ones(x, w_q, w_k, w_v):
    return x @ w_q + 1, x @ w_k + 1, x @ w_v + 1


@more_than_a_product()
def scales_the_queries_already_here(x, w_q, w_k, w_v):
    return x @ w_q / np.sqrt(w_q.shape[-1]), x @ w_k, x @ w_v


@more_than_a_product()
def scales_the_tokens_by_the_root_of_their_width(x, w_q, w_k, w_v):
    x = x * np.sqrt(x.shape[-1])
    return x @ w_q, x @ w_k, x @ w_v


@more_than_a_product()
def applies_an_activation(x, w_q, w_k, w_v):
    return tuple(np.maximum(x @ w, 0) for w in (w_q, w_k, w_v))


@more_than_a_product()
def applies_a_tanh(x, w_q, w_k, w_v):
    return tuple(np.tanh(x @ w) for w in (w_q, w_k, w_v))


@more_than_a_product()
def adds_the_tokens_again(x, w_q, w_k, w_v):
    return x + x @ w_q, x + x @ w_k, x + x @ w_v


@normalised_tokens()
def normalises_each_token(x, w_q, w_k, w_v):
    x = (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)
    return x @ w_q, x @ w_k, x @ w_v


@normalised_tokens()
def subtracts_the_mean_token(x, w_q, w_k, w_v):
    x = x - x.mean(axis=-2, keepdims=True)
    return x @ w_q, x @ w_k, x @ w_v
