"""`pytest tests/<assignment>` as an instructor types it, in a process of its own."""

from __future__ import annotations

import re

import pytest

TELLTALE = "from pathlib import Path\n\nPath(__file__).with_suffix('.was_run').touch()\n"
WRONG = "def double(x):\n    return 3 * x\n"
MISTAKES = {
    # file → its text from line 4 on, the line that is named, the problem and the fix
    "test_no_question.py": (
        "def test_none(student):\n    pass\n",
        4,
        "0 questions",
        "pytestmark =",
    ),
    "test_two.py": (
        '@question("double")\n@question("total")\ndef test_two(student):\n    pass\n',
        *(4, "2 questions", "pytestmark ="),
    ),
    "test_unknown.py": (
        'pytestmark = question("triple")\n\n\ndef test_it(student):\n    pass\n',
        *(7, "no question 'triple'", "double, total"),
    ),
    "test_light.py": (
        'pytestmark = question("double")\n\n\n@weight(0)\ndef test_light(student):\n    pass\n',
        *(7, "at least 1, got 0", "@weight(2)"),
    ),
    "test_text.py": (
        'pytestmark = question("double")\n\n\n@weight("2")\ndef test_text(student):\n    pass\n',
        *(7, "at least 1, got '2'", "@weight(2)"),
    ),
    "test_wordless.py": (
        'pytestmark = question("double")\n\n\ndef test_wordless(student):\n    n = 3\n'
        '    assert student.double(n) == 6, f"not {n}"\n',
        *(9, "no plain string", "a plain string"),
    ),
    "test_twin_a.py": (
        'pytestmark = question("double")\n\n\ndef test_twin(student):\n    pass\n',
        *(None, "", ""),
    ),
    "test_twin_b.py": (
        'pytestmark = question("double")\n\n\ndef test_twin(student):\n    pass\n',
        *(7, "also a check of test_twin_a.py", "another name"),
    ),
    "test_again.py": (
        'pytestmark = question("double")\n\n\ndef test_again(student):\n    pass\n\n\n'
        "def test_again(student):\n    pass\n",
        *(11, "stands at line 7 already", "another name"),
    ),
    "test_fixture.py": (
        'pytestmark = question("double")\n\n\ndef test_fixture(studnet):\n    pass\n',
        *(7, "no fixture 'studnet'", "ask for student"),
    ),
    "test_cases.py": (
        'pytestmark = question("double")\n\n\n'
        '@pytest.mark.parametrize("n", [1, pytest.param(2, marks=weight(2))])\n'
        "def test_cases(student, n):\n    pass\n",
        *(7, "different marks", "mark the function"),
    ),
}


@pytest.fixture
def faulty(course):
    """A course with every mistake of `MISTAKES` in its grader files."""
    head = "import pytest\n\nfrom autograder.grading import question, weight\n"
    for name, (text, *_) in MISTAKES.items():
        course.write(f"tests/demo/{name}", head + text)
    drawn = "@pytest.mark.question('double')\ndef test_drawn(student, rng):\n    pass\n"
    course.write("assignments/demo/test_public_rng.py", f"import pytest\n\n\n{drawn}")
    return course


def named_mistakes(said):
    """File → line, problem and fix, as they were printed."""
    pattern = r"^.*?([\w.]+\.py):(\d+): (.*)\n *Fix: (.*)$"
    return {name: (int(line), *words) for name, line, *words in re.findall(pattern, said, re.M)}


def test_the_reference_is_graded_by_hidden_and_public_checks(course):
    """Public ones come first; nothing of a handout's conftest.py or of examples/ is ever run."""
    run = course.pytest("-v")

    passed = re.findall(r"^(\S+) PASSED", run.stdout, re.M)
    assert run.returncode == 0, run.stdout
    assert passed == [
        "assignments/demo/test_public_double.py::test_on_paper",
        *(f"tests/demo/test_double.py::test_any_length[{n}]" for n in (3, 5)),
        *(f"tests/demo/test_total.py::test_any_length[{n}]" for n in (3, 5)),
    ]
    assert course.was_run == []


def test_a_submission_is_graded_in_place_of_the_reference(course):
    """What a student reads is shown, and `-x` and `-k` work as in any suite."""
    wrong = course.submit(step1_double=WRONG)
    course.write("class/one/conftest.py", TELLTALE)

    stopped = course.pytest("--submission", wrong, "-x")
    chosen = course.pytest("--submission", wrong, "-k", "on_paper or total")

    assert "expected all 2, got [3. 3. 3.]" in stopped.stdout
    assert "1 failed in" in stopped.stdout
    assert "3 failed, 2 deselected" in chosen.stdout
    assert (stopped.returncode, chosen.returncode) == (1, 1)
    assert course.was_run == []


def test_one_grader_file_is_graded_alone(course):
    """The path of a file works as the path of the folder does."""
    file = course.assignment.graders / "test_total.py"

    run = course.python("-m", "pytest", "-p", "no:cacheprovider", "--color=no", file)

    assert "2 passed" in run.stdout


@pytest.mark.parametrize("place", ["tests/demo/examples", "tests/demo/examples/odd/test_odd.py"])
def test_an_example_is_never_run_as_tests(course, place):
    """Not even when it is named: a student's conftest.py would run beside the answers."""
    run = course.python("-m", "pytest", "-p", "no:cacheprovider", place)

    assert run.returncode == 4
    assert "is a submission, which pytest itself must not run" in run.stderr
    assert course.was_run == []


def test_a_class_is_no_submission(course):
    """`--submission` takes one; the first of many would be a surprise."""
    course.submit("one")
    course.submit("two")

    run = course.pytest("--submission", "class")

    assert "expected one submission, got a folder of 2 submissions" in run.stdout + run.stderr
    assert run.returncode == 2


def test_every_mistake_in_the_grader_files_is_named_before_anything_runs(faulty):
    """All of them at once: file, line, what is wrong and what to write instead."""
    run = faulty.pytest()

    named = named_mistakes(run.stdout + run.stderr)
    expected = {name: wrong for name, (_, *wrong) in MISTAKES.items() if wrong[0]}
    public = named.pop("test_public_rng.py")
    assert run.returncode not in (0, 1), "1 would say that checks failed"
    assert "passed" not in run.stdout
    assert named.keys() == expected.keys()
    for name, (line, problem, fix) in expected.items():
        assert named[name][0] == line, name
        assert problem in named[name][1]
        assert fix in named[name][2]
    assert public == (4, "a public check asks for 'rng', which no handout has", public[2])


def test_a_grader_that_cannot_be_imported_is_named(course):
    """File and line of the grader; the other graders do not hide it."""
    course.write("tests/demo/test_total.py", "import numpy\n\nfrom nowhere import anything\n")

    run = course.pytest()

    assert run.returncode not in (0, 1)
    assert "tests/demo/test_total.py:3" in run.stdout
    assert "No module named 'nowhere'" in run.stdout


def test_tests_that_are_no_graders_are_left_alone(course):
    """A course's own tests beside the graders run as ever, and have no use for the fixtures."""
    course.write("tests/unit/test_unit.py", "def test_it():\n    pass\n")
    course.write("tests/unit/test_student.py", "def test_it(student):\n    pass\n")

    run = course.python("-m", "pytest", "-p", "no:cacheprovider", "--color=no", "tests/unit")

    assert "1 passed, 1 error" in run.stdout
    assert "this fixture belongs to an assignment's graders" in run.stdout
