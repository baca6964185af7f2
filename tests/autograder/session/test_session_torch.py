"""An assignment on tensors is graded as one on arrays is: the same fixtures, words and causes."""

from __future__ import annotations

import json
import sys

import pytest

from autograder.errors import CourseError
from autograder.sandbox import Settings, open_sandbox

torch = pytest.importorskip("torch")

DOUBLE = '''
import torch


def double(x):
    """Twice x.

    Args:
        x: (..., n), the numbers.

    Returns:
        (..., n), each of them doubled.
    """
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION
'''
TOTAL = '''
import torch

from step1_double import double


def total(x):
    """The sum of what `double` gives.

    Args:
        x: (..., n), the numbers.

    Returns:
        (...), one sum a row.
    """
    # BEGIN SOLUTION
    return double(x).sum(-1)
    # END SOLUTION
'''
PUBLIC = """
import pytest
import torch

pytestmark = pytest.mark.question("double")


def test_on_paper(student):
    answer = student.double(torch.ones(3))

    assert torch.allclose(answer, torch.tensor(2.0)), f"expected all 2, got {answer}"
"""
GRADER = """
import pytest
import torch

from autograder.grading import question

pytestmark = question("{question}")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
def test_any_dtype(unmodified, rng, dtype):
    unmodified.{question}(torch.from_numpy(rng.normal(size=(2, 4))).to(dtype))


def test_a_law(student, rng):
    x = torch.from_numpy(rng.normal(size=(3,)))
    assert torch.allclose(student.{question}(-x), -student.{question}(x)), "It is not odd. Why?"
"""
MISTAKES = """
from autograder.grading import mistake


@mistake("double", kind="three times", symptom="Too much. How often?", answer="Twice.")
def three_times(x):
    return 3 * x


@mistake("total", kind="the mean", symptom="Too little. Of how many?", answer="Sum them.")
def the_mean(x):
    return (2 * x).mean(-1)
"""
RIGHT = {"step1_double": DOUBLE, "step2_total": TOTAL}


@pytest.fixture
def on_tensors(course):
    """The demo course, with torch."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('packages = ["numpy"]', 'packages = ["torch"]'))
    course.write("assignments/demo/test_public_double.py", PUBLIC)
    for name, text in RIGHT.items():
        course.write(f"solutions/demo/{name}.py", text)
    for question in ("double", "total"):
        course.write(f"tests/demo/test_{question}.py", GRADER.format(question=question))
    course.write("tests/demo/mistakes.py", MISTAKES)
    return course


@pytest.fixture(scope="module")
def sandbox():
    """With torch in it."""
    opened = open_sandbox(Settings(packages=("torch",)))
    yield opened
    opened.close()


def graded(course, sandbox, **steps):
    """The result of the right answer, but for these steps."""
    return course.grade(course.submit("one", **{**RIGHT, **steps}), sandbox)


def test_the_right_answer_has_all_points(on_tensors, sandbox):
    """In every dtype, and its result says with which torch."""
    result = graded(on_tensors, sandbox)

    assert (result.score, result.environment.torch) == (100, str(torch.__version__))


@pytest.mark.parametrize(
    ("body", "check", "said"),
    [
        ("return (2 * x).double()", "any_dtype", "Yours is a tensor of another dtype"),
        ("return (2 * x).numpy()", "a_law", "You return one array; a tensor is expected."),
        ("return (2 * x).tolist()", "a_law", "You return a list; a tensor is expected."),
        ("return (2 * x).to_sparse()", "a_law", "You return a tensor without plain values"),
        (
            "return torch.empty_like(x, device='meta')",
            "a_law",
            "You return a tensor without plain values",
        ),
        ("return x.mul_(2)", "any_dtype", "Your function changes its argument x"),
        ("return (2 * x)[..., :-1]", "any_dtype", "Yours is (..., ?)"),
        ("return x.abs()", "a_law", "It is not odd. Why?"),
        ("return x / 0", "a_law", "All your values are infinite"),
        ("return 3 * x", "any_dtype", "Too much. How often?"),
        ("return x @ x.unsqueeze(0)", "any_dtype", "`double` raised RuntimeError instead"),
    ],
)
def test_what_is_wrong_with_a_tensor_is_said(on_tensors, sandbox, body, check, said):
    """Form before values, in the words of a hidden check."""
    wrong = DOUBLE.replace("return 2 * x", body)

    first = graded(on_tensors, sandbox, step1_double=wrong).questions[0]

    assert {one.name: one.message for one in first.checks}[check].startswith(said)
    assert first.score < 40


def test_without_torch_the_command_says_how_to_get_it(on_tensors, sandbox, monkeypatch):
    """Before anything is graded, and without a traceback of ours."""
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(
        CourseError,
        match=r"(?s)uses torch, which cannot be imported here.*\[torch\]'` in a checkout",
    ):
        graded(on_tensors, sandbox)


GRADIENTS = """
import torch

from autograder.grading import question

pytestmark = question("double")


def test_values(compare, rng):
    compare.double(torch.from_numpy(rng.normal(size=(2, 4))))


def test_gradients(gradients, rng):
    gradients.double(torch.from_numpy(rng.normal(size=(2, 5))).float())
"""
DETACHED = """

@mistake("double", kind="left the graph", symptom="No gradient. Why?", answer="Do not detach.")
def detached(x):
    return (2 * x).detach()
"""


@pytest.mark.parametrize(
    ("body", "lost", "said"),
    [
        ("return x + x", set(), ""),
        ("return torch.as_tensor(x.detach().numpy() * 2)", {"gradients"}, "No gradient. Why?"),
        ("return x + x.detach()", {"gradients"}, "The gradient of x: all your values are half"),
        ("return 2 * x + (x - x.detach()) * x", {"gradients"}, "The gradient of x: "),
        ("return 2 * x.half().to(x.dtype)", {"values", "gradients"}, ""),
        ("x += 0\n    return 2 * x", {"gradients"}, "`double` raised RuntimeError"),
        ("raise ValueError", {"values", "gradients"}, "`double` raised ValueError"),
    ],
)
def test_a_wrong_gradient_loses_its_own_check(on_tensors, sandbox, body, lost, said):
    """Values and not merely that there is one; a known mistake that leaves the graph is named."""
    on_tensors.write("tests/demo/test_double.py", GRADIENTS)
    on_tensors.write("tests/demo/mistakes.py", MISTAKES + DETACHED)

    first = graded(on_tensors, sandbox, step1_double=DOUBLE.replace("return 2 * x", body))

    checks = {one.name: one for one in first.questions[0].checks if one.visibility == "hidden"}
    assert {name for name, one in checks.items() if one.outcome.value == "failed"} == lost
    assert checks["gradients"].message.startswith(said)


def test_a_later_step_is_judged_with_right_earlier_ones(on_tensors, sandbox):
    """Tensors cross between a worker and a served step as well."""
    wrong = DOUBLE.replace("return 2 * x", "return 3 * x")

    first, second = graded(on_tensors, sandbox, step1_double=wrong).questions

    assert (first.score, second.score) == (13.34, 60)  # three times is odd too
    assert second.follow_through
    assert {one.mistake for one in first.checks if one.points == 0} == {"three times"}


def test_the_whole_command_grades_and_proves(on_tensors):
    """`grade`, `check` and `verify`, in processes of their own."""
    on_tensors.submit("right", **RIGHT)
    on_tensors.submit("mean", step1_double=DOUBLE, step2_total=TOTAL.replace("sum(-1)", "mean(-1)"))

    ran = on_tensors.autograder("grade", "demo", "class", "--out", "out", "--allow-weak-isolation")
    on_tensors.autograder("handout", "demo")
    proved = on_tensors.autograder("verify", "demo", "--runs", "2")

    assert ran.returncode == 0, ran.stderr
    scores = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["score"]
        for path in (on_tensors.root / "out/results").glob("*.json")
    }
    assert scores == {"right": 100, "mean": 70}
    assert proved.returncode == 0, proved.stdout + proved.stderr
