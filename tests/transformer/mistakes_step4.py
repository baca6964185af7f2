"""Known wrong answers to step 4: columns and their waves. What comes first is the more fundamental;
mistakes_step4_numbers.py goes on."""

from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "positions")
shape = partial(
    _wrong,
    kind="another shape than a row a position",
    symptom="Your positions do not stand in rows, or have more axes. What is row i of it about?",
    answer="(n, d_model), one position a row; whoever adds it broadcasts over the batch.",
)
odd = partial(
    _wrong,
    kind="odd width",
    symptom="At an odd width your last column is not what it should be, or nothing is. What is it?",
    answer="There is one sine more than cosines: make whole pairs, then cut to `d_model` columns.",
)
halves = partial(
    _wrong,
    kind="sines and cosines not side by side",
    symptom="The values are there, but in other columns. Where does the cosine of an angle stand?",
    answer="Column 2i is a sine, column 2i + 1 the cosine of the same angle.",
)
swapped = partial(
    _wrong,
    kind="sine and cosine exchanged",
    symptom="Your first position begins with one. What is the sine of zero?",
    answer="Even columns are sines, odd ones cosines.",
)
frequency = partial(
    _wrong,
    kind="another exponent",
    symptom=(
        "Your waves slow down too fast, too slowly or not at all. What is the exponent of a pair?"
    ),
    answer="Both columns of pair i have the exponent 2i / d_model.",
)
not_paired = partial(
    _wrong,
    kind="a cosine with an angle of its own",
    symptom="Sine and cosine of a pair have two angles in yours. What do their squares sum to?",
    answer="The cosine takes the same exponent as its sine, 2i / d_model.",
)
base = partial(
    _wrong,
    kind="another base",
    symptom="Your slowest waves have the wrong length. Which number is raised to a power?",
    answer="The base is 10000.",
)


@_wrong(
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with a `return`: without one, a function gives its caller None.",
)
def positions_not_returned(n, d_model, device=None, dtype=None):
    waves(n, d_model, device, dtype)


@shape()
def with_a_batch_axis(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype)[None]


@shape()
def positions_as_columns(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype).T


@shape()
def last_position_only(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype)[-1]


@odd()
def as_many_cosines_as_sines(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    encoding = torch.zeros(n, d_model, device=device, dtype=angles.dtype)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding.to(dtype or torch.get_default_dtype())


@odd()
def one_column_too_many(n, d_model, device=None, dtype=None):
    return waves(n, d_model + d_model % 2, device, dtype)


@odd()
def last_column_left_at_zero(n, d_model, device=None, dtype=None):
    encoding = waves(n, d_model, device, dtype)
    if d_model % 2:
        encoding[:, -1] = 0
    return encoding


@odd()
def ends_on_a_cosine(n, d_model, device=None, dtype=None):
    encoding = waves(n, d_model, device, dtype)
    if d_model % 2:
        encoding[:, -1] = angles_of(n, d_model, device, dtype)[:, -1].cos()
    return encoding


@odd()
def angles_of_the_next_even_width(n, d_model, device=None, dtype=None):
    return waves(n, d_model + d_model % 2, device, dtype)[:, :d_model]


@halves()
def sines_first_and_then_cosines(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    both = torch.cat([angles.sin(), angles.cos()], dim=-1)[:, :d_model]
    return both.to(dtype or torch.get_default_dtype())


@halves()
def both_written_to_the_even_columns(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    both = interleaved(angles.sin() + angles.cos(), torch.zeros_like(angles), d_model)
    return both.to(dtype or torch.get_default_dtype())


@halves()
def only_sines(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    both = interleaved(angles.sin(), angles.sin(), d_model)
    return both.to(dtype or torch.get_default_dtype())


@swapped()
def cosines_before_sines(n, d_model, device=None, dtype=None):
    angles = angles_of(n, d_model, device, dtype)
    both = interleaved(angles.cos(), angles.sin(), d_model)
    return both.to(dtype or torch.get_default_dtype())


@frequency()
def step_of_two_doubled(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, exponents=lambda even: 2 * even / d_model)


@frequency()
def pair_number_over_the_width(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, exponents=lambda even: even / 2 / d_model)


@frequency()
def divided_by_the_number_of_pairs_less_one(n, d_model, device=None, dtype=None):
    return waves(
        n, d_model, device, dtype, exponents=lambda even: even / 2 / max(d_model // 2 - 1, 1)
    )


@frequency()
def whole_number_division(n, d_model, device=None, dtype=None):
    return waves(n, d_model, device, dtype, exponents=lambda even: even // d_model)


@frequency()
def exponent_to_the_power_of_the_base(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    precise = torch.promote_types(dtype, torch.float32)
    positions = torch.arange(n, device=device, dtype=precise)
    even = torch.arange(0, d_model, 2, device=device, dtype=precise)
    angles = positions[:, None] * (even / d_model) ** 1e-4
    return interleaved(angles.sin(), angles.cos(), d_model).to(dtype)


@not_paired()
def every_column_with_its_own_exponent(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    precise = torch.promote_types(dtype, torch.float32)
    columns = torch.arange(d_model, device=device, dtype=precise)
    positions = torch.arange(n, device=device, dtype=precise)
    angles = positions[:, None] / 10000 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).to(dtype)


@not_paired()
def twice_the_column_for_the_exponent(n, d_model, device=None, dtype=None):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    precise = torch.promote_types(dtype, torch.float32)
    columns = torch.arange(d_model, device=device, dtype=precise)
    positions = torch.arange(n, device=device, dtype=precise)
    angles = positions[:, None] / 10000 ** (2 * columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).to(dtype)


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
