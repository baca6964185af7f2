"""More known wrong answers to step 6: what the loss is of, and how often a batch is used."""

from functools import partial

import torch
from torch.nn import functional
from torch.nn.functional import cross_entropy

from autograder.grading import mistake

_wrong = partial(mistake, "recall")
afterwards = partial(
    _wrong,
    kind="loss taken after the step",
    symptom="Your losses are a step ahead. When was the model asked that the loss is about?",
    answer="Keep the loss that backward was called on; do not ask the model again.",
)
place = partial(
    _wrong,
    kind="another position than the last asked",
    symptom="Your loss takes in other positions. After which token is the answer asked for?",
    answer="`model(tokens)[..., -1, :]`, the last position only.",
)
another_loss = partial(
    _wrong,
    kind="another loss",
    symptom="A model that guesses does not have the loss of guessing. What is a logit, and a mean?",
    answer="`cross_entropy(logits, targets)`: it takes logits, and averages over the batch.",
)
not_every_batch = partial(
    _wrong,
    kind="not one step a batch",
    symptom="There are more steps than batches, or fewer. How often is each batch used?",
    answer="One pass over the batches, with one step each.",
)


@afterwards()
def loss_asked_for_again_after_the_step(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        step(optimizer, cross_entropy(last(model, tokens), targets))
        with torch.no_grad():
            losses.append(cross_entropy(last(model, tokens), targets).item())
    return losses


@place()
def mean_over_all_positions(model, batches, optimizer):
    def loss_of(model, tokens, targets):
        logits = model(tokens)
        everywhere = targets[:, None].expand(tokens.shape)
        return cross_entropy(logits.flatten(0, -2), everywhere.flatten())

    return each(model, batches, optimizer, loss_of)


@place()
def first_position_asked(model, batches, optimizer):
    return each(model, batches, optimizer, lambda m, x, y: cross_entropy(m(x)[..., 0, :], y))


@place()
def mean_of_the_logits_asked(model, batches, optimizer):
    return each(model, batches, optimizer, lambda m, x, y: cross_entropy(m(x).mean(-2), y))


@place()
def last_sequence_for_the_last_position(model, batches, optimizer):
    def loss_of(model, tokens, targets):
        return cross_entropy(model(tokens)[-1], targets[-1].expand(tokens.shape[-1]))

    return each(model, batches, optimizer, loss_of)


@place(
    kind="next token asked for",
    symptom="Your loss does not look at the targets. What is to be predicted?",
    answer="`cross_entropy(logits, targets)`, with the targets of the batch.",
)
def next_token_asked_for(model, batches, optimizer):
    def loss_of(model, tokens, targets):
        return cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())

    return each(model, batches, optimizer, loss_of)


@another_loss()
def sum_over_the_batch(model, batches, optimizer):
    return each(
        model,
        batches,
        optimizer,
        lambda m, x, y: cross_entropy(last(m, x), y, reduction="sum"),
    )


@another_loss()
def softmax_before_the_cross_entropy(model, batches, optimizer):
    return each(model, batches, optimizer, lambda m, x, y: cross_entropy(last(m, x).softmax(-1), y))


@another_loss()
def logits_taken_for_logarithms(model, batches, optimizer):
    return each(model, batches, optimizer, lambda m, x, y: functional.nll_loss(last(m, x), y))


@another_loss()
def squared_differences(model, batches, optimizer):
    def loss_of(model, tokens, targets):
        logits = last(model, tokens)
        wanted = functional.one_hot(targets, logits.shape[-1]).to(logits.dtype)
        return functional.mse_loss(logits.softmax(-1), wanted)

    return each(model, batches, optimizer, loss_of)


@another_loss()
def smoothed_labels(model, batches, optimizer):
    return each(
        model,
        batches,
        optimizer,
        lambda m, x, y: cross_entropy(last(m, x), y, label_smoothing=0.1),
    )


@not_every_batch()
def every_batch_twice(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        losses.append(step(optimizer, cross_entropy(last(model, tokens), targets)))
        step(optimizer, cross_entropy(last(model, tokens), targets))
    return losses


@not_every_batch()
def first_batch_again_and_again(model, batches, optimizer):
    if not batches:
        return []
    return each(
        model,
        [batches[0]] * len(batches),
        optimizer,
        lambda m, x, y: cross_entropy(last(m, x), y),
    )


@not_every_batch()
def a_step_for_every_other_batch(model, batches, optimizer):
    losses = []
    for at, (tokens, targets) in enumerate(batches):
        loss = cross_entropy(last(model, tokens), targets)
        if at % 2 == 0:
            step(optimizer, loss)
        losses.append(loss.item())
    return losses


@not_every_batch()
def batches_from_the_last_to_the_first(model, batches, optimizer):
    backwards = list(reversed(batches))
    return each(model, backwards, optimizer, lambda m, x, y: cross_entropy(last(m, x), y))


@not_every_batch()
def returns_inside_the_loop(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        losses.append(step(optimizer, cross_entropy(last(model, tokens), targets)))
        return losses
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
