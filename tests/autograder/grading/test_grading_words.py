"""What a student reads: fixed phrases from hidden checks, bounded evidence from public ones."""

from __future__ import annotations

import builtins
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading import phrases
from autograder.grading.diagnosis import NOT_WRITTEN
from autograder.sandbox import StudentRaised
from autograder.session import with_graders
from autograder.wire import Where

CANARY = "CANARY"
BUILTIN = ("ValueError", "NotImplementedError", "MemoryError", "SystemExit", "IndentationError")
LIMIT = 1_000

HOSTILE = {
    "message": 'raise ValueError("CANARY " * 9)',
    "kind": 'raise type("CANARY", (Exception,), {})("CANARY")',
    "kind_of_a_phrase": 'raise type("FunctionMissing", (Exception,), {})("CANARY")',
    "repr": (
        'raise type("E", (Exception,), {"__str__": lambda self: "CANARY", "__repr__": str})("x")'
    ),
    "notes": "raise NotImplementedError('CANARY')",
    "printed": "print('CANARY'); raise KeyError('CANARY')",
    "exit": "raise SystemExit('CANARY')",
    "syntax": "exec('CANARY CANARY')",
    "assertion": "assert not x.size, 'CANARY'",
    "escapes": "raise ValueError('\\x1b[31mCANARY\\x07\\u202e' + 'x' * 99_999)",
    "shape": "return np.zeros((7, 41_041))",
    "text": "return 'CANARY'",
    "dict": "return {'CANARY': x}",
    "many": "return [x] * 4_104",
    "large": "return np.zeros((41_041, 4_104))",
    "lost": "os._exit(41)",
    "crashed": "import ctypes; ctypes.string_at(0)",
    "memory": "return np.zeros(1 << 40)",
    "stack": "return double(x)",
}


def raised(kind, message, where="step1_double.py", output=""):
    return StudentRaised(kind, message, [Where(where, 7, message)], output)


def words(error, *, hidden):
    return phrases.raised(error, "double", "step1_double.py", hidden=hidden)


texts = st.text()
kinds = st.sampled_from(BUILTIN) | texts


@given(kinds, texts, texts, texts)
def test_a_hidden_check_repeats_nothing_of_an_exception(kind, message, other, output):
    """Its words depend on which of the usual exceptions it is, and on nothing else."""
    said = words(raised(kind, message, "step2_total.py", output), hidden=True)

    same = kind if kind in {*phrases._USUAL, *phrases._SPECIAL, NOT_WRITTEN} else "Unheard"
    assert said == words(raised(same, other), hidden=True)
    assert said.isprintable()


def test_a_hidden_check_has_few_words_to_choose_among():
    """What a step raises on purpose says at most a little about an input: less than five bits."""
    kinds = [name for name, one in vars(builtins).items() if isinstance(one, type)]

    said = {words(raised(kind, ""), hidden=True) for kind in [*kinds, "AxisError", "Unheard"]}

    assert len(said) < 2**5


@given(kinds, texts)
def test_a_public_check_shows_an_exception_bounded_and_as_plain_text(kind, message):
    """No control characters reach a terminal or a page, whoever chose them."""
    said = words(raised(kind, message), hidden=False)

    assert len(said) < LIMIT
    assert not {unicodedata.category(one) for one in said.replace("\n", "")} & {"Cc", "Cf", "Cs"}


@pytest.fixture(scope="module")
def graded(new_course, tmp_path_factory, sandbox):
    """What each hostile step got to read from a public and from a hidden check, and the detail."""
    course = new_course(tmp_path_factory.mktemp("hostile"))
    course.limit(seconds=5, memory_mb=256)
    course.grade_with("def test_any(compare, rng):\n    compare.double(rng.normal(size=(2, 3)))\n")
    head = "import os\n\nimport numpy as np\n\n\ndef double(x):\n    "
    handed_in = [
        course.staged(course.submit(name, step1_double=f"{head}{line}\n"))
        for name, line in HOSTILE.items()
    ]
    results = with_graders(
        course.assignment,
        lambda graders: [graders.grade(staged, sandbox, 0, "key") for staged in handed_in],
    )
    return {result.submission: course.checks(result) for result in results}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_that_a_student_chose_comes_out_of_a_hidden_check(graded, name):
    """Neither text nor type, size, exit code or reply: only our phrases with our names."""
    hidden, public = graded[name]["any"], graded[name]["on_paper"]

    assert (hidden.visibility, public.visibility) == ("hidden", "public")
    assert hidden.outcome.value == public.outcome.value == "failed"
    assert CANARY not in hidden.message
    assert not any(one.isdigit() for one in hidden.message.replace("step1_double.py", ""))
    assert hidden.message.isprintable()


@pytest.mark.parametrize("name", ["message", "kind", "repr", "notes", "printed", "escapes"])
def test_an_instructor_reads_what_the_student_wrote(graded, name):
    """The detail has it, with the line; the public check's words have it unless ours say it all."""
    hidden, public = graded[name]["any"], graded[name]["on_paper"]

    assert CANARY in hidden.detail
    assert "step1_double.py, line 7, in double" in hidden.detail
    assert len(public.message) < LIMIT
    assert "\x1b" not in public.message + hidden.detail
    assert (CANARY in public.message) == (name != "notes")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("message", "`double` raised ValueError instead of returning a value."),
        ("kind", "`double` raised Exception instead of returning a value."),
        ("notes", "Not written yet: `double` still raises NotImplementedError."),
        ("exit", "`double` ended the program (sys.exit) instead of returning a value."),
        ("memory", "`double` needs more memory than it is given."),
        ("stack", "`double` calls itself without end."),
        ("lost", "Your program ended in the middle of `double`"),
        ("crashed", "Your program ended in the middle of `double`"),
    ],
)
def test_the_symptom_is_named(graded, name, said):
    """In plain words, and with a question that leads on."""
    message = graded[name]["any"].message

    assert message.startswith(said)
    assert message[-1] in "?."


def test_a_public_check_shows_the_shape_and_a_hidden_one_does_not(graded):
    """A size carries as many bits out as one likes."""
    assert "(7, 41041)" in graded["shape"]["on_paper"].message
    assert "shape" in graded["shape"]["any"].message or "axes" in graded["shape"]["any"].message


def test_a_syntax_error_is_shown_with_its_line_everywhere(course, sandbox):
    """It was found before any input was drawn: even a hidden check may show it."""
    broken = course.submit(step1_double="def double(x):\n    return (2 * x\n")

    result = course.grade(broken, sandbox)

    double = result.questions[0]
    assert double.score == 0
    assert {check.visibility for check in double.checks} == {"public", "hidden"}
    for check in double.checks:
        assert "step1_double.py, line 2: '(' was never closed: return (2 * x" in check.message


def test_text_of_a_file_imported_late_stays_out_of_hidden_checks(course, sandbox):
    """A file that is imported after a call could carry the call's inputs out in its error."""
    course.grade_with(
        "def test_both(student, rng):\n    student.double(rng.normal(size=3))\n"
        "    student.total(np.ones(3))\n"
    )
    late = "raise ValueError('CANARY')\n"

    result = course.grade(course.submit(step2_total=late), sandbox)

    assert course.checks(result)["both"].message == (
        "step2_total.py could not be imported: ValueError. "
        "What happens when you run `python step2_total.py`?"
    )
    assert CANARY in course.checks(result)["any_length"].message


def test_a_module_that_is_not_there_is_said_to_be_none_of_the_assignments(course, sandbox):
    """Whoever has pandas at home reads why it is not here."""
    result = course.grade(course.submit(step1_double="import a_package_of_mine\n"), sandbox)

    said = course.checks(result)["on_paper"].message
    assert "No module named 'a_package_of_mine'" in said
    assert said.endswith("the packages that the assignment names are there.")


def test_all_public_checks_are_run_before_the_first_hidden_one(course):
    """What is told word for word is told before any worker has seen a hidden input."""
    order = with_graders(
        course.assignment, lambda graders: [check.visibility for check in graders.checks()]
    )

    assert set(order) == {"public", "hidden"}
    assert order == sorted(order, reverse=True)


def test_a_file_without_a_public_check_is_imported_before_hidden_inputs(course, sandbox):
    """So its error may be told in full, whichever question is first."""
    broken = "raise ValueError('CANARY')\n"

    result = course.grade(course.submit("broken", step2_total=broken), sandbox)

    assert CANARY in course.checks(result)["any_length"].message
