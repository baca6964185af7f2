"""More known wrong answers to step 2: loops, work done twice, gradients, dtypes, devices."""

import math

import torch
from step2_attention import self_attention

from autograder.grading import mistake

token_by_token = mistake(
    "attention",
    kind="one token after the other",
    symptom="Your results are right, but more tokens take more operations, one after the other. "
    "What makes them wait for each other, when none needs what another has computed?",
    answer="No loop over tokens: `q @ k.transpose(-2, -1)` compares all of them at once.",
)


@token_by_token
def one_query_after_the_other(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = []
    for i in range(x.shape[-2]):
        scores = (q[..., i : i + 1, :] * k).sum(dim=-1) / math.sqrt(k.shape[-1])
        weights.append(torch.softmax(scores, dim=-1))
    return torch.stack(weights, dim=-2) @ v, torch.stack(weights, dim=-2)


@token_by_token
def a_list_of_rows(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    rows = [query.unsqueeze(-2) @ k.transpose(-2, -1) for query in q.unbind(dim=-2)]
    weights = torch.softmax(torch.cat(rows, dim=-2) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@token_by_token
def rows_written_into_a_buffer(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    n = x.shape[-2]
    weights, output = x.new_zeros(*x.shape[:-1], n), x.new_zeros(*x.shape[:-1], v.shape[-1])
    for i in range(n):
        scores = (q[..., i : i + 1, :] @ k.transpose(-2, -1)).squeeze(-2) / math.sqrt(k.shape[-1])
        row = torch.softmax(scores, dim=-1)
        weights[..., i, :] = row
        output[..., i, :] = (row.unsqueeze(-2) @ v).squeeze(-2)
    return output, weights


@token_by_token
def one_key_after_the_other(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    columns = [(q * key.unsqueeze(-2)).sum(dim=-1) for key in k.unbind(dim=-2)]
    weights = torch.softmax(torch.stack(columns, dim=-1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@token_by_token
def values_added_up_one_by_one(x, w_q, w_k, w_v):
    output, weights = self_attention(x, w_q, w_k, w_v)
    v, output = x @ w_v, torch.zeros_like(output)
    for j in range(x.shape[-2]):
        output = output + weights[..., :, j, None] * v[..., None, j, :]
    return output, weights


@token_by_token
def pair_by_pair(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    tokens = range(x.shape[-2])
    rows = [
        torch.stack([(q[..., i, :] * k[..., j, :]).sum(dim=-1) for j in tokens], dim=-1)
        for i in tokens
    ]
    weights = torch.softmax(torch.stack(rows, dim=-2) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@mistake(
    "attention",
    kind="projects every token anew for every query",
    symptom="Your results are right, but the work for each pair of tokens is that of a whole "
    "projection. What do you compute for every pair that depends on one token alone?",
    answer="Project once, x @ w_k and x @ w_v, and let all queries use the same keys and values.",
)
def keys_projected_for_each_query(x, w_q, w_k, w_v):
    n = x.shape[-2]
    copies = x.unsqueeze(-3).expand(*x.shape[:-2], n, n, x.shape[-1])
    q, k, v = x @ w_q, copies @ w_k, copies @ w_v
    scores = (k @ q.unsqueeze(-1)).squeeze(-1) / math.sqrt(w_k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return (weights.unsqueeze(-2) @ v).squeeze(-2), weights


overflows = mistake(
    "attention",
    kind="softmax without its maximum",
    symptom="Large scores give no weights at all, though only their differences count. What is "
    "exp of a few thousand?",
    answer="Use `torch.softmax`, or subtract each row's maximum before `torch.exp`.",
)


@overflows
def exponentials_of_the_scores_as_they_are(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    powers = torch.exp(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ v, weights


@overflows
def one_maximum_for_all_rows(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    powers = torch.exp(scores - scores.max())
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ v, weights


leaves_the_graph = mistake(
    "attention",
    kind="results leave the graph",
    symptom="Your results are right, but not everything that made them can learn from them. Where "
    "does a gradient end on its way back?",
    answer="Stay in the graph: no `detach`, `data`, `item`, `tolist`, NumPy or `no_grad`.",
)


@leaves_the_graph
def weights_returned_detached(x, w_q, w_k, w_v):
    output, weights = self_attention(x, w_q, w_k, w_v)
    return output, weights.detach()


@leaves_the_graph
def mixed_by_detached_weights(x, w_q, w_k, w_v):
    _, weights = self_attention(x, w_q, w_k, w_v)
    return weights.detach() @ (x @ w_v), weights


@leaves_the_graph
def computed_without_gradients(x, w_q, w_k, w_v):
    with torch.no_grad():
        return self_attention(x, w_q, w_k, w_v)


@leaves_the_graph
def queries_detached(x, w_q, w_k, w_v):
    output, weights = self_attention(x, w_q.detach(), w_k, w_v)
    return output, weights


@mistake(
    "attention",
    kind="goes through NumPy",
    symptom="Your results are right, but they come from numbers without a graph and without a "
    "device. Which line leaves torch?",
    answer="Stay in torch from the first line to the last: `torch.softmax`, not `np.exp`.",
)
def computed_in_numpy(x, w_q, w_k, w_v):
    wide = (a.detach().double().numpy() for a in (x, w_q, w_k, w_v))
    results = self_attention(*map(torch.from_numpy, wide))
    return tuple(one.to(x.dtype) for one in results)


another_dtype = mistake(
    "attention",
    kind="results of another dtype",
    symptom="Your results do not have the dtype of the tokens. Which line decides it?",
    answer="Leave out `.float()` and `dtype=`: what is made of x has the dtype of x.",
)


@another_dtype
def results_in_single_precision(x, w_q, w_k, w_v):
    return self_attention(*(a.float() for a in (x, w_q, w_k, w_v)))


@another_dtype
def results_in_double_precision(x, w_q, w_k, w_v):
    return self_attention(*(a.double() for a in (x, w_q, w_k, w_v)))


@another_dtype
def weights_in_single_precision(x, w_q, w_k, w_v):
    output, weights = self_attention(x, w_q, w_k, w_v)
    return output, weights.float()


@mistake(
    "attention",
    kind="rounded on the way",
    symptom="Your results are nearly right: digits are lost on the way. Which line narrows them?",
    answer="Leave out the change of dtype: compute in the dtype of x.",
)
def softmax_in_single_precision(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores.float(), dim=-1).to(x.dtype)
    return weights @ v, weights


on_the_cpu = mistake(
    "attention",
    kind="a tensor made on the CPU",
    symptom="Your results are right, on the CPU. Where is a tensor made when nobody says where?",
    answer="Say `device=x.device`, or use `x.new_zeros(...)`, for every tensor that you make.",
)


@on_the_cpu
def room_for_the_scores_on_the_cpu(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    n = x.shape[-2]
    scores = torch.zeros(n, n, dtype=x.dtype) + q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@on_the_cpu
def ones_that_hide_nothing_on_the_cpu(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    nobody = torch.ones(x.shape[-2], x.shape[-2]) == 0
    weights = torch.softmax(scores.masked_fill(nobody, float("-inf")), dim=-1)
    return weights @ v, weights


@on_the_cpu
def results_moved_to_the_cpu(x, w_q, w_k, w_v):
    output, weights = self_attention(x, w_q, w_k, w_v)
    return output.cpu(), weights.cpu()


@mistake(
    "attention",
    kind="writes into its arguments",
    symptom="After a call an argument is not what it was. Which line changes a tensor not yours?",
    answer="`/=` and methods that end in `_` change a tensor in place: divide into a new one.",
)
def query_weights_scaled_in_place(x, w_q, w_k, w_v):
    w_q.detach().div_(math.sqrt(w_q.shape[-1]))
    weights = torch.softmax(x @ w_q @ (x @ w_k).transpose(-2, -1), dim=-1)
    return weights @ (x @ w_v), weights
