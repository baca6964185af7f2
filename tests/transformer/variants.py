"""Other right answers to steps 1, 2, 4 and 6, in other arithmetic and other styles."""

import math

import torch
from torch.nn import functional

from autograder.grading import variant


@variant("masks", function="causal_mask")
def causal_mask_by_tril(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    if n_q > n_k:
        raise ValueError("more queries than keys")
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril(n_k - n_q)


@variant("masks", function="causal_mask")
def causal_mask_by_what_is_not_above_the_diagonal(n_q, n_k=None, device=None):
    n_k = n_k or n_q
    if n_k < n_q:
        raise ValueError
    return ~torch.triu(torch.ones((n_q, n_k), device=device), diagonal=n_k - n_q + 1).bool()


@variant("masks", function="causal_mask")
def causal_mask_cut_from_a_square(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    if n_q > n_k:
        raise ValueError("more queries than keys")
    return torch.tril(torch.ones(n_k, n_k, device=device))[n_k - n_q :] == 1


@variant("masks", function="padding_mask")
def padding_mask_with_two_new_axes(lengths, n):
    keys = torch.arange(n, dtype=lengths.dtype, device=lengths.device)
    return (keys[None, :] < lengths[:, None]).unsqueeze(1)


@variant("masks", function="padding_mask")
def padding_mask_of_what_is_not_padded(lengths, n):
    keys = torch.arange(n).to(lengths.device)
    return torch.logical_not(keys.expand(len(lengths), n) >= lengths.unsqueeze(-1))[:, None]


@variant("masks", function="padding_mask")
def padding_mask_by_a_sum_of_ones(lengths, n):
    counted = torch.ones(len(lengths), 1, n, device=lengths.device).cumsum(-1)
    return counted <= lengths.view(-1, 1, 1)


@variant("masks", function="combine_masks")
def combined_from_a_list(*masks):
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    combined = given[0]
    for mask in given[1:]:
        combined = torch.logical_and(combined, mask)
    return combined


@variant("masks", function="combine_masks")
def combined_by_products_of_truth_values(*masks):
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask.clone() if combined is None else combined * mask
    return combined


@variant("masks", function="combine_masks")
def combined_by_what_none_hides(*masks):
    hidden = None
    for mask in masks:
        if mask is not None:
            hidden = ~mask if hidden is None else hidden | ~mask
    return None if hidden is None else ~hidden


@variant("masked_attention")
def attention_with_nan_replaced(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = torch.nan_to_num(functional.softmax(scores, dim=-1))
    return weights @ v, weights


@variant("masked_attention")
def attention_with_the_lowest_number_and_hidden_weights(q, k, v, mask=None):
    scores = torch.matmul(q / math.sqrt(q.size(-1)), k.transpose(-1, -2))
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return [weights @ v, weights]


@variant("masked_attention")
def attention_by_einsum(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -math.inf)
        scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.einsum("...ij,...jd->...id", weights, v), weights


@variant("masked_attention")
def attention_with_half_the_scaling_on_either_side(q, k, v, mask=None):
    quarter = q.shape[-1] ** -0.25
    scores = (q * quarter) @ (k * quarter).transpose(-2, -1)
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        lowest = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)
        weights = torch.where(mask.any(dim=-1, keepdim=True), weights, torch.zeros_like(weights))
    return weights @ v, weights


@variant("masked_attention")
def attention_with_a_softmax_of_its_own(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    hidden = scores.masked_fill(~mask, -math.inf)
    largest = hidden.detach().amax(dim=-1, keepdim=True).clamp(min=torch.finfo(q.dtype).min)
    powers = torch.exp(hidden - largest)
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / torch.where(total > 0, total, torch.ones_like(total))
    return weights @ v, weights


@variant("masked_attention")
def attention_hidden_before_it_is_scaled(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=-1)
    weights = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


@variant("positions")
def positions_with_a_small_base(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    encoding = torch.zeros(n, d_model, device=device, dtype=wide)
    angles = torch.arange(n, device=device, dtype=wide).unsqueeze(1)
    angles = angles * 1e-4 ** (torch.arange(0, d_model, 2, device=device, dtype=wide) / d_model)
    encoding[:, 0::2] = torch.sin(angles)
    encoding[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return encoding.to(dtype)


@variant("positions")
def positions_by_an_exponential(n, d_model, device=None, dtype=None):
    dtype = dtype or torch.get_default_dtype()
    places = torch.arange(n, device=device, dtype=torch.float64)
    speeds = torch.exp(
        torch.arange(0, d_model, 2, device=device, dtype=torch.float64)
        * (-math.log(10000.0) / d_model)
    )
    angles = torch.outer(places, speeds)
    both = torch.stack((angles.sin(), angles.cos()), dim=2).reshape(n, -1)
    return both[:, :d_model].to(dtype)


@variant("positions")
def positions_column_by_column(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    places = torch.arange(n, device=device, dtype=torch.float64)
    columns = []
    for column in range(d_model):
        angles = places / 10000 ** (2 * (column // 2) / d_model)
        columns.append(torch.cos(angles) if column % 2 else torch.sin(angles))
    return torch.stack(columns, dim=1).to(dtype)


@variant("positions")
def positions_as_shifted_sines(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    columns = torch.arange(d_model, device=device)
    exponents = (columns - columns % 2).double() / d_model
    angles = torch.arange(n, device=device)[:, None] / 10000**exponents
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).to(dtype)


@variant("recall")
def trained_in_train_mode(model, batches, optimizer):
    model.train()
    losses = []
    for x, y in batches:
        optimizer.zero_grad(set_to_none=False)
        loss = functional.cross_entropy(model(x)[:, -1], y)
        losses.append(float(loss))
        loss.backward()
        optimizer.step()
    return losses


@variant("recall")
def trained_with_log_softmax(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        logs = torch.log_softmax(model(tokens)[..., -1, :], dim=-1)
        loss = -logs.gather(-1, targets.unsqueeze(-1)).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


@variant("recall")
def trained_with_a_module_for_the_loss(model, batches, optimizer):
    criterion = torch.nn.CrossEntropyLoss()

    def one_step(batch):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        loss = criterion(model(batch[0]).select(-2, -1), batch[1])
        loss.backward()
        optimizer.step()
        return loss.detach().item()

    return tuple(one_step(batch) for batch in batches)
