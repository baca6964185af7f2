"""More known wrong answers to step 4: base, positions, digits and devices."""

import math
from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "positions")
base = partial(
    _wrong,
    kind="another base",
    symptom="Your slowest waves have the wrong length. Which number is raised to a power?",
    answer="The base is 10000.",
)
position = partial(
    _wrong,
    kind="positions counted otherwise",
    symptom=(
        "Your angles begin elsewhere, or are spread over the length. Which number is the first?"
    ),
    answer="Positions are 0, 1, …, n - 1, whatever n is.",
)
angle = partial(
    _wrong,
    kind="angle put together otherwise",
    symptom="Your angles are not position over a power. What happens to them from pair to pair?",
    answer="`positions / 10000**exponents`: the angle is smaller for each next pair.",
)
digits = partial(
    _wrong,
    kind="digits lost on the way",
    symptom="You lose digits that the result could hold. In which dtype are the angles computed?",
    answer="Compute in float64 if that is asked for, else in float32, and round at the end.",
)
dtype_ignored = partial(
    _wrong,
    kind="dtype not as asked for",
    symptom="Your result has another dtype than was asked for. Where does dtype come in?",
    answer="End with `.to(dtype)`; without one it is torch's default.",
)
elsewhere = partial(
    _wrong,
    kind="made on another device",
    symptom="Your positions are not made where they are asked for. Which call does not know of it?",
    answer="Hand device on to every call that makes a tensor: `torch.arange(n, device=device)`.",
)


@base()
def base_of_a_thousand(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, base=1000.0)


@base()
def base_of_a_hundred_thousand(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, base=100000.0)


@base()
def base_e(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, base=math.e)


@position()
def positions_from_one_on(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, first=1)


@position()
def positions_as_parts_of_the_length(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype) / n
    both = interleaved(angles.sin(), angles.cos(), d_model)
    return both.to(dtype or torch.get_default_dtype())


@position()
def positions_from_the_end(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype).flip(0)


@angle()
def multiplied_in_place_of_divided(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, base=1e-4)


@angle()
def whole_turns(n, d_model, device=None, dtype=None):
    angles = 2 * math.pi * angles_of(n, d_model, device, dtype)
    both = interleaved(angles.sin(), angles.cos(), d_model)
    return both.to(dtype or torch.get_default_dtype())


@angle()
def angles_themselves(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    return interleaved(angles, angles, d_model).to(dtype or torch.get_default_dtype())


@angle()
def same_vector_for_every_position(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype)[:1].repeat(n, 1)


@digits()
def single_precision_in_between(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device).to(dtype or torch.get_default_dtype())


@digits()
def computed_in_the_dtype_itself(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    positions = torch.arange(n, device=device).to(dtype)
    exponents = torch.arange(0, d_model, 2, device=device).to(dtype) / d_model
    angles = positions[:, None] / 10000**exponents
    return interleaved(angles.sin(), angles.cos(), d_model).to(dtype)


@digits()
def positions_rounded_to_the_dtype(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    precise = torch.promote_types(dtype, torch.float32)
    positions = torch.arange(n, device=device).to(dtype).to(precise)
    even = torch.arange(0, d_model, 2, device=device, dtype=precise)
    angles = positions[:, None] / 10000 ** (even / d_model)
    return interleaved(angles.sin(), angles.cos(), d_model).to(dtype)


@dtype_ignored()
def always_in_single_precision(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device)


@dtype_ignored()
def always_in_double_precision(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, torch.float64)


@elsewhere()
def positions_without_device(n, d_model, device=None, dtype=None):
    return waves(n, d_model, None, dtype)


@elsewhere()
def buffer_without_device(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    encoding = torch.zeros(n, d_model, dtype=angles.dtype)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()[:, : d_model // 2]
    return encoding.to(dtype or torch.get_default_dtype())


def waves(n, d_model, device=None, dtype=None, *, base=10000.0, first=0, exponents=None):
    """Right but for what is asked for.

    Args:
        exponents: of the columns' pairs, from 2i: right by default.
    """
    dtype = torch.get_default_dtype() if dtype is None else dtype
    precise = torch.promote_types(dtype, torch.float32)
    positions = torch.arange(first, n + first, device=device, dtype=precise)
    even = torch.arange(0, d_model, 2, device=device, dtype=precise)
    angles = positions[:, None] / base ** (even / d_model if exponents is None else exponents(even))
    return interleaved(angles.sin(), angles.cos(), d_model).to(dtype)


def interleaved(first, second, d_model):
    """Columns of both in turn."""
    return torch.stack([first, second], dim=-1).flatten(-2)[:, :d_model]


def angles_of(n, d_model, device=None, dtype=None):
    """Right angles (n, pairs), in at least single precision."""
    precise = torch.promote_types(dtype or torch.get_default_dtype(), torch.float32)
    positions = torch.arange(n, device=device, dtype=precise)
    even = torch.arange(0, d_model, 2, device=device, dtype=precise)
    return positions[:, None] / 10000 ** (even / d_model)
