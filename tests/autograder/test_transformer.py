"""The bundled assignment on the transformer: references against torch, what is given, its class."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading.references import References, importable
from autograder.manifest import find_course

torch = pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
NAME = "transformer"
HANDOUT, SOLUTIONS = ROOT / "assignments" / NAME, ROOT / "solutions" / NAME
EXAMPLES = ROOT / "tests" / NAME / "examples"
STEPS = sorted(path.name for path in SOLUTIONS.glob("step*.py"))
LAYERS = """
from torch import nn, randn, zeros

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Parameter(randn(d_model, d_model)))

    def forward(self, x, mask=None):
        return {}

class FeedForward(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.w_1, self.b_1 = nn.Parameter(randn(d_model, d_hidden)), nn.Parameter(zeros(d_hidden))
        self.w_2, self.b_2 = nn.Parameter(randn(d_hidden, d_model)), nn.Parameter(zeros(d_model))

    def forward(self, x):
        return {}

class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_hidden)

    def forward(self, x, mask=None):
        return {}
"""
LAZY = {  # steps that give back what they were given, or always the same
    "what it was given": {
        1: "def causal_mask(n_q, n_k=None, device=None): return n_q\n"
        "def padding_mask(lengths, n): return lengths\n"
        "def combine_masks(*masks): return masks[0]\n",
        2: "def scaled_dot_product_attention(q, k, v, mask=None): return q, k\n",
        3: "def split_heads(x, num_heads): return x\n"
        "def merge_heads(x): return x\n" + LAYERS.replace("{}", "x"),
        4: "def positional_encoding(n, d_model, device=None, dtype=None): return n\n",
        5: LAYERS.replace("{}", "x"),
        6: "def train(model, batches, optimizer): return batches\n",
    },
    "the same always": {
        1: "import torch\n"
        "def causal_mask(n_q, n_k=None, device=None): return torch.ones(n_q, n_k or n_q).bool()\n"
        "def padding_mask(lengths, n): return torch.ones(len(lengths), 1, n).bool()\n"
        "def combine_masks(*masks): return masks[-1].expand(2, 2, 3)\n",
        2: "def scaled_dot_product_attention(q, k, v, mask=None):\n"
        "    return 0 * (q @ k.mT @ v), 0 * (q @ k.mT)\n",
        3: "def split_heads(x, num_heads):\n"
        "    return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], -1)\n"
        "def merge_heads(x): return x.flatten(-2).mT\n" + LAYERS.replace("{}", "0 * x"),
        4: "import torch\n"
        "def positional_encoding(n, d_model, device=None, dtype=None):\n"
        "    return torch.zeros(n, d_model, dtype=dtype)\n",
        5: LAYERS.replace("{}", "0 * x"),
        6: "def train(model, batches, optimizer): return [0.0 for _ in batches]\n",
    },
}


def handout_in(folder, *, solved):
    """A copy of the handout, with the references or with the stubs in it."""
    copy = folder / "handout"
    shutil.copytree(HANDOUT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in STEPS if solved else []:
        shutil.copy(SOLUTIONS / name, copy / name)
    return copy


def python(folder, *arguments):
    """What a Python program did in this folder, with no plugin of anyone's."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def drawn(seed, *shape):
    """Random numbers in double precision, always the same."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def filled(layer, seed=0):
    """The layer in double precision, with random numbers for all of its weights."""
    weights = layer.double().state_dict()
    layer.load_state_dict(
        {name: drawn(seed + at, *one.shape) for at, (name, one) in enumerate(weights.items())}
    )
    return layer


@pytest.fixture(scope="module")
def assignment():
    """The bundled one."""
    return find_course(ROOT).assignment(NAME)


@pytest.fixture(scope="module")
def reference(assignment):
    """Its references."""
    return References(assignment)


@pytest.fixture(scope="module")
def given(assignment):
    """The file that is given, beside the references."""
    with importable(assignment):
        import recall

        yield recall


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_the_reference_attends_as_torch_does(reference, batch, masked):
    """For a boolean mask under which every query sees something, the outputs are the same."""
    q, k, v = drawn(1, *batch, 5, 3), drawn(2, *batch, 4, 3), drawn(3, *batch, 4, 2)
    mask = torch.ones(5, 4).tril().bool() if masked else None

    output, _ = reference.scaled_dot_product_attention(q, k, v, mask)

    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    assert torch.allclose(output, theirs)


@pytest.mark.parametrize("masked", [False, True])
def test_the_references_heads_are_torchs(reference, masked):
    """The same weights, transposed, give the same output, biases 0 and no row hidden whole."""
    mine, x = filled(reference.MultiHeadAttention(6, 3)), drawn(9, 2, 5, 6)
    mask = reference.padding_mask(torch.tensor([5, 2]), 5) if masked else None
    theirs = torch.nn.MultiheadAttention(6, 3, batch_first=True).double()
    stacked = torch.cat([mine.w_q.T, mine.w_k.T, mine.w_v.T])
    zeros = {"in_proj_bias": torch.zeros(18), "out_proj.bias": torch.zeros(6)}
    theirs.load_state_dict(
        {"in_proj_weight": stacked, "out_proj.weight": mine.w_o.T.contiguous(), **zeros}
    )

    ignored = None if mask is None else ~mask[:, 0]
    expected, _ = theirs(x, x, x, key_padding_mask=ignored)
    assert torch.allclose(mine(x, mask), expected)


@pytest.mark.parametrize("masked", [False, True])
def test_the_references_block_is_torchs(reference, masked):
    """The same weights give what an encoder layer gives whose norms come first."""
    mine, x = filled(reference.EncoderBlock(6, 3, 10)), drawn(9, 2, 5, 6)
    mask = reference.causal_mask(5) if masked else None
    theirs = torch.nn.TransformerEncoderLayer(
        6, 3, 10, dropout=0.0, batch_first=True, norm_first=True
    ).double()
    attention, network = mine.attention, mine.feed_forward
    state = {
        "self_attn.in_proj_weight": torch.cat([attention.w_q.T, attention.w_k.T, attention.w_v.T]),
        "self_attn.in_proj_bias": torch.zeros(18),
        "self_attn.out_proj.weight": attention.w_o.T,
        "self_attn.out_proj.bias": torch.zeros(6),
        "linear1.weight": network.w_1.T,
        "linear1.bias": network.b_1,
        "linear2.weight": network.w_2.T,
        "linear2.bias": network.b_2,
    }
    for i, norm in (("1", mine.norm_1), ("2", mine.norm_2)):
        state |= {f"norm{i}.weight": norm.weight, f"norm{i}.bias": norm.bias}
    theirs.load_state_dict(state)

    expected = theirs(x, src_mask=None if mask is None else ~mask)
    assert torch.allclose(mine(x, mask), expected)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_the_references_positions_are_right_to_the_last_digits(reference, dtype):
    """Beside Python's own sines and cosines, at late positions too, they are off by rounding."""
    exact = [
        [(math.cos if c % 2 else math.sin)(p / 10000 ** (2 * (c // 2) / 7)) for c in range(7)]
        for p in range(300)
    ]

    got = reference.positional_encoding(300, 7, dtype=dtype)

    precise = torch.promote_types(dtype, torch.float32)
    off = (got.double() - torch.tensor(exact, dtype=torch.float64)).abs().max()
    assert off < torch.finfo(dtype).eps + 300 * torch.finfo(precise).eps


@pytest.mark.parametrize(("mine", "theirs"), [("SGD", "SGD"), ("Adam", "Adam")])
def test_the_given_optimizers_are_torchs(reference, given, mine, theirs):
    """The same batches take a model from the same weights to the same weights."""
    generator = torch.Generator().manual_seed(1)
    batches = given.recall_batches(5, 8, generator)
    weights = given.random_weights(given.Transformer(), generator)
    seen = []
    for made in (getattr(given, mine), getattr(torch.optim, theirs)):
        model = given.Transformer().double()
        model.load_state_dict(weights)
        losses = reference.train(model, batches, made(model.parameters(), lr=0.02))
        seen.append((torch.tensor(losses), model.state_dict()))

    (losses, after), (their_losses, their_after) = seen
    assert torch.allclose(losses, their_losses)
    assert all(torch.allclose(one, their_after[name]) for name, one in after.items())


def test_only_the_transformer_recalls(tmp_path):
    """After the same hundred batches it knows, and an RNN and an LSTM of its width still guess."""
    run = python(handout_in(tmp_path, solved=True), "experiment.py")

    curves = re.findall(r"^beginning \d  (\w+) +(.*)$", run.stdout, re.M)
    last = [(name, float(curve.split()[-1])) for name, curve in curves]
    assert len(last) == 9, run.stdout + run.stderr
    assert all(loss < 0.5 for name, loss in last if name == "transformer"), last
    assert all(abs(loss - math.log(4)) < 0.1 for name, loss in last if name != "transformer"), last


def test_the_references_pass_the_public_checks_in_the_handout(tmp_path):
    """A student with the right answers sees nothing fail, without the grader."""
    run = python(handout_in(tmp_path, solved=True), "-m", "pytest")

    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("lazy", LAZY)
def test_what_does_nothing_passes_no_public_check(tmp_path, lazy):
    """Points are for work."""
    handout = handout_in(tmp_path, solved=False)
    for step, text in LAZY[lazy].items():
        (stub,) = handout.glob(f"step{step}_*.py")
        stub.write_text(text)

    run = python(handout, "-m", "pytest", "-vv", "--tb=no")

    passed, failed = (
        set(re.findall(rf"^(test_\w+\.py::\w+)(?:\[.*\])? {outcome}", run.stdout, re.M))
        for outcome in ("PASSED", "FAILED")
    )
    assert failed, run.stdout + run.stderr
    assert passed <= failed, "a check passes where all of its cases do"


def test_the_untouched_example_is_the_handout_as_it_is():
    """The bundled class holds what a student hands in who wrote nothing."""
    for name in STEPS:
        assert (EXAMPLES / "untouched_stubs" / name).read_text("utf-8") == (
            HANDOUT / name
        ).read_text("utf-8")


def test_the_bundled_class_has_its_expected_grades(tmp_path):
    """Every example loses what it is called after, and nothing else; no check is ours to mend."""
    out = tmp_path / "out"

    run = python(ROOT, "-m", "autograder", "grade", NAME, EXAMPLES, "--out", out)

    expected = (EXAMPLES / "expected-grades.csv").read_text(encoding="utf-8-sig")
    assert run.returncode == 0, run.stdout + run.stderr
    got = (out / "grades.csv").read_text(encoding="utf-8-sig")
    assert got.splitlines() == expected.splitlines()
