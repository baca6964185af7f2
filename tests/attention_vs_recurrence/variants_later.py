"""Other right answers to steps 3 to 6, in other arithmetic and other styles."""

import math
import statistics

import torch
from torch.autograd.functional import jacobian

from autograder.grading import variant


@variant("influence")
def influence_by_reverse_mode(layer, x):
    return torch.func.jacrev(layer)(x).square().sum(dim=(1, 3)).sqrt()


@variant("influence")
def influence_by_forward_mode(layer, x):
    return torch.func.jacfwd(layer)(x).permute(0, 2, 1, 3).flatten(2).norm(dim=-1)


@variant("influence")
def influence_by_a_vectorized_jacobian(layer, x):
    return torch.linalg.matrix_norm(jacobian(layer, x, vectorize=True).transpose(1, 2))


@variant("influence")
def influence_row_by_row(layer, x):
    tokens = x.detach().clone().requires_grad_()
    rows = []
    for token in layer(tokens):
        squares = torch.zeros(len(x), dtype=x.dtype)
        for feature in token:
            (by_input,) = torch.autograd.grad(feature, tokens, retain_graph=True)
            squares += by_input.square().sum(dim=-1)
        rows.append(squares.sqrt())
    return torch.stack(rows)


@variant("influence")
def influence_by_backward_passes(layer, x):
    tokens = x.clone().requires_grad_()
    y = layer(tokens)
    found = x.new_zeros(len(x), len(x))
    for i in range(y.shape[0]):
        for feature in range(y.shape[1]):
            tokens.grad = None
            y[i, feature].backward(retain_graph=True)
            found[i] += tokens.grad.norm(dim=-1) ** 2
    return found**0.5


@variant("influence")
def influence_token_by_token(layer, x):
    columns = []
    for j in range(len(x)):

        def moved(token, j=j):
            return layer(torch.cat([x[:j], token.unsqueeze(0), x[j + 1 :]]))

        columns.append(jacobian(moved, x[j]).flatten(1).norm(dim=1))
    return torch.stack(columns, dim=1)


@variant("costs", function="max_path_length")
def path_by_if(layer, n):
    if layer == "recurrent":
        return n
    return 1


@variant("costs", function="sequential_operations")
def waiting_as_a_power(layer, n):
    return n ** int(layer == "recurrent")


@variant("costs", function="complexity_per_layer")
def terms_from_their_common_part(layer, n, d):
    return n * d * (n if layer == "self-attention" else d)


@variant("costs", function="cheaper_layer")
def recurrence_unless_the_text_is_short(n, d):
    if d > n:
        return "self-attention"
    return "recurrent"


@variant("costs", function="state_size")
def state_by_match(layer, n, d):
    return d if layer == "recurrent" else sum(d for _ in range(n))


@variant("scaling", function="score_variance")
def queries_before_keys(d_k, num_pairs, generator):
    q = torch.randn(num_pairs, d_k, generator=generator, dtype=torch.float64)
    k = torch.randn(num_pairs, d_k, generator=generator, dtype=torch.float64)
    scores = torch.einsum("pd,pd->p", q, k)
    return [scores.var().item(), (scores / d_k**0.5).var().item()]


@variant("scaling", function="score_variance")
def mean_known_to_be_zero(d_k, num_pairs, generator):
    k, q = torch.randn(2, num_pairs, d_k, generator=generator)
    scores = (q * k).sum(1)
    return float((scores**2).mean()), float((scores**2).mean() / d_k)


@variant("scaling", function="score_variance")
def other_pairs_for_the_scaled_scores(d_k, num_pairs, generator):
    variances = []
    for scale in (1, math.sqrt(d_k)):
        q, k = torch.empty(2, num_pairs, d_k).normal_(generator=generator)
        variances.append(torch.var((q / scale * k).sum(dim=-1), correction=0).item())
    return tuple(variances)


@variant("scaling", function="score_variance")
def variance_of_pythons_own(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    scores = torch.linalg.vecdot(q, k).tolist()
    raw = statistics.fmean(score * score for score in scores) - statistics.fmean(scores) ** 2
    return raw, raw / d_k


@variant("scaling", function="softmax_gradient")
def derivative_by_autograd(scores):
    return jacobian(lambda one: torch.softmax(one, dim=-1), scores)


@variant("scaling", function="softmax_gradient")
def derivative_by_jacrev(scores):
    return torch.func.jacrev(lambda one: one.softmax(-1))(scores)


@variant("scaling", function="softmax_gradient")
def derivative_from_an_identity(scores):
    weights = torch.softmax(scores, dim=0)
    identity = torch.eye(len(scores), dtype=scores.dtype, device=scores.device)
    return weights[:, None] * (identity - weights[None, :])


@variant("scaling", function="softmax_gradient")
def derivative_by_softmax_of_ones_own(scores):
    powers = (scores - scores.max()).exp()
    weights = powers / powers.sum()
    return torch.diag_embed(weights) - weights.unsqueeze(1) @ weights.unsqueeze(0)


@variant("order")
def order_undone_by_the_inverse(layer, x, permutation):
    undone = layer(x[..., permutation, :])[..., torch.argsort(permutation), :]
    return torch.allclose(undone, layer(x))


@variant("order")
def order_by_index_select(layer, x, permutation):
    one = layer(x.index_select(-2, permutation))
    other = layer(x).index_select(-2, permutation)
    return bool(torch.isclose(one, other).all())


@variant("order")
def order_by_the_largest_difference(layer, x, permutation):
    difference = layer(x[..., permutation, :]) - layer(x)[..., permutation, :]
    return difference.abs().max().item() < 1e-8


@variant("order")
def order_by_a_matrix(layer, x, permutation):
    matrix = torch.eye(len(permutation), dtype=x.dtype)[permutation]
    return torch.allclose(layer(matrix @ x), matrix @ layer(x))
