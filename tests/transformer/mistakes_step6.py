"""Known wrong answers to step 6: what is returned, and when a step is taken. What comes first is
the more fundamental; mistakes_step6_loss.py goes on."""

from functools import partial

import torch
from torch.nn.functional import cross_entropy

from autograder.grading import mistake

_wrong = partial(mistake, "recall")
returned = partial(
    _wrong,
    kind="losses not returned as a list of numbers",
    symptom=(
        "You do not return one plain number for each batch. What does your caller make a curve of?"
    ),
    answer="`losses.append(loss.item())` for every batch, and `return losses`.",
)
no_learning = partial(
    _wrong,
    kind="no step of the optimizer",
    symptom="The weights are what they were. Which two calls make a gradient, and a step along it?",
    answer="For every batch: `loss.backward()`, then `optimizer.step()`.",
)
left_over = partial(
    _wrong,
    kind="gradients not set to zero",
    symptom="What a batch taught is taught again by the next. What does backward add to?",
    answer="`optimizer.zero_grad()` before every `loss.backward()`.",
)
order = partial(
    _wrong,
    kind="calls in another order",
    symptom=(
        "Your steps are not taken along the gradient of their own batch. What comes before what?"
    ),
    answer="zero_grad, then backward, then step, once for each batch.",
)


@returned()
def losses_not_returned(model, batches, optimizer):
    each(model, batches, optimizer, lambda m, x, y: cross_entropy(last(m, x), y))


@returned()
def losses_as_tensors(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        step(optimizer, loss)
        losses.append(loss.detach())
    return losses


@returned()
def only_the_last_loss(model, batches, optimizer):
    loss = 0.0
    for tokens, targets in batches:
        loss = step(optimizer, cross_entropy(last(model, tokens), targets))
    return loss


@returned()
def only_the_mean_of_the_losses(model, batches, optimizer):
    losses = each(model, batches, optimizer, lambda m, x, y: cross_entropy(last(m, x), y))
    return sum(losses) / max(len(losses), 1)


@returned()
def losses_after_the_first(model, batches, optimizer):
    return each(model, batches, optimizer, lambda m, x, y: cross_entropy(last(m, x), y))[1:]


@returned(
    kind="another number than the loss returned",
    symptom="The weights are right, the losses are not. What is the loss of one batch?",
    answer="Each batch's own loss, as it is: no running mean and no sum over batches.",
)
def running_mean_of_the_losses(model, batches, optimizer):
    losses, smooth = [], None
    for tokens, targets in batches:
        loss = step(optimizer, cross_entropy(last(model, tokens), targets))
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        losses.append(smooth)
    return losses


@returned(
    kind="another number than the loss returned",
    symptom="The weights are right, the losses are not. What is the loss of one batch?",
    answer="Each batch's own loss, as it is: no running mean and no sum over batches.",
)
def sum_of_the_losses_so_far(model, batches, optimizer):
    losses, total = [], 0.0
    for tokens, targets in batches:
        total += step(optimizer, cross_entropy(last(model, tokens), targets))
        losses.append(total)
    return losses


@returned(
    kind="another number than the loss returned",
    symptom="The weights are right, the losses are not. What is the loss of one batch?",
    answer="Each batch's own loss, as it is: not rounded.",
)
def losses_rounded(model, batches, optimizer):
    losses = each(model, batches, optimizer, lambda m, x, y: cross_entropy(last(m, x), y))
    return [round(loss, 3) for loss in losses]


@no_learning()
def no_step(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
    return losses


@no_learning()
def no_backward(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


@no_learning()
def nothing_but_the_losses(model, batches, optimizer):
    with torch.no_grad():
        return [cross_entropy(last(model, x), y).item() for x, y in batches]


@left_over()
def gradients_never_set_to_zero(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@left_over()
def gradients_set_to_zero_once(model, batches, optimizer):
    optimizer.zero_grad()
    return gradients_never_set_to_zero(model, batches, optimizer)


@no_learning()
def gradients_set_to_zero_before_the_step(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


@order()
def step_before_backward(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        optimizer.step()
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
    return losses


@order()
def up_the_gradient(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = -cross_entropy(last(model, tokens), targets)
        losses.append(-step(optimizer, loss))
    return losses


@order(
    kind="one step for all batches",
    symptom="You take a single step at the end. How many batches are there, and how many steps?",
    answer="A step for each batch, inside the loop.",
)
def one_step_for_all_batches(model, batches, optimizer):
    optimizer.zero_grad()
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        loss.backward()
        losses.append(loss.item())
    if losses:
        optimizer.step()
    return losses


@order(
    kind="an optimizer of one's own",
    symptom="Your steps have another length than the optimizer's. Which optimizer takes them?",
    answer="Use the optimizer that is given, and do not change it.",
)
def an_optimizer_of_its_own(model, batches, optimizer):
    own = torch.optim.Adam(model.parameters(), lr=1e-3)
    return each(model, batches, own, lambda m, x, y: cross_entropy(last(m, x), y))


@order(
    kind="gradients cut to a length",
    symptom=(
        "Your steps have another length than the gradient's. What is done to it before the step?"
    ),
    answer="Take the gradients as they are.",
)
def gradients_clipped(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        loss = cross_entropy(last(model, tokens), targets)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        losses.append(loss.item())
    return losses


def last(model, tokens):
    """What most get right."""
    return model(tokens)[..., -1, :]


def step(optimizer, loss):
    """What most get right."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def each(model, batches, optimizer, loss_of):
    """A right loop around a loss."""
    return [step(optimizer, loss_of(model, tokens, targets)) for tokens, targets in batches]
