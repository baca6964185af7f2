"""Follow-through: a right step that an earlier wrong one spoiled has its points, by its values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.manifest import find_course
from autograder.results import Outcome, Question, Result
from autograder.session import with_graders
from autograder.submissions import Staged, submission_in

THRICE = "def double(x):\n    return 3 * x\n"
TOTAL = "import numpy as np\nfrom step1_double import double\n\n\ndef total(x):\n    "
RIGHT_TOTAL = f"{TOTAL}return np.sum(double(x), axis=-1)\n"
SAID = "Step 2 is right; what it lost came from step 1."
IMPORTED = "tests/demo/mistakes.py"
MISTAKE = """
import numpy as np
from step1_double import double

from autograder.grading import mistake


@mistake("total", kind="a mean", symptom="It is too small. How many are there?", answer="Sum.")
def mean(x):
    return np.mean(double(x), axis=-1)
"""


def total_of(course, sandbox, **steps: str | None) -> Question:
    """The second question of a submission with these steps."""
    result = course.grade(course.submit(**steps), sandbox)
    assert not result.broken, result.broken
    return result.questions[1]


def share(course, part: float) -> None:
    """Let follow-through be worth a part of the second question."""
    path = course.root / "assignments/demo/assignment.toml"
    text = path.read_text(encoding="utf-8")
    course.write(path, f"{text}follow_through = {part}\n")


@pytest.mark.parametrize(
    "double",
    [
        THRICE,
        "def double(x):\n    raise KeyError(1)\n",
        "def double(x):\n    raise NotImplementedError\n",
        "def double(x:\n",
        "import sys\nsys.exit()\n",
        "1 / 0\n",
        "def other(x):\n    return x\n",
        None,
    ],
)
def test_a_right_step_has_its_points_whatever_is_wrong_with_the_one_before(course, sandbox, double):
    """Also where that cannot be imported, or was not handed in."""
    total = total_of(course, sandbox, step1_double=double)

    assert (total.score, total.follow_through) == (60, True)
    assert [(check.outcome, check.message) for check in total.checks] == [(Outcome.PASSED, SAID)]


def test_a_step_that_never_ends_is_served_too(course, sandbox):
    """Neither at its import nor at its call is it run again."""
    course.limit(seconds=0.5)
    endless = "while True:\n    pass\n"

    assert total_of(course, sandbox, step1_double=endless).score == 60


def test_nothing_is_followed_where_nothing_was_lost(course, sandbox):
    """A right step that did the earlier one's work in place has its points anyway."""
    inline = "import numpy as np\n\ndef total(x):\n    return np.sum(2 * x, axis=-1)\n"
    total = total_of(course, sandbox, step1_double=THRICE, step2_total=inline)

    assert (total.score, total.follow_through) == (60, False)
    assert [check.message for check in total.checks] == [""]


def test_a_wrong_step_after_right_ones_is_its_own_fault(course, sandbox):
    """There is nothing that could have spoiled it."""
    total = total_of(course, sandbox, step2_total=f"{TOTAL}return np.mean(double(x), axis=-1)\n")

    assert (total.score, total.follow_through) == (0, False)


@pytest.mark.parametrize(
    "body",
    [
        "return np.mean(double(x), axis=-1)",
        "return np.sum(3 * x, axis=-1)",
        "return np.sum(double(double(x)), axis=-1)",
        "raise ValueError(double(x))",
        "return double",
        # right only while nothing is altered: it knows what it should get
        "return np.sum(2 * x, axis=-1) if np.allclose(double(x), 2 * x) else np.sum(x, axis=-1)",
        "return np.sum(double(x), axis=-1) if np.allclose(double(x), 2 * x) else 0 * x[..., 0]",
    ],
)
def test_a_wrong_step_after_a_wrong_one_has_nothing(course, sandbox, body):
    """It is judged by values, with steps that are right and with steps that are altered."""
    total = total_of(course, sandbox, step1_double=THRICE, step2_total=f"{TOTAL}{body}\n")

    assert (total.score, total.follow_through) == (0, False)
    assert SAID not in [check.message for check in total.checks]


def test_each_row_may_be_asked_for_by_itself(course, sandbox):
    """As may a keyword argument, a list, and a step of one's own made on top."""
    body = """x = np.asarray(x)
    rows = x.reshape(-1, x.shape[-1])
    return np.array([sum(double(x=list(row))) for row in rows]).reshape(x.shape[:-1])
"""
    total = total_of(course, sandbox, step1_double=THRICE, step2_total=TOTAL + body)

    assert total.score == 60


def test_other_names_of_an_earlier_file_are_still_the_students(course, sandbox):
    """What a student wrote beside the step, they may import."""
    helped = f"{THRICE}\n\ndef summed(x):\n    return x.sum(axis=-1)\n"
    uses = "from step1_double import *\nfrom step1_double import summed\n\n"
    body = "def total(x):\n    return summed(double(x))\n"

    assert total_of(course, sandbox, step1_double=helped, step2_total=uses + body).score == 60


def test_what_a_step_loses_by_itself_it_loses(course, sandbox):
    """Each check counts for itself, and the words say that it is a part."""
    course.write("solutions/demo/step2_total.py", RIGHT_TOTAL)
    course.grade_with(
        """
def test_values(compare, rng):
    compare.total(rng.normal(size=(2, 3)))


def test_untouched(unmodified, rng):
    unmodified.total(rng.normal(size=(2, 3)))
""",
        question="total",
    )
    spoils = f"{TOTAL}y = np.sum(double(x), axis=-1)\n    x[...] = 0\n    return y\n"
    total = total_of(course, sandbox, step1_double=THRICE, step2_total=spoils)

    assert (total.score, total.follow_through) == (30, True)
    assert total.checks[0].message == "Part of what step 2 lost came from step 1."
    assert total.checks[1].outcome is Outcome.FAILED


@pytest.mark.parametrize(("part", "score"), [(0.5, 30), (0.29, 17.4), (1, 60)])
def test_the_manifest_says_what_it_is_worth(course, sandbox, part, score):
    """All of the points, or a part of them, which the student is told."""
    share(course, part)
    total = total_of(course, sandbox, step1_double=THRICE)

    assert (total.score, total.follow_through) == (score, True)
    (check,) = total.checks
    assert (check.outcome, check.points, check.out_of) == (Outcome.PASSED, score, 60)
    assert (f"That earns {part:.0%} of these points." in check.message) is (part < 1)


def test_a_public_check_names_no_step_that_failed_in_hidden_checks_alone(course, sandbox):
    """It is read at once; what hidden checks say may have to wait."""
    public = "assignments/demo/test_public_total.py"
    text = (course.root / "assignments/demo/test_public_double.py").read_text(encoding="utf-8")
    text = text.replace('"double"', '"total"').replace("student.double", "student.total")
    course.write(public, text.replace("on_paper", "of_three").replace("answer, 2", "answer, 6"))
    only_ones = "def double(x):\n    return 2 * x if x.ndim == 1 else x\n"
    uses = f"{TOTAL}return np.sum(double(x[None])[0], axis=-1)\n"

    both = total_of(course, sandbox, step1_double=THRICE)
    hidden_only = course.grade(
        course.submit("two", step1_double=only_ones, step2_total=uses), sandbox
    ).questions[1]

    assert {check.name: check.message for check in both.checks} == dict.fromkeys(
        ["of_three", "any_length"], SAID
    )
    assert {check.name: check.message for check in hidden_only.checks} == {
        "of_three": "Step 2 is right; what it lost came from an earlier step.",
        "any_length": SAID,
    }


def test_a_public_check_says_nothing_of_what_hidden_ones_of_its_step_found(course, sandbox):
    """Two steps that differ in hidden checks alone have the same words in public ones."""
    public = "assignments/demo/test_public_total.py"
    text = (course.root / "assignments/demo/test_public_double.py").read_text(encoding="utf-8")
    text = text.replace('"double"', '"total"').replace("student.double", "student.total")
    course.write(public, text.replace("on_paper", "of_three").replace("answer, 2", "answer, 6"))
    only_ones = f"{TOTAL}return np.sum(double(x), axis=-1) * (1 if x.ndim == 1 else 2)\n"

    said = {
        name: {one.name: one.message for one in total_of(course, sandbox, **steps).checks}
        for name, steps in {
            "right": {"step1_double": THRICE, "step2_total": RIGHT_TOTAL},
            "wrong": {"name": "two", "step1_double": THRICE, "step2_total": only_ones},
        }.items()
    }

    assert said["right"]["of_three"] == said["wrong"]["of_three"] == SAID
    assert said["right"]["any_length"] != said["wrong"]["any_length"]


def test_a_share_of_nothing_turns_it_off(course, sandbox):
    """The step is then not run again at all."""
    share(course, 0)
    total = total_of(course, sandbox, step1_double=THRICE)

    assert (total.score, total.follow_through) == (0, False)
    assert total.checks[0].outcome is Outcome.FAILED


def test_the_cause_of_a_step_is_looked_for_with_right_steps_before_it(course, sandbox):
    """The earlier mistake does not hide the later one."""
    course.write(IMPORTED, MISTAKE)
    mean = f"{TOTAL}return np.mean(double(x), axis=-1)\n"
    total = total_of(course, sandbox, step1_double=THRICE, step2_total=mean)

    assert [check.mistake for check in total.checks] == ["a mean"]
    assert [check.message for check in total.checks] == ["It is too small. How many are there?"]


def test_a_reference_that_breaks_its_own_check_is_ours(course, sandbox):
    """Broken is broken, never zero, in the second run as well."""
    course.grade_with(
        """
def test_values(compare, rng):
    x = rng.normal(size=(2, 3))
    given = compare.total(x)
    raise RuntimeError("ours") if given.shape == (2,) else AssertionError
""",
        question="total",
    )
    result = course.grade(course.submit(step1_double=THRICE), sandbox)

    assert result.score is None
    assert [check.name for check in result.broken] == ["values"]


def test_it_is_resumed_and_repeated_with_the_same_result(course, sandbox):
    """The second run draws the inputs of the first."""
    path = course.submit(step1_double=THRICE)
    first, second = (course.grade(path, sandbox, seed=3) for _ in range(2))

    assert _timeless(first) == _timeless(second)


def _timeless(result: Result) -> str:
    return re.sub(r"seconds=[\d.]+", "", str(result))


def test_a_composition_of_a_wrong_softmax_has_full_marks_and_names_step_4(sandbox):
    """The bundled assignment: the last step loses nothing that came from the fourth."""
    assignment = find_course(Path(__file__)).assignment("self_attention")
    files = [one.file for one in assignment.manifest.questions]
    right = submission_in(assignment.examples / "right", files, "right").stage()
    wrong = "import numpy as np\n\n\ndef softmax(scores):\n    return np.exp(scores)\n"
    staged = Staged("wrong softmax", {**right.files, "step4_softmax.py": wrong})

    result = with_graders(assignment, lambda graders: graders.grade(staged, sandbox, 0, ""))

    *_, softmax, output, last = result.questions
    assert softmax.score is not None
    assert softmax.score < softmax.max_score
    assert (output.score, output.follow_through) == (10, False)
    assert (last.score, last.follow_through) == (20, True)
    said = {check.message for check in last.checks}
    assert said <= {"", "Step 6 is right; what it lost came from step 4."}
    assert len(said) == 2
