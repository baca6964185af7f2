"""Which names a file uses is read off its text, through every plain way of naming a thing."""

from __future__ import annotations

import pytest

from autograder.worker.parsing import uses_of

NAMES = ["torch.nn.functional.softmax", "torch.nn.MultiheadAttention"]


def uses(source, **others):
    """The names that the file `step` uses, with their lines."""
    found = uses_of({"step": source, **others}, NAMES)["step"]["uses"]
    return sorted({(name.rpartition(".")[2], line) for name, line in found})


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.nn.functional.softmax(x, -1)",
        "import torch.nn.functional as F\nF.softmax(x, -1)",
        "import torch as t\nt.nn.functional.softmax(x, -1)",
        "from torch.nn import functional\nfunctional.softmax(x, -1)",
        "from torch.nn.functional import softmax as mine\nmine(x, -1)",
        "from torch.nn.functional import *\nsoftmax(x, -1)",
        "from torch import nn\nf = nn.functional.softmax",
        "from torch import nn\ngetattr(nn.functional, 'softmax')(x, -1)",
        "def f(x):\n    import torch; return torch.softmax(x, -1)",
        "import torch; F = torch.nn.functional\nF.softmax(x, -1)",
        "import torch\nmap(torch._C._nn.softmax, x)",
    ],
)
def test_a_use_is_found_under_any_name(source):
    """On its line."""
    assert ("softmax", 2) in uses(source)


@pytest.mark.parametrize(
    "source",
    [
        "# torch.nn.functional.softmax(x)",
        "'torch.nn.functional.softmax'",
        "def softmax(x):\n    return x\n\nsoftmax(1)",
        "import numpy as torch_like\ntorch_like.softmax(x)",
        "from step4 import softmax\nsoftmax(x)",
        "from torch.nn.functional import softmax",
        "self.softmax(x)",
        "import torch\ntorch.nn.functional.softmax_(x)",
    ],
)
def test_what_only_looks_like_one_is_none(source):
    """A word in a comment, a function of the student's own, an import that nobody uses."""
    assert uses(source) == []


def test_imports_among_the_files_are_told():
    """So a use in a helper counts for whoever imports it."""
    found = uses_of({"a": "import b, numpy", "b": "from c import d", "c": ""}, NAMES)

    assert [found[name]["imports"] for name in "abc"] == [["b"], ["c"], []]


@pytest.mark.parametrize("source", ["def f(:", "\0", "x = '\ud800'"])
def test_what_cannot_be_read_is_left_to_its_import(source):
    """There the student reads why."""
    assert uses_of({"step": source}, NAMES) == {}


def test_nothing_is_run():
    """Reading is all."""
    assert uses("raise SystemExit") == []
