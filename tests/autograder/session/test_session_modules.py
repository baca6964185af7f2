"""What a torch assignment's graders can ask for: instances of classes, costs, devices, exceptions,
and functions that are given to students and call theirs."""

from __future__ import annotations

import json

import pytest

from autograder.grading.mistakes import load_mistakes
from autograder.sandbox import Settings, open_sandbox

torch = pytest.importorskip("torch")

MANIFEST = """
name = "demo"
title = "Layers"
packages = ["torch"]

[[given]]
file = "training.py"
functions = ["trained"]

[[questions]]
name = "mix"
title = "A mean of the tokens so far"
file = "step1_mix.py"
functions = ["mix"]
points = 40

[[questions]]
name = "layer"
title = "Mixed and projected"
file = "step2_layer.py"
functions = ["Layer", "descend"]
points = 60
needs = ["mix"]
forbidden = ["torch.nn.Linear", "torch.nn.functional.linear"]

[[questions]]
name = "stack"
title = "Two layers"
file = "step3_stack.py"
functions = ["Stack"]
points = 20
needs = ["layer"]
"""
MIX = '''
import torch


def mix(x, device=None):
    """The mean of each token and those before it.

    Args:
        x: (..., n, d), the tokens.

    Returns:
        (..., n, d), one mean a token.

    Raises:
        ValueError: there is no axis of tokens.
    """
    if x.ndim < 2:
        raise ValueError("no axis of tokens")
    n = x.shape[-2]
    lower = torch.ones(n, n, dtype=x.dtype, device=x.device).tril()
    return lower @ x / lower.sum(-1, keepdim=True)
'''
LAYER = '''
import torch

from step1_mix import mix


class Layer(torch.nn.Module):
    """Tokens mixed, then projected.

    Attributes:
        w: (d, d_out), used as x @ w.
    """

    def __init__(self, d, d_out):
        super().__init__()
        if d_out < 1:
            raise ValueError("no width")
        self.w = torch.nn.Parameter(torch.randn(d, d_out))

    def forward(self, x):
        """Mix, then project.

        Args:
            x: (..., n, d), the tokens.

        Returns:
            (..., n, d_out), the projections.
        """
        return mix(x) @ self.w


def descend(layer, x, rate):
    """One step down the gradient of the mean square of what a layer gives.

    Returns:
        what that mean was before.
    """
    loss = layer(x).square().mean()
    loss.backward()
    with torch.no_grad():
        for one in layer.parameters():
            one -= rate * one.grad
    return loss.item()
'''
STACK = '''
import torch

from step2_layer import Layer


class Stack(torch.nn.Module):
    """Two layers, and what came in."""

    def __init__(self, d):
        super().__init__()
        self.first = Layer(d, d)
        self.second = Layer(d, d)

    def forward(self, x):
        """First the one, then the other.

        Args:
            x: (..., n, d), the tokens.

        Returns:
            (..., n, d), what comes out.
        """
        return x + self.second(torch.relu(self.first(x)))
'''
TRAINING = """
def trained(w, x):
    from step2_layer import Layer, descend

    layer = Layer(*w.shape)
    layer.to(w.dtype).load_state_dict({"w": w})
    losses = [descend(layer, x, 0.1)]
    return losses, layer.w.detach()
"""
TEST_MIX = """
import torch

from autograder.grading import question

pytestmark = question("mix")


def tokens(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def test_values(compare, rng):
    compare.mix(tokens(rng, 2, 5, 3))


def test_gradients(gradients, rng):
    gradients.mix(tokens(rng, 5, 3))


def test_no_loop(probe, rng):
    short, long = (probe.mix(tokens(rng, n, 3)).operations for n in (8, 16))

    assert short == long, "More tokens take more operations. Is there a loop?"


def test_any_device(portable, rng):
    portable.mix(tokens(rng, 4, 3), device="cpu")


def test_no_tokens(refuses, rng):
    refuses.mix(tokens(rng, 4))
"""
TEST_LAYER = """
import torch

from autograder.grading import question

pytestmark = question("layer")


def tokens(rng, *shape):
    return torch.from_numpy(rng.normal(size=shape))


def test_values(compare, rng):
    layer = compare.Layer(3, 2)
    layer.load_state_dict({"w": tokens(rng, 3, 2)})
    layer(tokens(rng, 2, 5, 3))


def test_weights(student):
    student.Layer(4, 3).state_dict()


def test_gradients(gradients, rng):
    layer = gradients.Layer(3, 2)
    layer.load_state_dict({"w": tokens(rng, 3, 2)})
    layer(tokens(rng, 5, 3))


def test_unmodified(unmodified, rng):
    layer = unmodified.Layer(3, 2)
    layer.load_state_dict({"w": tokens(rng, 3, 2)})
    layer(tokens(rng, 5, 3))


def test_any_device(portable, rng):
    layer = portable.Layer(3, 2)
    layer.load_state_dict({"w": tokens(rng, 3, 2)})
    layer(tokens(rng, 5, 3))


def test_no_width(refuses):
    refuses.Layer(3, 0)


def test_training(compare, rng):
    compare.trained(tokens(rng, 3, 2), tokens(rng, 5, 3))
"""
TEST_STACK = """
import torch

from autograder.grading import question

pytestmark = question("stack")


def test_gradients(gradients, rng):
    stack = gradients.Stack(3)
    names = ["first.w", "second.w"]
    stack.load_state_dict({one: torch.from_numpy(rng.normal(size=(3, 3))) for one in names})
    stack(torch.from_numpy(rng.normal(size=(2, 5, 3))))
"""
PUBLIC = """
import pytest
import torch

pytestmark = pytest.mark.question("layer")


def test_on_paper(student):
    layer = student.Layer(1, 1)
    layer.load_state_dict({"w": torch.tensor([[2.0]])})
    assert layer(torch.tensor([[1.0], [3.0]])).tolist() == [[2.0], [4.0]]
"""
PUBLIC_MIX = """
import pytest
import torch

pytestmark = pytest.mark.question("mix")


def test_public_device(portable):
    portable.mix(torch.ones(3, 2))
"""
MISTAKES = """
import torch
from step1_mix import mix
from step2_layer import Layer

from autograder.grading import mistake


def said(kind):
    return {"kind": kind, "symptom": f"It looks like {kind}. Does it?", "answer": "Mend it."}


@mistake("mix", **said("a loop"))
def loops(x, device=None):
    n = mix(x).shape[-2]
    return torch.stack([x[..., : i + 1, :].mean(-2) for i in range(n)], -2)


@mistake("mix", **said("a tensor of the CPU"))
def stays(x, device=None):
    mixed = mix(x)
    return torch.ones(mixed.shape[-2], 1, dtype=x.dtype) * mixed


@mistake("mix", **said("no error"))
def takes_anything(x, device=None):
    return mix(x if x.ndim > 1 else x[None])


@mistake("layer", function="Layer", **said("a transposed weight"))
class Transposed(Layer):
    def forward(self, x):
        return mix(x) @ self.w.flip(0)


@mistake("layer", function="Layer", **said("a detached weight"))
class Detached(Layer):
    def forward(self, x):
        return mix(x) @ self.w.detach()


@mistake("layer", function="descend", **said("uphill"))
def uphill(layer, x, rate):
    loss = layer(x).square().mean()
    loss.backward()
    with torch.no_grad():
        for one in layer.parameters():
            one += rate * one.grad
    return loss.item()
"""
RIGHT = {"step1_mix": MIX, "step2_layer": LAYER, "step3_stack": STACK}


@pytest.fixture
def layers(course):
    """The demo course, with another assignment in it."""
    for path in ("assignments", "solutions", "tests"):
        for old in (course.root / path / "demo").glob("*.*"):
            old.unlink()
    course.write("assignments/demo/assignment.toml", MANIFEST)
    course.write("assignments/demo/training.py", TRAINING)
    course.write("assignments/demo/test_public_layer.py", PUBLIC)
    course.write("assignments/demo/test_public_mix.py", PUBLIC_MIX)
    for name, text in RIGHT.items():
        course.write(f"solutions/demo/{name}.py", text)
    course.write("tests/demo/test_mix.py", TEST_MIX)
    course.write("tests/demo/test_layer.py", TEST_LAYER)
    course.write("tests/demo/test_stack.py", TEST_STACK)
    course.write("tests/demo/mistakes.py", MISTAKES)
    return course


@pytest.fixture(scope="module")
def sandbox():
    """With torch in it."""
    opened = open_sandbox(Settings(packages=("torch",)))
    yield opened
    opened.close()


def failed(course, sandbox, name, old="", new=""):
    """The checks that fail when one file of the right answer is changed, with their words."""
    text = RIGHT[name]
    assert old in text
    staged = course.submit("one", **{**RIGHT, name: text.replace(old, new)})
    checks = [
        one for question in course.grade(staged, sandbox).questions for one in question.checks
    ]
    assert all(one.outcome.value in ("passed", "failed") for one in checks), [
        one.detail for one in checks
    ]
    return {one.name: one.message for one in checks if one.outcome.value == "failed"}


def test_the_right_answer_loses_nothing(layers, sandbox):
    """Functions, classes, and what is given."""
    assert failed(layers, sandbox, "step1_mix") == {}


LIES = """
import itertools, sys

import numpy

honest = sys.modules["autograder.wire"].encode_done
costs = itertools.cycle([{lie}, 5])


def lies(serial, values, output, gradients=(), measures=None, where=()):
    if measures:
        told = next(costs)
        measures = {name: told for name in measures}
    if values and isinstance(values[0], str):
        values = [numpy.ones(3), *values[1:]]
    return honest(serial, values, output, gradients, measures, where)


sys.modules["autograder.wire"].encode_done = lies
"""


@pytest.mark.parametrize("lie", ["-1", "-(1 << 62)", "0", "(1 << 64) - 1"])
def test_what_a_worker_says_of_costs_and_devices_may_be_anything(layers, sandbox, lie):
    """It costs points or it does not; it breaks no check."""
    staged = layers.submit("one", **{**RIGHT, "step1_mix": MIX + LIES.replace("{lie}", lie)})

    checks = layers.grade(staged, sandbox).questions[0].checks

    assert {one.outcome.value for one in checks} <= {"passed", "failed"}
    found = {one.name: one.message for one in checks}
    assert found["any_device"].startswith("What came back from your code was no answer")


@pytest.mark.parametrize("verdict", ["'stays\\x1b[31m'", "['stays' * 2000] * 20"])
def test_what_a_worker_says_of_devices_is_told_in_few_plain_words(layers, sandbox, verdict):
    """Results are read on terminals: a verdict of a student's own is described, never copied."""
    lies = LIES.replace("{lie}", "5").replace("numpy.ones(3)", verdict)
    staged = layers.submit("one", **{**RIGHT, "step1_mix": MIX + lies})

    checks = layers.grade(staged, sandbox).questions[0].checks

    (told,) = [one.detail for one in checks if one.name == "any_device"]
    assert told.isprintable()
    assert len(told) < 1000


NAMED = """
import sys

sys.modules["autograder.worker.serve"].known_name = lambda error: "\\x1b]0;x\\x07\\u202e"
"""


def test_what_a_worker_says_of_exceptions_is_told_in_plain_words(layers, sandbox):
    """The kind that it names is a student's text, in results too."""
    staged = layers.submit("one", **{**RIGHT, "step1_mix": MIX + NAMED})

    checks = layers.grade(staged, sandbox).questions[0].checks

    (told,) = [one for one in checks if one.name == "no_tokens"]
    assert told.outcome.value == "failed"
    assert told.detail.isprintable()


def test_a_class_among_the_known_mistakes_says_where_it_is(layers):
    """By the line of its first function, for whoever has to mend it."""
    found = {one.name: one.where for one in load_mistakes(layers.assignment)}

    text = (layers.root / "tests/demo/mistakes.py").read_text(encoding="utf-8").splitlines()
    line = text.index("class Detached(Layer):") + 2
    assert found["Detached"] == f"{layers.root / 'tests/demo/mistakes.py'}:{line}"


LOOP = "return torch.stack([x[..., : i + 1, :].mean(-2) for i in range(n)], -2)"
RETURNS = "return lower @ x / lower.sum(-1, keepdim=True)"


@pytest.mark.parametrize(
    ("name", "old", "new", "lost"),
    [
        ("step1_mix", RETURNS, LOOP, {"no_loop": "It looks like a loop."}),
        ("step1_mix", ", device=x.device", "", {"any_device": "It looks like a tensor of the CPU"}),
        (
            "step1_mix",
            "x.ndim < 2",
            "False",
            {"no_tokens": "`mix` raises IndexError for arguments"},
        ),
        (
            "step1_mix",
            'raise ValueError("no axis of tokens")',
            "x = x[None]",
            {"no_tokens": "It looks like no error."},
        ),
        ("step1_mix", "x / lower", "x.detach() / lower", {"gradients": "No gradient reaches arg"}),
        (
            "step2_layer",
            "return mix(x) @ self.w\n",
            "return mix(x) @ self.w.detach()\n",
            {"gradients": "It looks like a detached weight."},
        ),
        (
            "step2_layer",
            "self.w = torch.nn.Parameter(torch.randn(d, d_out))",
            "self.w = torch.nn.Parameter(torch.randn(d_out, d))",
            {
                "weights": "w: yours has the shape of the transpose",
                "values": "The weights of `Layer` are not those",
            },
        ),
        ("step2_layer", "d_out < 1", "False", {"no_width": "`Layer` gives back a value for arg"}),
        ("step2_layer", "one -= rate", "one += rate", {"training": "It looks like uphill."}),
        (
            "step2_layer",
            "return mix(x) @ self.w\n",
            "self.w.data += 1\n        return mix(x) @ (self.w - 1)\n",
            {"unmodified": "Your function changes its argument w"},
        ),
        (
            "step2_layer",
            "return mix(x) @ self.w\n",
            "return mix(x) @ self.w.flip(0)\n",
            {"values": "It looks like a transposed weight."},
        ),
    ],
)
def test_what_is_wrong_is_found_and_named(layers, sandbox, name, old, new, lost):
    """Each by the check that asks for it."""
    found = failed(layers, sandbox, name, old, new)

    for check, words in lost.items():
        assert found.get(check, "").startswith(words), found


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        (RETURNS, LOOP, {"no_loop"}),
        (", device=x.device", "", {"any_device"}),
        (RETURNS, RETURNS.replace("return ", "return (") + ").cpu()", {"any_device"}),
        ("x.ndim < 2", "x.ndim < 2 or float(x.sum()) == 0.5", set()),
    ],
)
def test_right_values_lose_what_was_asked_for_and_nothing_else(layers, sandbox, old, new, lost):
    """A loop its count, a tensor of the CPU its device; what turns on values cannot be told."""
    found = failed(layers, sandbox, "step1_mix", old, new)

    assert {name for name in found if name in ("no_loop", "any_device", "values")} == lost


def test_a_forbidden_call_loses_its_question_and_no_other(layers, sandbox):
    """Wherever its file gets it from; the line is named, and nothing of it is run."""
    text = LAYER.replace("return mix(x) @ self.w\n", "return fine(mix(x), self.w.mT)\n")
    imported = "import torch\nfrom torch.nn.functional import linear as fine\n"
    text = text.replace("import torch\n", imported)
    staged = layers.submit("one", **{**RIGHT, "step2_layer": text})

    first, second, _ = layers.grade(staged, sandbox).questions

    assert (first.score, second.score) == (40, 0)
    assert {one.message for one in second.checks} == {
        "Not graded: step2_layer.py, line 30 uses linear, which is what this step is to do itself. "
        "Can you say it with matrix products and a softmax?"
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "score"),
    [
        ("step2_layer", "return mix(x) @ self.w\n", "return 2 * mix(x) @ self.w\n", 20),
        ("step2_layer", "return mix(x) @ self.w\n", "return mix(x) @ self.w.detach()\n", 20),
        ("step1_mix", RETURNS, "return x", 20),
        ("step3_stack", "return x + self", "return x - self", 0),
    ],
)
def test_a_step_of_classes_is_judged_with_right_earlier_ones(
    layers, sandbox, name, old, new, score
):
    """A class of ours stands in for the student's, with its weights and their gradients."""
    assert old in RIGHT[name]
    steps = {**RIGHT, name: RIGHT[name].replace(old, new)}

    stack = layers.grade(layers.submit("one", **steps), sandbox).questions[2]

    assert stack.score == score, stack.checks
    assert stack.follow_through == (name != "step3_stack")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (", device=x.device", "", "mixes tensors of two devices."),
        (
            RETURNS,
            "out = torch.zeros(x.shape, dtype=x.dtype)\n    out[:] = mix.right(x)\n    return out",
            "gives back one of another.",
        ),
    ],
)
def test_a_public_check_of_the_device_names_the_line(layers, sandbox, old, new, said):
    """The student's own, which a hidden check keeps to itself."""
    text = (
        MIX.replace(old, new)
        + "\n\nmix.right = lambda x: "
        + RETURNS[7:].replace(
            "lower", "torch.ones(x.shape[-2], x.shape[-2], dtype=x.dtype, device=x.device).tril()"
        )
    )
    checks = (
        layers.grade(layers.submit("one", **{**RIGHT, "step1_mix": text}), sandbox)
        .questions[0]
        .checks
    )

    messages = {one.name: one.message for one in checks}
    words = f"On a GPU `mix` {said} Which tensor is made there without `device=`?"
    assert messages["public_device"].startswith(words)
    assert "(step1_mix.py, line " in messages["public_device"]
    assert "line" not in messages["any_device"]


DEVICE = """
from autograder.grading import question

pytestmark = question("mix")


def test_in_every_dtype(compare, device, rng):
    compare.mix(device.tensor(rng.normal(size=(5, 3))))
"""


@pytest.mark.parametrize(("asked", "why"), [("cpu", "--device cuda"), ("cuda", "finds none here")])
def test_cases_for_a_gpu_are_left_out_where_there_is_none_and_it_is_said(layers, asked, why):
    """The check has its points all the same, and the reason stands in the result."""
    if asked == "cuda" and torch.cuda.is_available():
        pytest.skip("there is one")
    layers.write("tests/demo/test_mix.py", DEVICE)
    layers.submit("one", **RIGHT)
    command = ["grade", "demo", "class", "--out", "out", "--device", asked]

    ran = layers.autograder(*command, "--allow-weak-isolation")

    assert ran.returncode == 0, ran.stderr
    (written,) = (layers.root / "out/results").glob("*.json")
    result = json.loads(written.read_text(encoding="utf-8"))
    (check,) = [one for one in result["questions"][0]["checks"] if one["name"] == "in_every_dtype"]
    assert (check["outcome"], result["environment"]["device"]) == ("passed", asked)
    assert why in check["detail"]
    shown = layers.autograder("check", "demo", "class/one", "--allow-weak-isolation")
    assert "a case was not run: needs a GPU" in " ".join(shown.stdout.split())
