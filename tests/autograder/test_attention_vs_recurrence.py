"""The bundled assignment on attention and recurrence: what is given, its figures, its class."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
NAME = "attention_vs_recurrence"
HANDOUT, SOLUTIONS = ROOT / "assignments" / NAME, ROOT / "solutions" / NAME
EXAMPLES = ROOT / "tests" / NAME / "examples"
STEPS = sorted(path.name for path in SOLUTIONS.glob("step*.py"))
FIGURES = ["costs.png", "gradient_reach.png", "scaling.png"]
SMALLER = (
    "import sys, experiment as e; e.TOKENS, e.DRAWS, e.COST_WIDTH, e.COST_TOKENS, e.KEY_WIDTHS = "
    "6, 2, 8, (2, 4, 8), (1, 4, 64); sys.exit(e.main())"
)
NO_MATPLOTLIB = "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.figure'] = None; "
LAZY = [  # steps that give back what they were given, or always the same
    {
        1: "rnn_states(x, w_x, w_h, b): return x",
        2: "self_attention(x, w_q, w_k, w_v): return x, x",
        3: "influence(layer, x): return x",
        5: "softmax_gradient(scores): return scores",
        6: "is_permutation_equivariant(layer, x, p): return True",
    },
    {
        1: "rnn_states(x, w_x, w_h, b): return x @ w_x",
        2: "self_attention(x, w_q, w_k, w_v): return x @ w_v, 0 * (x @ x.mT)",
        3: "influence(layer, x): return x @ x.T",
        5: "score_variance(d_k, num_pairs, generator): return float(d_k), 1.0",
        6: "is_permutation_equivariant(layer, x, p): return False",
    },
    {
        1: "rnn_states(x, w_x, w_h, b): return 0 * (x @ w_x)",
        2: "self_attention(x, w_q, w_k, w_v): return 0 * (x @ w_v), x @ x.mT",
        3: "influence(layer, x): return 0 * (x @ x.T)",
        6: "is_permutation_equivariant(layer, x, p): return p",
    },
]


def handout_in(folder, *, solved):
    """A copy of the handout, with the references or with the stubs in it."""
    copy = folder / "handout"
    shutil.copytree(HANDOUT, copy, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for name in STEPS if solved else []:
        shutil.copy(SOLUTIONS / name, copy / name)
    return copy


def python(folder, *arguments):
    """What a Python program did in this folder, with no plugin of anyone's."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def lstm_states():
    """The function that is given."""
    spec = importlib.util.spec_from_file_location("given_recurrence", HANDOUT / "recurrence.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.lstm_states


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A solved handout whose figures have been drawn, smaller, and what was said of them."""
    folder = handout_in(tmp_path_factory.mktemp("figures"), solved=True)
    run = python(folder, "-c", SMALLER)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder, run.stdout


@pytest.mark.parametrize("forget_bias", [0.0, 3.0])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_the_given_lstm_is_torchs(lstm_states, batch, forget_bias):
    """The same weights give the same states, and a forget bias is a bias of the forget gate."""
    torch.manual_seed(1)
    layer = torch.nn.LSTM(3, 4, batch_first=True, dtype=torch.float64)
    x = torch.randn(*batch, 6, 3, dtype=torch.float64)
    b = layer.bias_ih_l0 + layer.bias_hh_l0

    got = lstm_states(x, layer.weight_ih_l0.T, layer.weight_hh_l0.T, b, forget_bias)

    with torch.no_grad():
        layer.bias_ih_l0[4:8] += forget_bias
    assert torch.allclose(got, layer(x)[0])


def test_the_given_lstm_takes_any_batch_dtype_and_device(lstm_states):
    """It keeps the conventions that it is an example of."""
    made = [torch.ones(size, device="meta", dtype=torch.bfloat16) for size in (12, 16)]
    w_x, w_h = made[0].new_ones(3, 16), made[1].new_ones(4, 16)

    got = lstm_states(made[0].new_ones(2, 5, 6, 3), w_x, w_h, made[1])

    assert (got.shape, got.dtype, got.device.type) == ((2, 5, 6, 4), torch.bfloat16, "meta")


def test_the_handout_looks_at_devices_as_the_grader_does():
    """Public checks tell what leaves its device with the grader's own eyes."""
    grader = ROOT / "autograder/worker/devices.py"

    assert (HANDOUT / "another_device.py").read_text("utf-8") == grader.read_text("utf-8")


def test_the_references_pass_the_public_checks_in_the_handout(tmp_path):
    """A student with the right answers sees nothing fail, without the grader."""
    run = python(handout_in(tmp_path, solved=True), "-m", "pytest")

    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("lazy", LAZY)
def test_what_returns_its_argument_passes_no_public_check(tmp_path, lazy):
    """Points are for work."""
    handout = handout_in(tmp_path, solved=False)
    for step, text in lazy.items():
        (stub,) = handout.glob(f"step{step}_*.py")
        stub.write_text(f"def {text}\n")

    run = python(handout, "-m", "pytest", "-vv", "--tb=no")

    passed, failed = (
        set(re.findall(rf"^(test_\w+\.py::\w+)(?:\[.*\])? {outcome}", run.stdout, re.M))
        for outcome in ("PASSED", "FAILED")
    )
    assert failed, run.stdout + run.stderr
    assert passed <= failed, "a check passes where all of its cases do"


def test_three_figures_are_drawn_and_captioned(drawn):
    """Each PNG holds its caption as text too, for whoever cannot see it."""
    folder, said = drawn

    assert sorted(path.name for path in folder.glob("*.png")) == FIGURES
    for name in FIGURES:
        data = (folder / name).read_bytes()
        assert b"Description" in data
        assert name in said
    assert said.count("not") >= len(FIGURES), "each caption says what is not shown"


def test_the_same_steps_give_the_same_figures(drawn, tmp_path):
    """Weights are fixed: two students with right steps see the same."""
    again = handout_in(tmp_path, solved=True)

    run = python(again, "-c", SMALLER)

    assert run.stdout == drawn[1]
    for name in FIGURES:
        assert (again / name).read_bytes() == (drawn[0] / name).read_bytes(), name


def test_costs_are_counted_as_the_handout_says(tmp_path):
    """Mixing 2 n² d against n d², projecting 3 n d² against n d², on the references."""
    code = (
        "import experiment as e; "
        "print(*(e.mixing_and_projecting(name, 6, 4) for name in ('attention', 'RNN')))"
    )

    run = python(handout_in(tmp_path, solved=True), "-c", code)

    assert run.stdout.split("\n")[0] == f"{(2 * 36 * 4, 3 * 6 * 16)} {(6 * 16, 6 * 16)}", run.stderr


def test_a_step_that_is_not_written_yet_is_named(tmp_path):
    """What can be drawn is drawn, and the rest says which step it waits for."""
    handout = handout_in(tmp_path, solved=True)
    shutil.copy(HANDOUT / "step3_influence.py", handout)

    run = python(handout, "-c", SMALLER)

    assert run.returncode == 1, run.stderr
    assert "gradient_reach: not drawn: step3_influence.py is not written yet" in run.stdout
    assert sorted(path.name for path in handout.glob("*.png")) == ["costs.png", "scaling.png"]


def test_without_matplotlib_it_says_what_to_install(tmp_path):
    """Whoever has not installed it reads one command, and no traceback."""
    run = python(handout_in(tmp_path, solved=True), "-c", NO_MATPLOTLIB + SMALLER)

    assert run.returncode == 1
    assert "python -m pip install matplotlib" in run.stdout
    assert not run.stderr


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
