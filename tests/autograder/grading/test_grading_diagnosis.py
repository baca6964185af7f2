"""Which known mistake a wrong answer behaves as: what is named, what is not, and who reads it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autograder.gradescope.folders import PLUGIN, About
from autograder.gradescope.report import report_of
from autograder.gradescope.spec import encode_report
from autograder.grading import observation
from autograder.grading.check import Check
from autograder.grading.diagnosis import cause_of
from autograder.grading.mistakes import Mistake
from autograder.grading.observation import Observation, Observations
from autograder.outputs.feedback import feedback_markdown
from autograder.results import Outcome
from autograder.sandbox import Answer
from autograder.session import with_graders

GRADER = """

def test_values(compare, rng):
    compare.double(rng.normal(size=(2, 3)))


@pytest.mark.parametrize("n", [3, 5])
def test_sizes(compare, rng, n):
    compare.double(rng.normal(size=(2, n)))


def test_left_alone(unmodified, rng):
    unmodified.double(rng.normal(size=4))
"""
KNOWN = {  # what a known mistake does, the most fundamental first
    "thrice": "return 3 * x",
    "squared": "return x**2",
    "an axis too many": "return 2 * x[None]",
    "NaN below zero": "return 2 * np.sqrt(x) ** 2",
    "its argument is spoilt": "x *= 2\n    return x",
    "a value error": "raise ValueError('CANARY')",
    "the end of the program": "raise SystemExit",
    "a generator": "return (row for row in x)",
    "too much to send": "return np.broadcast_to(x[..., :1], (*x.shape[:-1], 1 << 24))",
    "a generator among results": "return x, [2 * x, (row for row in x)], {'x': (row for row in x)}",
    "objects": "return [object(), np.array([object()]), (object(),)]",
    "its own class": "raise type('CANARY', (BaseException,), {})",
    "never ends": "return never_ends(x)",
}
LIKE = {  # what a student's code does → the mistake that it behaves as
    "return np.asarray([3 * row for row in x])": "thrice",
    "return x * x": "squared",
    "return np.stack([x + x])": "an axis too many",
    "return np.where(x < 0, np.nan, 2 * x)": "NaN below zero",
    "x[...] = x + x\n    return x": "its argument is spoilt",
    "raise type('Mine', (ValueError,), {})('7')": "a value error",
    "import sys\n    sys.exit(1)": "the end of the program",
    "yield 7": "a generator",
    "return (x, (x + x, (_ for _ in x)), {'x': (_ for _ in ())})": "a generator among results",
    "return [type('Mine', (), {})(), np.array([{1}]), (object(),)]": "objects",
    "return np.zeros((1 << 23) + 1)": "too much to send",
    "return double(x)": "never ends",
}
UNLIKE = (  # wrong in a way that is not known, or hostile
    "return 5 * x",
    "return 3 * x if x.shape[-1] == 5 else 2 * x",
    "return (3 * x).astype(np.float32)",
    "return np.where(x < 0, np.nan, 5 * x)",
    "x *= 3\n    return x",
    "return 1 << 70",
    "return 'CANARY' * 9_000",
    "return {'CANARY': [{1, 2}, b'', object]}",
    "return [{1}, np.array([object()]), (object(),)]",
    "return (x, (x + x, {1}), {'x': (_ for _ in ())})",
    "return np.array([object()])",
    "return [[[[[[[[[[x]]]]]]]]]]",
    "return np.zeros(1 << 21)",
    "raise KeyError('CANARY')",
    "os._exit(3)",
    "while True: pass",
)
RIGHT = ("return x + x", "return [x, x][1] * 2.0")
HEAD = "import os\n\nimport numpy as np\n\n\n"
MISTAKE = """
@mistake("double", kind={kind!r}, symptom={kind!r} " is seen. Why?", answer="CANARY {place}")
def canary_{place}(x):
    {body}
"""


def mistakes_of(bodies: dict[str, str]) -> str:
    """The text of mistakes.py."""
    marked = [
        MISTAKE.format(kind=kind, place=place, body=body)
        for place, (kind, body) in enumerate(bodies.items())
    ]
    never = "def never_ends(x):\n    return never_ends(x)\n\n"
    return f"{HEAD}from autograder.grading import mistake\n\n{never}{''.join(marked)}"


def graded(course, handed_in, sandbox):
    """Each body's checks of step 1 by name, and its result."""

    def work(graders):
        return [graders.grade(staged, sandbox, 0, "key") for staged in handed_in]

    graded = with_graders(course.assignment, work)
    return [({one.name: one for one in result.questions[0].checks}, result) for result in graded]


@pytest.fixture(scope="module")
def seen(new_course, tmp_path_factory, sandbox):
    """Each body graded without known mistakes, and with them; and the manifest."""
    course = new_course(tmp_path_factory.mktemp("diagnosed"))
    course.limit(seconds=0.5, memory_mb=512)
    course.grade_with(GRADER)
    bodies = (*LIKE, *UNLIKE, *RIGHT)
    handed_in = [
        course.staged(course.submit(f"s{at}", step1_double=f"{HEAD}def double(x):\n    {body}\n"))
        for at, body in enumerate(bodies)
    ]
    before = graded(course, handed_in, sandbox)
    course.write("tests/demo/mistakes.py", mistakes_of(KNOWN))
    after = graded(course, handed_in, sandbox)
    pairs = {body: (*one, *other) for body, one, other in zip(bodies, before, after, strict=True)}
    return pairs, course.assignment.manifest


@pytest.mark.parametrize("body", LIKE)
def test_what_behaves_as_a_known_mistake_is_named(seen, body):
    """By values, form, NaN, spoilt arguments, kind of exception; public words and points stay."""
    before, was, after, result = seen[0][body]
    kind, place = LIKE[body], list(KNOWN).index(LIKE[body])
    failed = [name for name, check in after.items() if check.outcome is Outcome.FAILED]

    assert failed
    for name in failed:
        check = after[name]
        hidden = check.visibility == "hidden"
        assert (check.mistake, check.answer) == (kind, f"CANARY {place}")
        assert check.message == (f"{kind} is seen. Why?" if hidden else before[name].message)
        assert check.detail.endswith(f"behaves as the known mistake canary_{place}")
        assert before[name].detail in check.detail
    assert (result.score, result.max_score) == (was.score, was.max_score)


@pytest.mark.parametrize("body", UNLIKE)
def test_what_behaves_as_no_known_mistake_keeps_its_words(seen, body):
    """Whatever came of the call; it breaks nothing."""
    before, _, after, _ = seen[0][body]
    assert Outcome.FAILED in {check.outcome for check in after.values()}
    for name, check in after.items():
        assert (check.mistake, check.answer) == (None, "")
        assert (check.outcome, check.message) == (before[name].outcome, before[name].message)


@pytest.mark.parametrize("body", RIGHT)
def test_a_right_answer_gets_no_hint(seen, body):
    """Full marks, and not a word."""
    _, _, after, result = seen[0][body]

    assert result.score == result.max_score
    assert not any(check.mistake or check.message or check.answer for check in after.values())


@pytest.mark.parametrize("body", [body for body in LIKE if "raise" not in body])
def test_a_page_before_the_due_date_holds_the_symptom_alone(seen, body):
    """Neither the fix, nor the mistake's name; so does what Gradescope shows at once."""
    result, manifest = seen[0][body][-1], seen[1]
    about = About(assignment="demo", seed=0, framework="1")

    page = feedback_markdown(result, manifest, moment="now")
    told = report_of(result, manifest, about, otter=None, otter_config={"plugins": [PLUGIN]})

    assert f"{LIKE[body]} is seen. Why?" in page
    sent = json.loads(encode_report(told))
    at_once = [row for row in sent.pop("tests") if row["visibility"] == "visible"]
    shown = json.dumps([sent, at_once], ensure_ascii=False)
    assert f"{LIKE[body]} is seen. Why?" in shown
    assert "canary" not in (page + shown).lower()


def mistake(factor: float, place: int, function: str = "double") -> Mistake:
    """A known mistake that multiplies."""
    words = {"kind": f"times {factor}", "symptom": "Why?", "answer": "Mend it."}
    own = {"name": f"times_{place}", "question": "double", "function": function, "place": place}
    return Mistake(call=lambda x: np.where(x > 0, factor * x, 2 * x), **own, **words)


def check(name: str) -> Check:
    """A hidden check."""
    return Check("demo", "double", name, 1, "hidden", False, Path("test_double.py"))


def observed(name: str, x: object, value: object, function: str = "double") -> Observation:
    """One call in the check `name`."""
    array = np.asarray(x, float)
    answer = Answer(np.asarray(value, float), [array.copy()], "")
    return Observation(check(name), function, (array,), {}, answer)


def named(mistakes, observations, *failed):
    """The cause's place and the checks that it explains."""
    references = SimpleNamespace(double=lambda x: 2 * x, other=lambda x: 2 * x)
    cause = cause_of(mistakes, references, observations, frozenset(map(check, failed)))
    return cause and (cause.mistake.place, {one.name for one in cause.checks})


def test_of_the_mistakes_that_fit_the_one_that_explains_most_is_named():
    """Then the more fundamental one, in whatever order they come."""
    seen = [observed("a", [1], [3]), observed("a", [-1], [-2]), observed("b", [-1], [-3])]
    thrice = mistake(3, 7), mistake(3, 4)

    assert named(thrice, seen, "a", "b") == (4, {"a"})
    assert named(thrice[::-1], seen, "a", "b") == (4, {"a"})
    more = [seen[0], observed("c", [1, 2], [5, 10]), observed("d", [4], [12])]
    assert named([mistake(5, 0), *thrice], more, "a", "c", "d") == (4, {"a", "d"})


def test_a_mistake_that_a_passing_check_contradicts_is_not_named():
    """The student's code is right where the mistake is wrong, so it is another."""
    seen = [observed("a", [1], [3]), observed("b", [2], [4])]

    assert named([mistake(3, 0)], seen, "a") is None
    assert named([mistake(3, 0)], seen, "a", "b") == (0, {"a"})


def test_a_check_that_called_another_function_or_none_is_not_explained():
    """A mistake speaks of its own function alone."""
    seen = [observed("a", [1], [3]), observed("b", [1], [3], "other")]
    seen += [observed("passes", [1], [2], "other")]

    assert named([mistake(3, 0)], seen, "a", "b", "c") == (0, {"a"})
    assert named([mistake(2, 0, "other")], seen, "a", "c") is None


def test_what_a_check_does_to_its_arrays_afterwards_changes_nothing():
    """The mistake is asked what the student was asked."""
    x, value = np.array([1.0]), np.array([3.0])
    seen = Observation(check("a"), "double", (x,), {}, Answer(value, [x.copy()], ""))
    x[:], value[:] = 7, 7

    assert named([mistake(3, 0)], [seen], "a") == (0, {"a"})


def test_an_answer_too_large_to_keep_is_not_kept_and_not_named(monkeypatch):
    """A class's memory is not a student's to fill."""
    monkeypatch.setattr(observation, "KEPT", 650)
    small, large = observed("a", [1], [3]), observed("b", [1] * 20, [3] * 20)

    assert large.answer is None
    assert named([mistake(3, 0)], [small, large], "a", "b") == (0, {"a"})
    assert named([mistake(3, 0)], [small, large], "a") is None


@pytest.mark.parametrize(
    "value",
    [
        [np.empty((0, *[1] * 18), bool)] * 19_980,
        [functools.reduce(lambda inner, _: {"a": inner}, range(14), None)] * 1_330,
        [[]] * 19_000,
    ],
    ids=["empty arrays", "chains", "empty lists"],
)
def test_what_has_no_bytes_of_its_own_takes_room_too(value):
    """Each mistake is held against all of it, and all of it is copied."""
    seen = Observation(check("a"), "double", (np.ones(1),), {}, Answer(value, [], ""))

    assert seen.raised == observation.TOO_LARGE


def test_arguments_too_large_to_keep_do_not_take_the_value_along():
    """What became of them is the student's word; else it could hide how it got its right values."""
    grown = Answer(np.array([3.0]), [np.zeros(observation.KEPT)], "")
    seen = Observation(check("a"), "double", (np.array([1.0]),), {}, grown)

    assert seen.raised == ""
    assert seen.answer is not None
    assert seen.answer.arguments is None


def test_all_that_is_kept_of_a_submission_is_bounded(monkeypatch):
    """What comes later is kept without its values, and nothing is named by it; others still are."""
    monkeypatch.setattr(observation, "KEPT_IN_ALL", 60_000)
    seen = Observations()
    for name, length in (("a", 2_000), ("b", 2_000), ("c", 1)):
        seen.append(observed(name, [1] * length, [3] * length))

    assert [one.check.name for one in seen] == ["a", "b", "c"]
    assert sum(one.size for one in seen) <= 60_000
    assert [(one.arguments == (), one.raised) for one in list(seen)[1:]] == [
        (True, observation.TOO_LARGE),
        (False, ""),
    ]
    assert named([mistake(3, 0)], list(seen), "a", "b", "c") == (0, {"a", "c"})
