"""Other right answers to the six steps, in other arithmetic and other styles."""

import math

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

from autograder.grading import variant


@variant("projections")
def projections_by_einsum_in_a_list(x, w_q, w_k, w_v):
    k = np.einsum("...nm,mk->...nk", x, w_k)
    q = np.einsum("...nm,mk->...nk", x, w_q)
    return [q, k, np.einsum("...nm,mv->...nv", x, w_v)]


@variant("projections")
def projections_by_tensordot(x, w_q, w_k, w_v):
    return tuple(np.tensordot(x, w, axes=1) for w in (w_q, w_k, w_v))


@variant("projections")
def projections_by_inner(x, w_q, w_k, w_v):
    return np.inner(x, w_q.T), np.inner(x, w_k.T), np.inner(x, w_v.T)


@variant("projections")
def projections_split_from_one_product(x, w_q, w_k, w_v):
    d_k = w_q.shape[1]
    together = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    return tuple(np.split(together, [d_k, 2 * d_k], axis=-1))


@variant("projections")
def projections_of_flattened_tokens(x, w_q, w_k, w_v):
    tokens = x.reshape(-1, x.shape[-1])
    return tuple((tokens @ w).reshape(*x.shape[:-1], w.shape[1]) for w in (w_q, w_k, w_v))


@variant("projections")
def projections_as_columns_and_back(x, w_q, w_k, w_v):
    columns = np.swapaxes(x, -1, -2)
    return tuple(np.swapaxes(w.T @ columns, -1, -2) for w in (w_q, w_k, w_v))


@variant("projections")
def projections_of_whole_numbers_in_floats(x, w_q, w_k, w_v):
    x = np.asarray(x, dtype=np.float64)
    return np.matmul(x, w_q), np.matmul(x, w_k), np.matmul(x, w_v)


@variant("scores")
def scores_by_einsum(q, k):
    return np.einsum("...id,...jd->...ij", q, k)


@variant("scores")
def scores_by_products_that_broadcast(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1)


@variant("scores")
def scores_of_keys_first_and_turned_back(q, k):
    return np.swapaxes(k @ np.swapaxes(q, -1, -2), -1, -2)


@variant("scores")
def scores_with_moveaxis(q, k):
    return np.matmul(q, np.moveaxis(k, -1, -2))


@variant("scores")
def scores_with_transposed_axes_spelled_out(q, k):
    axes = [*range(k.ndim - 2), k.ndim - 1, k.ndim - 2]
    return q @ np.ascontiguousarray(k.transpose(axes))


@variant("scores")
def scores_pair_by_pair(q, k):
    scores = np.empty((*q.shape[:-1], k.shape[-2]))
    for *batch, i, j in np.ndindex(*scores.shape):
        scores[(*batch, i, j)] = math.fsum(q[(*batch, i)] * k[(*batch, j)])
    return scores


@variant("scores")
def scores_sequence_by_sequence(q, k):
    if q.ndim == 2:
        return np.dot(q, k.T)
    pairs = zip(q, k, strict=True)
    return np.stack([scores_sequence_by_sequence(one, other) for one, other in pairs])


@variant("scaling")
def scaled_by_the_power_of_minus_half(scores, d_k):
    return scores * d_k**-0.5


@variant("scaling")
def scaled_by_numpys_root(scores, d_k):
    return np.divide(scores, np.sqrt(d_k))


@variant("scaling")
def scaled_in_place_on_a_copy(scores, d_k):
    scaled = np.array(scores, dtype=np.float64)
    scaled /= math.sqrt(d_k)
    return scaled


@variant("scaling")
def scaled_in_the_scores_own_precision(scores, d_k):
    scores = scores if scores.dtype.kind == "f" else scores.astype(np.float64)
    return scores / np.asarray(math.sqrt(d_k), dtype=scores.dtype)


@variant("scaling")
def scaled_in_extended_precision(scores, d_k):
    return scores / np.sqrt(np.longdouble(d_k))


@variant("scaling")
def scaled_by_an_exponential(scores, d_k):
    return scores * math.exp(-math.log(d_k) / 2)


@variant("scaling")
def scaled_entry_by_entry(scores, d_k):
    scaled = [score / math.sqrt(d_k) for score in scores.ravel().tolist()]
    return np.array(scaled).reshape(scores.shape)


@variant("softmax")
def softmax_through_the_log_of_the_sum(scores):
    largest = np.max(scores, axis=-1, keepdims=True)
    logs = np.log(np.sum(np.exp(scores - largest), axis=-1, keepdims=True))
    return np.exp(scores - largest - logs)


@variant("softmax")
def softmax_in_extended_precision(scores):
    wide = scores.astype(np.longdouble)
    powers = np.exp(wide - wide.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@variant("softmax")
def softmax_row_by_row(scores):
    def of_row(row):
        powers = np.exp(row - row.max())
        return powers / powers.sum()

    return np.apply_along_axis(of_row, -1, np.asarray(scores, dtype=np.float64))


@variant("softmax")
def softmax_with_the_keys_in_front(scores):
    keys = np.moveaxis(scores, -1, 0)
    powers = np.exp(keys - keys.max(axis=0))
    return np.moveaxis(powers / powers.sum(axis=0), 0, -1)


@variant("softmax")
def softmax_by_new_axes_for_keepdims(scores):
    powers = np.exp(scores - np.amax(scores, -1)[..., None])
    return powers / np.einsum("...j->...", powers)[..., np.newaxis]


@variant("softmax")
def softmax_with_powers_of_two(scores):
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp2((scores - largest) * np.log2(np.e))
    return powers / powers.sum(axis=-1, keepdims=True)


@variant("softmax")
def softmax_in_blocks_of_keys(scores):
    blocks = [scores[..., at : at + 2] for at in range(0, scores.shape[-1], 2)]
    largest = np.maximum.reduce([block.max(axis=-1, keepdims=True) for block in blocks])
    powers = [np.exp(block - largest) for block in blocks]
    total = sum(power.sum(axis=-1, keepdims=True) for power in powers)
    return np.concatenate([power / total for power in powers], axis=-1)


@variant("softmax")
def softmax_in_place_on_a_copy(scores):
    weights = np.array(scores, dtype=np.float64)
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


@variant("softmax")
def softmax_shifted_a_little_below_the_maximum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True) + 1)
    return powers * (1 / powers.sum(axis=-1, keepdims=True))


@variant("output")
def output_by_einsum(weights, v):
    return np.einsum("...ij,...jd->...id", weights, v)


@variant("output")
def output_key_by_key(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for j in range(v.shape[-2]):
        output += weights[..., :, j, None] * v[..., None, j, :]
    return output


@variant("output")
def output_of_products_that_broadcast(weights, v):
    return np.sum(weights[..., None] * v[..., None, :, :], axis=-2)


@variant("output")
def output_of_transposes_turned_back(weights, v):
    columns = np.swapaxes(v, -1, -2) @ np.swapaxes(weights, -1, -2)
    return np.moveaxis(columns, -1, -2)


@variant("output")
def output_sequence_by_sequence(weights, v):
    output = np.empty((*weights.shape[:-1], v.shape[-1]))
    for place in np.ndindex(*weights.shape[:-2]):
        output[place] = np.tensordot(weights[place], v[place], axes=(1, 0))
    return output


@variant("output")
def output_of_weights_normalised_once_more(weights, v):
    return weights @ v / weights.sum(axis=-1, keepdims=True)


@variant("self_attention")
def attention_inline_with_scaled_queries(x, w_q, w_k, w_v):
    q = (x @ w_q) / np.sqrt(w_q.shape[1])
    scores = q @ np.swapaxes(x @ w_k, -1, -2)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    return weights @ (x @ w_v), weights


@variant("self_attention")
def attention_with_half_the_scaling_on_either_side(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    quarter = q.shape[-1] ** -0.25
    weights = softmax(attention_scores(q * quarter, k * quarter))
    return attention_output(weights, v), weights


@variant("self_attention")
def attention_composed_in_a_list(x, w_q, w_k, w_v):
    queries, keys, values = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(queries, keys), w_k.shape[-1]))
    return [attention_output(weights, values), weights]


@variant("self_attention")
def attention_by_one_matrix_for_both_sides(x, w_q, w_k, w_v):
    both = w_q @ w_k.T / math.sqrt(w_q.shape[1])
    weights = softmax(x @ both @ np.swapaxes(x, -1, -2))
    return (weights @ x) @ w_v, weights


@variant("self_attention")
def attention_query_by_query(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    rows = []
    for i in range(q.shape[-2]):
        scores = scale_scores(attention_scores(q[..., i : i + 1, :], k), q.shape[-1])
        rows.append(softmax(scores))
    weights = np.concatenate(rows, axis=-2)
    return attention_output(weights, v), weights


@variant("self_attention")
def attention_divided_at_the_end(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total = powers.sum(axis=-1, keepdims=True)
    return (powers @ v) / total, powers / total


@variant("self_attention")
def attention_in_double_precision(x, w_q, w_k, w_v):
    x, w_q, w_k, w_v = (np.array(one, dtype=np.float64) for one in (x, w_q, w_k, w_v))
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q /= math.sqrt(q.shape[-1])
    weights = softmax(attention_scores(q, k))
    return attention_output(weights, v), weights
