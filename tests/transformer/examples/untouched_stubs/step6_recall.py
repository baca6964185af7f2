"""Step 6: training, which turns right formulas into a model that remembers.

Conventions: tokens are whole numbers, one sequence a row; the prediction is the last position's.
"""

from collections.abc import Iterable

from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer


def train(
    model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]], optimizer: Optimizer
) -> list[float]:
    """Take one step of the optimizer for each batch.

    A model's weights go against the gradient of the loss, a little for each batch: the loss tells
    how surprised the model was by the right answers (lesson "Transformers"; Vaswani et al. 2017,
    section 5).

        loss = mean over the batch of -log softmax(model(tokens)[..., -1, :])[target]

    Only the last position is asked: the answer comes after the whole sequence was read. The loss of
    a batch is taken before its step, and no gradient is left over from the batch before.

    Args:
        model: tokens (batch, n), whole numbers → logits (batch, n, vocabulary).
        batches: pairs of tokens (batch, n) and targets (batch,), whole numbers.
        optimizer: made with the model's parameters; has zero_grad() and step(), as all of torch's.

    Returns:
        the losses, a list of plain Python floats, one a batch, in their order.
    """
    raise NotImplementedError("step 6: train")
