"""Tensors cross with every bit, of every real dtype; where torch is not there, nothing pretends."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import wire
from autograder.wire.nodes import MAX_BODY
from autograder.wire.tensors import torch_here

from ..fuzzing import damaged, examples, wounds
from .test_wire_properties import passed, returned

torch = pytest.importorskip("torch")
REAL = (
    *(torch.bool, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.uint8, torch.uint16, torch.uint32, torch.uint64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
)


@st.composite
def tensors(draw):
    """Any bits of any real dtype, NaN with every payload among them."""
    dtype = draw(st.sampled_from(REAL))
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    count = torch.Size(shape).numel()
    width = torch.empty((), dtype=dtype).element_size()
    raw = draw(st.binary(min_size=count * width, max_size=count * width))
    flat = torch.tensor(list(raw), dtype=torch.uint8)
    return (flat % 2 == 1 if dtype == torch.bool else flat.view(dtype)).reshape(shape)


def bits(tensor):
    """Its dtype, shape and every bit."""
    flat = tensor.detach().contiguous().reshape(-1)
    return tensor.dtype, tensor.shape, flat.view(torch.uint8).tolist()


@examples(150)
@given(tensors())
def test_a_tensor_crosses_bit_by_bit_in_both_directions(tensor):
    """Every real dtype and shape, bfloat16 as its 16 bits, as an argument and as a value."""
    assert bits(returned(tensor)[0]) == bits(tensor)
    assert bits(passed([{"a": [tensor]}])[0]["a"][0]) == bits(tensor)


@examples(50)
@given(tensors(), st.data())
def test_a_tensor_crosses_however_it_lies_in_memory(tensor, data):
    """Transposed, strided and expanded ones arrive as plain ones that can be written."""
    odd = tensor.permute(data.draw(st.permutations(range(tensor.ndim))))
    odd = odd[tuple(slice(None, None, data.draw(st.sampled_from([1, 2]))) for _ in odd.shape)]
    odd = odd.expand(2, *odd.shape)

    (back,) = returned(odd)

    assert bits(back) == bits(odd)
    assert back.is_contiguous()
    assert not back.requires_grad


@pytest.mark.parametrize(
    "tensor",
    [
        torch.nn.Parameter(torch.ones(2)),
        torch.ones(2, requires_grad=True) * 2,
        torch.ones(2).exp().requires_grad_(),
    ],
)
def test_a_tensor_with_a_gradient_crosses_as_its_values(tensor):
    """Neither a class nor a graph crosses."""
    (back,) = returned(tensor)

    assert type(back) is torch.Tensor
    assert torch.equal(back, tensor.detach())


@pytest.mark.parametrize(
    "tensor",
    [
        torch.empty(2, device="meta"),
        torch.eye(2).to_sparse(),
        torch.ones(2, dtype=torch.complex64),
        torch.ones([1] * 33),
    ],
    ids=["meta", "sparse", "complex", "of 33 axes"],
)
def test_a_tensor_without_plain_values_is_named(tensor):
    """As what it is, and nothing is sent in its place."""
    assert returned(tensor) == [wire.Foreign("a tensor without plain values")]


def test_a_huge_tensor_is_not_made_before_it_is_refused():
    """An expanded one has no memory of its own."""
    huge = torch.zeros(1).expand(MAX_BODY)

    assert returned(huge) == [wire.Foreign("a structure too large to send")]


def test_no_value_brings_torch_along():
    """Without torch a tensor is words: grading NumPy never imports it."""
    head, buffers = wire.encode_done(0, [torch.ones(3)], "")
    source = (
        "import sys; from autograder import wire\n"
        f"reply = wire.decode_reply({head!r})\n"
        f"print(wire.decode_values(reply.nodes, {b''.join(buffers)!r}), 'torch' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[Foreign(kind='a tensor')] False"


@pytest.mark.parametrize("module", [None, object(), type("torch", (), {"Tensor": 3})])
def test_what_is_called_torch_is_not_taken_for_it(module, monkeypatch):
    """A student's program may put anything there."""
    monkeypatch.setitem(sys.modules, "torch", module)

    assert torch_here() is None
    assert returned(1.0) == [1.0]


@examples(100)
@given(st.lists(tensors(), min_size=1, max_size=3), wounds)
def test_a_damaged_tensor_is_a_wire_error_and_nothing_worse(sent, wound):
    """Whatever stands in its dtype, shape and bytes."""
    head, buffers = wire.encode_done(0, sent, "")

    with contextlib.suppress(wire.WireError):
        reply = wire.decode_reply(damaged(head, [wound]))
        wire.decode_values(getattr(reply, "nodes", []), b"".join(buffers))


@pytest.mark.parametrize("shape", [[1 << 31] * 3, [0, *[1 << 31] * 20], [-1], [1] * 33, [3]])
def test_a_tensor_of_an_impossible_shape_is_a_wire_error(shape):
    """It allocates nothing of what it claims."""
    node = wire.decode_reply(
        msgspec.msgpack.encode(
            {
                "type": "done",
                "id": 0,
                "nodes": [{"type": "tensor", "dtype": "float64", "shape": shape}],
                "output": "",
            }
        )
    ).nodes

    with pytest.raises(wire.WireError):
        wire.decode_values(node, b"\0" * 16)


def test_one_entry_of_any_stride_is_sent():
    """torch takes it for contiguous, and does not view its bytes."""
    one = torch.diag(torch.ones(1, dtype=torch.float64)).diagonal()
    column = torch.ones(1, 5)[:, ::2][:, :1]

    for tensor in (one, column, torch.ones(1, 4)[:, 3:]):
        assert torch.equal(passed([tensor])[0], tensor)
