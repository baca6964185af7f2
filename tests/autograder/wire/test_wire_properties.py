"""What is sent comes back the same; what cannot be sent is named by a kind of ours, and no more."""

from __future__ import annotations

import dataclasses
import enum
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import wire
from autograder.wire.frames import MAX_HEAD
from autograder.wire.nodes import MAX_BODY, MAX_DEPTH, MAX_NODES, MAX_TEXT

from ..fuzzing import examples, ndarrays, values

TOO_LARGE = wire.Foreign("a structure too large to send")


def returned(*sent: object) -> list[wire.Value]:
    """Through `Done` as a worker sends it, to what the grading process reads."""
    head, buffers = wire.encode_done(7, sent, "")
    reply = wire.decode_reply(head)
    assert isinstance(reply, wire.Done)
    return wire.decode_values(reply.nodes, b"".join(buffers))


def passed(sent: list[object]) -> list[wire.Value]:
    """Through `Call` as the grading process sends it, to what a worker reads."""
    head, buffers = wire.encode_call(7, "m", "f", [], sent)
    request = wire.decode_request(head)
    assert isinstance(request, wire.Call)
    return wire.decode_values(request.arguments, b"".join(buffers))


def same(one: object, other: object) -> bool:
    """Equal in type, structure, shape, dtype and every bit but the payload of a NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        equal_nan = one.dtype.kind in "fc"
        return (one.shape, one.dtype) == (other.shape, other.dtype) and np.array_equal(
            one, other, equal_nan=equal_nan
        )
    if isinstance(one, dict):
        assert isinstance(other, dict)
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        assert isinstance(other, (list, tuple))
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


@examples(150)
@given(values)
def test_every_value_crosses_unchanged_in_both_directions(value):
    """Every dtype, shape and container, nested in any way, both as an argument and as a value."""
    assert same(returned(value)[0], value)
    assert same(passed([value])[0], value)


@examples(150)
@given(ndarrays, st.data())
def test_an_array_crosses_however_it_lies_in_memory(array, data):
    """Reversed, transposed, strided and big-endian arrays arrive as plain ones of equal values."""
    axes = data.draw(st.permutations(range(array.ndim)))
    steps = tuple(slice(None, None, data.draw(st.sampled_from([-2, -1, 1, 3]))) for _ in axes)
    odd = array.transpose(axes)[steps].astype(array.dtype.newbyteorder(">"))

    (back,) = returned(odd)

    assert same(back, np.array(odd, dtype=array.dtype))
    assert back.flags.c_contiguous
    assert back.flags.writeable


class Grudge(AssertionError):
    """Student code ran where only our own should."""


def grudging(base: type) -> type:
    """A subclass that lets nobody use a single one of its overridden methods."""

    def refuse(self, *arguments, **named):
        raise Grudge

    names = set(dir(base)) - {"__new__", "__init__", "__class__", "__getattribute__"}
    body = {name: refuse for name in names if callable(getattr(base, name))}
    return type("Mine", (base,), {**body, "__reduce__": refuse, "__array_finalize__": None})


class Mine(np.ndarray):
    """An array class that answers every question in its own favour."""

    def __array_ufunc__(self, *_, **__):
        raise Grudge

    __array_function__ = __array__ = __eq__ = __reduce__ = tobytes = astype = __array_ufunc__
    shape = dtype = nbytes = size = property(__array_ufunc__)


class Weekday(enum.IntEnum):
    """An honest subclass of int."""

    MONDAY = 1


ORDINARY = [
    (grudging(int)(3), 3),
    (grudging(float)(0.5), 0.5),
    (grudging(str)("text"), "text"),
    (grudging(list)([1, 2]), [1, 2]),
    (grudging(tuple)((1, 2)), (1, 2)),
    (grudging(dict)({"a": 1}), {"a": 1}),
    (Weekday.MONDAY, 1),
    (np.str_("text"), "text"),
    (np.float32(0.5), np.array(0.5, np.float32)),
    (np.arange(3.0).view(Mine), np.arange(3.0)),
    (np.ma.masked_array([1.0, 2.0], [True, False]), np.array([1.0, 2.0])),
    (np.longdouble(1.5), np.array(1.5)),
    ("\ud800", "?"),
    ({"\udfff": 1}, {"?": 1}),
]


@pytest.mark.parametrize(("value", "plain"), ORDINARY, ids=lambda value: type(value).__name__)
def test_a_subclass_crosses_as_its_plain_base(value, plain):
    """Nothing of a class crosses, and not one method that it overrides is called on the way."""
    assert same(returned(value)[0], plain)


class Reducible:
    """Would run a command when unpickled."""

    def __reduce__(self):
        return print, ("unpickled",)


class Liar:
    """Claims to be whatever is asked for."""

    def __init__(self, claim):
        self.claim = claim

    @property
    def __class__(self):
        return self.claim


@dataclasses.dataclass
class Record:
    """msgspec would encode it, if it were asked."""

    a: int = 1


def str_of_kind(value: object) -> str:
    """A kind names the case; the value's own words do not."""
    return value if isinstance(value, str) and value in wire.FOREIGN_KINDS else type(value).__name__


UNSENDABLE = [
    (np.array([object()]), "an array of objects"),
    (np.zeros(3, [("a", "f4"), ("b", "O")]), "an array of objects"),
    (np.array(["text"]), "an array of objects"),
    (np.datetime64("2026-01-01"), "an array of objects"),
    (np.clongdouble(1), "an array of objects"),
    (np.zeros(2, "V2"), "an array of objects"),  # as wide as a bfloat16
    (print, "a function"),
    (Liar, "a function"),
    ((one for one in "a"), "a generator"),
    ({1, 2}, "a set"),
    (b"bytes", "bytes"),
    (memoryview(b"bytes"), "bytes"),
    (1 << 63, "an integer too large to send"),
    ("x" * (MAX_TEXT + 1), "text too long to send"),
    ([0] * MAX_NODES, TOO_LARGE.kind),
    (np.broadcast_to(np.uint8(0), (MAX_BODY + 1,)), TOO_LARGE.kind),
    (np.broadcast_to(1.0, (1 << 28, 1 << 28)), TOO_LARGE.kind),
    ({1: 2}, "an object of another kind"),
    (1j, "an object of another kind"),
    (Reducible(), "an object of another kind"),
    (Record(), "an object of another kind"),
    (Liar(bool), "an object of another kind"),
    (Liar(int), "an object of another kind"),
    (Liar(np.ndarray), "an object of another kind"),
]
TOO_MUCH_TEXT = [
    ({"x" * MAX_HEAD: 1}, TOO_LARGE.kind),
    (["x" * MAX_TEXT] * 20, TOO_LARGE.kind),
]


@pytest.mark.parametrize(("value", "kind"), UNSENDABLE + TOO_MUCH_TEXT, ids=str_of_kind)
def test_what_cannot_be_sent_is_named_from_a_fixed_list(value, kind):
    """In a reply it becomes `Foreign`; a name that a student chose never crosses."""
    assert kind in wire.FOREIGN_KINDS
    assert returned(value) == [wire.Foreign(kind)]
    assert returned((value, 1.0))[0] in {(wire.Foreign(kind), 1.0), TOO_LARGE}


@pytest.mark.parametrize(("value", "kind"), UNSENDABLE, ids=str_of_kind)
def test_an_argument_that_cannot_be_sent_is_the_graders_fault(value, kind):
    """The grading process says so at once; the student never meets a placeholder."""
    with pytest.raises(TypeError, match=f"an argument of f cannot be sent: {kind}"):
        wire.encode_call(1, "m", "f", [], [[value]])


def test_a_structure_without_end_is_too_large():
    """A list that holds itself is no recursion of ours."""
    endless: list[object] = []
    endless.append(endless)

    assert returned(endless) == [TOO_LARGE]


def test_the_bounds_are_the_same_on_both_sides():
    """What is just small enough to be sent is just small enough to be read."""
    deepest: list[object] = []
    for _ in range(MAX_DEPTH - 1):
        deepest = [deepest]

    for value in (deepest, [None] * (MAX_NODES - 1), "x" * MAX_TEXT, np.zeros(MAX_BODY, np.int8)):
        assert same(returned(value)[0], value)


def test_arguments_too_large_to_come_back_do_not_cost_the_value():
    """What a function returns is sent alone, when its arguments have grown past the bounds."""
    grown = [0] * MAX_NODES

    assert returned(1.5, np.ones(2), grown) == [1.5]
    assert returned(grown, np.ones(2)) == [TOO_LARGE, pytest.approx(np.ones(2))]


def test_bytes_of_a_bool_array_are_never_anything_but_0_and_1():
    """Any other byte would be a truth value that equals neither."""
    head, _ = wire.encode_done(1, [np.array([True, False, True])], "")

    (back,) = wire.decode_values(wire.decode_reply(head).nodes, b"\x02\x00\xff")

    assert back.view(np.uint8).tolist() == [1, 0, 1]


def test_overflow_of_a_long_double_is_infinite():
    """The grader's own arithmetic is float64: what does not fit it is inf, as numpy says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (back,) = returned(np.longdouble("1e400"))

    assert back == np.inf
