"""Three figures from your own steps: run `python experiment.py`; no check and no point needs it.

It computes with what stands in your step files and with the LSTM of recurrence.py, and writes
gradient_reach.png, costs.png and scaling.png beside itself, each with a caption that says what was
drawn and what it does not show. A figure whose steps are not written yet is left out. Every weight
is drawn from a fixed seed, so the same steps give the same figures.
"""

from __future__ import annotations

import importlib
import itertools
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from figures import NoMatplotlib, Panel, Picture, draw
from recurrence import lstm_states
from torch.utils.flop_counter import FlopCounterMode

HERE = Path(__file__).resolve().parent
Tensor = torch.Tensor

TOKENS, WIDTH, DRAWS = 24, 8, 3  # of the first figure
COST_WIDTH, COST_TOKENS = 64, (8, 16, 32, 64, 128)  # of the second
KEY_WIDTHS, KEYS, PAIRS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512), 32, 4000  # of the third


class NotDrawn(Exception):
    """Why a figure cannot be drawn, for whoever ran this."""


def own(module: str, name: str) -> Callable[..., Any]:
    """Your function of this name.

    Raises:
        NotDrawn: there is no such file or function; and, when it is called, it is not written yet.
    """
    try:
        function = getattr(importlib.import_module(module), name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise NotDrawn(f"{name} of {module}.py cannot be had: {error}") from None

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except NotImplementedError as error:
            raise NotDrawn(f"{module}.py is not written yet ({error})") from None

    return call


def drawn(generator: torch.Generator, *shape: int) -> Tensor:
    """Standard normals in double precision."""
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def weights(generator: torch.Generator, rows: int, columns: int) -> Tensor:
    """Normals of variance 1 / rows, so that a product keeps the spread of what comes in."""
    return drawn(generator, rows, columns) / math.sqrt(rows)


# --- Figure 1: how far a gradient reaches -------------------------------------------------------


def layers(seed: int) -> dict[str, Callable[[Tensor], Tensor]]:
    """The four layers, (n, WIDTH) → (n, WIDTH), with weights drawn from this seed, biases 0."""
    attend, read = own("step2_attention", "self_attention"), own("step1_rnn", "rnn_states")
    generator = torch.Generator().manual_seed(seed)
    w_q, w_k, w_v, w_x, w_h = (weights(generator, WIDTH, WIDTH) for _ in range(5))
    gates_x, gates_h = (weights(generator, WIDTH, 4 * WIDTH) for _ in range(2))
    none, no_gates = (torch.zeros(size, dtype=torch.float64) for size in (WIDTH, 4 * WIDTH))
    return {
        "attention": lambda x: attend(x, w_q, w_k, w_v)[0],
        "RNN": lambda x: read(x, w_x, w_h, none),
        "LSTM, forget bias 0": lambda x: lstm_states(x, gates_x, gates_h, no_gates, 0.0),
        "LSTM, forget bias 3": lambda x: lstm_states(x, gates_x, gates_h, no_gates, 3.0),
    }


def by_distance(found: Tensor) -> list[tuple[float, float]]:
    """Distance in tokens → the mean influence over all pairs so far apart, earlier on later."""
    n = len(found)
    return [(far, found.diagonal(-far).mean().item()) for far in range(n)]


def gradient_reach() -> Picture:
    """Influence against distance, at the start of training."""
    measure = own("step3_influence", "influence")
    curves: dict[str, list[list[tuple[float, float]]]] = {}
    for seed in range(DRAWS):
        x = drawn(torch.Generator().manual_seed(100 + seed), TOKENS, WIDTH)
        for name, layer in layers(seed).items():
            curves.setdefault(name, []).append(by_distance(measure(layer, x)))
    panel = Panel(
        f"{TOKENS} tokens of width {WIDTH}",
        "distance from the input token to the later output token",
        "influence: mean of ‖∂y_i / ∂x_j‖",
        {name: several[0] for name, several in curves.items()},
        (False, True),
        {name: several[1:] for name, several in curves.items()},
    )
    caption = (
        f"Influence of an input token on an output token by their distance, on {TOKENS} standard "
        "normal tokens: the mean over all pairs so far apart, of which there are few at the right "
        f"end. All weights are fresh and untrained, normal with variance 1/{WIDTH}, biases 0; the "
        f"draw of seed 0 has markers, {DRAWS - 1} more are thin lines. Path length is structural: "
        "1 step in attention, distance + 1 in the recurrent layers, whatever the weights. The size "
        "of a gradient is not: it differs from draw to draw, and other widths or biases give "
        "other curves. What training makes of them, and longer texts, over which attention shares "
        "out the same weight, are not shown."
    )
    return Picture("gradient_reach.png", "How far a gradient reaches", [panel], caption)


# --- Figure 2: what mixing and projecting cost --------------------------------------------------


def multiply_adds(layer: Callable[..., Any], *arguments: Tensor) -> int:
    """Multiplications inside matrix products in one call; a multiplication is two operations."""
    with FlopCounterMode(display=False) as counter:
        layer(*arguments)
    return counter.get_total_flops() // 2


def mixing_and_projecting(name: str, n: int, d: int) -> tuple[int, int]:
    """Multiply-adds that mix tokens, and those that project each token by itself.

    With tokens twice as wide and everything else as it was, projecting costs twice as much and
    mixing the same: so both are measured, whatever the layer is made of.
    """
    generator = torch.Generator().manual_seed(0)
    costs = []
    for width in (d, 2 * d):
        x = drawn(generator, 1, n, width)
        if name == "attention":
            arguments = [x, *(weights(generator, width, d) for _ in range(3))]
            costs.append(multiply_adds(own("step2_attention", "self_attention"), *arguments))
        else:
            zeros = torch.zeros(d, dtype=torch.float64)
            arguments = [x, weights(generator, width, d), weights(generator, d, d), zeros]
            costs.append(multiply_adds(own("step1_rnn", "rnn_states"), *arguments))
    projecting = costs[1] - costs[0]
    return costs[0] - projecting, projecting


def crossing(one: Iterable[tuple[float, float]], other: Iterable[tuple[float, float]]) -> float:
    """Where two lines of powers cross, between two measured points; NaN where they do not."""
    pairs = [(n, math.log(a / b)) for (n, a), (_, b) in zip(one, other, strict=True)]
    for (left, low), (right, high) in itertools.pairwise(pairs):
        if low <= 0 < high:
            return math.exp(
                math.log(left) - low * (math.log(right) - math.log(left)) / (high - low)
            )
    return math.nan


def costs() -> Picture:
    """Mixing and projection apart, against n, counted on your own steps 1 and 2."""
    d = COST_WIDTH
    lines: list[dict[str, list[tuple[float, float]]]] = [{}, {}]
    for name in ("attention", "RNN"):
        counted = [mixing_and_projecting(name, n, d) for n in COST_TOKENS]
        if min(map(min, counted)) <= 0:
            raise NotDrawn(f"the matrix products of your {name} cannot be counted")
        for panel, values in zip(lines, zip(*counted, strict=True), strict=True):
            panel[name] = list(zip(map(float, COST_TOKENS), map(float, values), strict=True))
    meet = crossing(*lines[0].values())
    totals = [
        [int(mixed + projected) for (_, mixed), (_, projected) in zip(*both, strict=True)]
        for both in ([line[name] for line in lines] for name in ("attention", "RNN"))
    ]
    axes = ("tokens n", "multiply-adds")
    mixing = Panel("Mixing tokens", *axes, lines[0], (True, True))
    mixing.guides = {"n = d": float(d)} | ({} if math.isnan(meet) else {"they cross": meet})
    projecting = Panel("Projecting each token", *axes, lines[1], (True, True))
    where = "they do not cross here" if math.isnan(meet) else f"they cross near n = {meet:.0f}"
    caption = (
        f"Multiply-adds inside matrix products, counted in one call of your steps 1 and 2; d = {d} "
        "for tokens, keys, values and state. Left, what n²·d and n·d² stand for. These leading "
        f"terms are equal at n = d = {d}; counted, {where}. Attention mixes in two products, "
        "scores and output, the RNN in one. Right, three matrices against one, linear in n for "
        f"both. Left and right together, at n = {COST_TOKENS[0]}: {totals[0][0]:,} for attention "
        f"against {totals[1][0]:,}; at n = {COST_TOKENS[-1]}: {totals[0][-1]:,} against "
        f"{totals[1][-1]:,}. Softmax, tanh and additions are not counted, and time is not shown: "
        "the RNN's products wait for each other, attention's do not."
    )
    return Picture(
        "costs.png", "What mixing and projecting cost", [mixing, projecting], caption, True
    )


# --- Figure 3: what scaling does ----------------------------------------------------------------


def entropy(d_k: int, factor: float, generator: torch.Generator) -> float:
    """Mean entropy of a row of your attention's weights, as a part of that of equal weights.

    Queries and keys are independent standard normals: the two halves of each token. The scores
    are multiplied by `factor` on top of your own scaling.
    """
    attend = own("step2_attention", "self_attention")
    x = drawn(generator, KEYS, 2 * d_k)
    halves = torch.eye(2 * d_k, dtype=torch.float64)
    _, shares = attend(x, factor * halves[:, :d_k], halves[:, d_k:], halves[:, :1])
    return -torch.xlogy(shares, shares).sum(dim=-1).mean().item() / math.log(KEYS)


def gradient_left(d_k: int, factor: float, generator: torch.Generator) -> float:
    """Mean Frobenius norm of the softmax's derivative, for scores of random queries and keys."""
    derivative = own("step5_scaling", "softmax_gradient")
    queries, keys = drawn(generator, KEYS, d_k), drawn(generator, KEYS, d_k)
    norms = [derivative(factor * (keys @ query)).norm().item() for query in queries]
    return sum(norms) / len(norms)


def scaling() -> Picture:
    """Variance of scores, entropy and gradient of the softmax against d_k."""
    measure = own("step5_scaling", "score_variance")
    names = "without scaling", "scaled by 1/√d_k"
    generator = torch.Generator().manual_seed(0)
    lines: list[dict[str, list[tuple[float, float]]]] = [
        {name: [] for name in names} for _ in "123"
    ]
    for d_k in KEY_WIDTHS:
        root = math.sqrt(d_k)
        rows = [
            measure(d_k, PAIRS, generator),
            [entropy(d_k, factor, generator) for factor in (root, 1.0)],
            [gradient_left(d_k, factor, generator) for factor in (1.0, 1 / root)],
        ]
        for panel, row in zip(lines, rows, strict=True):
            for name, value in zip(names, row, strict=True):
                panel[name].append((float(d_k), float(value)))
    width = "key width d_k"
    panels = [
        Panel("Spread of the scores", width, "variance", lines[0], (True, True)),
        Panel("Entropy of the weights", width, "1: all alike, 0: one key", lines[1], (True, False)),
        Panel("Gradient of the softmax", width, "mean ‖∂a / ∂s‖", lines[2], (True, False)),
    ]
    caption = (
        "Queries and keys of independent standard normals, seed 0, measured with your steps 5 and "
        f"2. Left: variance of {PAIRS} scores. Middle: mean entropy of a softmax over {KEYS} keys, "
        f"as a part of log {KEYS}; for the line without, your own scaling is undone. Right: mean "
        "Frobenius norm of the softmax's derivative. Unscaled, the scores spread with d_k and "
        "one key takes more and more of the weight; the gradient rises at first, while the softmax "
        "gets sharper, and falls once it is saturated. Scaled, all three stay about the same. "
        "Trained queries and keys are no independent normals: this is where training starts."
    )
    return Picture("scaling.png", "What scaling does to the softmax", panels, caption)


def main() -> int:
    """Draw what can be drawn; say of every other figure why not.

    Returns:
        0 when all of them were drawn.
    """
    torch.set_num_threads(1)  # so small tensors are slower with several
    missing = 0
    for picture in (gradient_reach, costs, scaling):
        try:
            made = picture()
            draw(made, HERE)
        except NotDrawn as reason:
            missing += 1
            print(f"{picture.__name__}: not drawn: {reason}")
        except NoMatplotlib as reason:
            print(reason)
            return 1
        else:
            print(f"{made.file}: {made.title}\n{made.text}\n")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
