"""The printed quiz: what stands on its sheet, what must not, and what its key says."""

from __future__ import annotations

import ast
import html
import re
from collections import Counter
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.grading.mistakes import load_mistakes
from autograder.manifest import Course
from autograder.outputs.quiz import key_html, make_quiz, sheet_html
from autograder.outputs.quiz.choice import Candidate, Seen, Sight, choose
from autograder.outputs.quiz.printed import LONGEST, WIDEST, Printed, Unfit, printed
from autograder.outputs.quiz.quiz import quiz_of
from autograder.session import with_graders

SEEDS = range(8)
COUNT = 5
HEAD = "import numpy as np\n\nfrom autograder.grading import mistake\n\n"
MARK = '@mistake("{question}", kind="{kind}", symptom="Seen. Why?", answer="Mend it.")\n'
LAWFUL = '''

def test_fractions(compare):
    """Halves are numbers, too."""
    compare.double(np.full(3, 0.5))


def test_one_row(compare):
    """A row may stand <alone>."""
    compare.double(np.arange(3.0))
'''
UNFIT = {
    # the mistake → why no sheet can show it
    "def long(x):\n" + "    x = x + 1\n" * LONGEST + "    return x": "is 14 lines long",
    f"def wide(x):\n    return x + {'1' * WIDEST}": "has a line of 103 characters",
    "def helped(x):\n    return _half(x)": "uses `_half` of its file",
    "def counted(x):\n    return [HALF for _ in x]": "uses `HALF` of its file",
    "def in_part(x):\n    return _part(x)": "uses `_part` of its file",
    "def by_default(x, by=HALF):\n    return by * x": "uses `HALF` of its file",
    "def more(x):\n    return 1 + double(x)": "calls the right `double`",
    "nameless = lambda x: x": "is no plain function",
}
HELPERS = (
    "from functools import partial\n\nfrom step1_double import double\n\n"
    "HALF = 0.5\n_part = partial(np.sum, axis=-1)\n\n\ndef _half(x):\n    return x / 2\n\n\n"
)
TELLING = '''
def forgets_the_last_one(x):
    """Leaves out the last one."""
    # it is the last one
    "and says so"
    if len(x) == 1:
        return x  # the last one

    return np.append(2 * x[:1], forgets_the_last_one(x[1:]))
'''


@pytest.fixture(scope="module")
def assignment():
    """The bundled one, with its whole bank of mistakes."""
    return Course(Path(__file__).resolve().parents[2]).assignment("self_attention")


@pytest.fixture(scope="module")
def checks(assignment):
    """The names of its checks, by question."""
    found = with_graders(assignment, lambda graders: graders.checks())
    return {
        one.question: [other.name for other in found if other.question == one.question]
        for one in found
    }


@pytest.fixture(scope="module")
def quizzes(assignment, checks):
    """One for each seed; which checks see a mistake is made up of its name."""

    def look(mistakes):
        return {one.name: made_up_sight(one, checks[one.question]) for one in mistakes}

    def draw(graders):
        return [quiz_of(graders, seed, COUNT, look) for seed in SEEDS]

    return with_graders(assignment, draw)


def made_up_sight(mistake, names) -> Sight:
    """As if the first few checks had seen it."""
    seen = names[: 1 + len(mistake.name) % len(names)]
    return Sight(tuple(Seen(name, f"The law of {name}.", "") for name in seen), len(names))


def code_blocks(page: str) -> list[str]:
    """The code on a page, as a reader sees it."""
    return [html.unescape(one) for one in re.findall(r'<pre class="code">(.*?)</pre>', page, re.S)]


def write_mistakes(course, *mistakes: str, question: str = "double", helpers: str = "") -> None:
    """Write a bank of these functions for the small course, each of a kind of its own."""
    marks = [MARK.format(question=question, kind=f"kind {at}") for at in range(len(mistakes))]
    marked = [
        mark + text if text.startswith("def") else f"{mark[1:-1]}({text.partition(' = ')[2]})"
        for mark, text in zip(marks, map(str.strip, mistakes), strict=True)
    ]
    named = [one if one[0] == "@" else f"nameless = {one}" for one in marked]
    course.write(f"tests/demo/mistakes_{question}.py", HEAD + helpers + "\n\n\n".join(named))


def test_the_sheet_gives_nothing_away(assignment, checks, quizzes):
    """No name, kind, symptom or answer of a mistake, no check, no law, no file."""
    secret = {one.name for one in load_mistakes(assignment)}.union(*checks.values())
    for quiz in quizzes:
        sheet = html.unescape(sheet_html(quiz))
        of_items = {
            text
            for item in quiz.items
            for one in [item.mistake]
            for text in (one.kind, one.symptom, one.answer)
        }

        assert [one for one in secret | of_items if one in sheet] == []
        assert not re.search(r"\.py|tests/|mistakes|The law of", sheet)


def test_its_code_is_the_students_function_and_can_be_read(assignment, quizzes):
    """It is Python, has the name of the step, no remarks, and a dozen lines at most."""
    names = {one.name: one.functions for one in assignment.manifest.questions}
    for quiz in quizzes:
        for item, code in zip(quiz.items, code_blocks(sheet_html(quiz)), strict=True):
            (function,) = ast.parse(code).body
            assert isinstance(function, ast.FunctionDef)
            assert function.name in names[item.mistake.question]
            assert ast.get_docstring(function) is None
            assert function.decorator_list == []
            assert "#" not in code
            assert len(code.splitlines()) <= LONGEST


def test_sheet_and_key_are_of_one_draw(quizzes):
    """The same code in the same order, the same seed on both; the key says whom it is for."""
    for seed, quiz in zip(SEEDS, quizzes, strict=True):
        sheet, key = sheet_html(quiz), key_html(quiz)

        assert code_blocks(sheet) == code_blocks(key)
        assert all(f"seed {seed}</div>" in page for page in (sheet, key))
        assert "For staff only" in key
        assert "For staff only" not in sheet


def test_the_key_says_of_each_item_what_is_wrong_and_what_sees_it(quizzes):
    """Its kind, symptom and answer, and each check that fails it; the first with their laws."""
    for quiz in quizzes:
        key = html.unescape(key_html(quiz)).replace("<code>", "`").replace("</code>", "`")
        for item in quiz.items:
            for text in (item.mistake.kind, item.mistake.symptom, item.mistake.answer):
                assert text in key
            assert all(f"`{one.check}`" in key for one in item.sight.seen)
            assert all(one.law in key for one in item.sight.seen[:3])


def test_items_are_of_different_kinds_and_spread_over_the_questions(quizzes):
    """No two of one kind, and no question has two while another has none."""
    for quiz in quizzes:
        assert len({item.mistake.kind for item in quiz.items}) == COUNT
        assert len({item.mistake.question for item in quiz.items}) == COUNT
        assert [item.task.step for item in quiz.items] == sorted(
            item.task.step for item in quiz.items
        )


def test_a_seed_decides_the_sheet(assignment, quizzes, checks):
    """The same one gives the same bytes; others give other sheets."""
    sheets = [sheet_html(quiz) for quiz in quizzes]

    def again(graders):
        def look(mistakes):
            return {one.name: made_up_sight(one, checks[one.question]) for one in mistakes}

        return sheet_html(quiz_of(graders, SEEDS[3], COUNT, look))

    assert with_graders(assignment, again) == sheets[3]
    assert len({tuple(code_blocks(sheet)) for sheet in sheets}) == len(SEEDS)


def test_pages_need_nothing_beside_them(quizzes):
    """No script, no style sheet, no picture and no font is fetched."""
    for page in (sheet_html(quizzes[0]), key_html(quizzes[0])):
        assert page.startswith("<!DOCTYPE html>")
        assert "@page" in page
        assert not re.search(r"https?:|<script|<link|<img|src=|href=|url\(|@import", page)


def candidates(assignment, question: str, *questions: str) -> list[Candidate]:
    """All known mistakes of these questions, whatever their code."""
    wanted = (question, *questions)
    nothing = Printed("", (), ())
    return [Candidate(one, nothing) for one in load_mistakes(assignment) if one.question in wanted]


def test_mistakes_that_few_checks_see_come_first(assignment):
    """An ordinary input does not show them; what no check sees is not asked at all."""
    bank = candidates(assignment, "scaling")
    rare, unseen = {bank[at].mistake.kind for at in (3, 9)}, bank[20].mistake.kind

    def look(mistakes):
        sizes = dict.fromkeys(rare, 1) | {unseen: 0}
        seen = {one.name: sizes.get(one.kind, 8) for one in mistakes}
        return {name: Sight((Seen(name, "", ""),) * size, 10) for name, size in seen.items()}

    everything = choose(bank, 0, 100, look)

    assert unseen not in {one.mistake.kind for one in everything}
    for seed in SEEDS:
        (first,) = choose(bank, seed, 1, look)
        drawn = choose(bank, seed, 4, look)
        assert sum(one.sight.is_rare for one in drawn) >= first.sight.is_rare
    firsts = [choose(bank, seed, 1, look)[0] for seed in range(40)]
    assert sum(one.sight.is_rare for one in firsts) > 20, "chance alone gives about four"


def test_what_one_check_sees_is_not_asked_twice(assignment):
    """Two forms of one trap would be one question; another takes the second place."""
    bank = candidates(assignment, "scores", "projections")

    def look(mistakes):
        batch = {one.name for one in mistakes if "batch" in one.kind}
        return {
            one.name: Sight((Seen("batches" if one.name in batch else one.name, "", ""),), 10)
            for one in mistakes
        }

    for seed in SEEDS:
        kinds = [one.mistake.kind for one in choose(bank, seed, 2, look)]
        assert sum("batch" in kind for kind in kinds) <= 1


def test_more_items_than_questions_are_shared_out(assignment):
    """Each question has as many as any other, or one more."""
    bank = candidates(assignment, "scores", "projections", "softmax")

    def look(mistakes):
        return {one.name: Sight((Seen(one.name, "", ""),), 10) for one in mistakes}

    shares = Counter(one.mistake.question for one in choose(bank, 1, 8, look))
    assert sorted(shares.values()) == [2, 3, 3]


@pytest.mark.parametrize("text", UNFIT)
def test_what_cannot_be_understood_by_itself_is_left_out(course, text):
    """It is too long, or its reader would miss the rest of its file."""
    write_mistakes(course, text, helpers=HELPERS)
    (mistake,) = load_mistakes(course.assignment)

    with pytest.raises(Unfit) as error:
        printed(mistake, ["step1_double", "step2_total"])

    assert str(error.value) == UNFIT[text]


def test_all_that_tells_is_taken_out_of_the_code(course):
    """Its name, where it calls itself too, docstrings, comments; the rest stays as it is."""
    write_mistakes(course, TELLING)
    (mistake,) = load_mistakes(course.assignment)

    shown = printed(mistake, [])

    assert shown.imports == ("import numpy as np",)
    assert shown.code == (
        "def double(x):\n"
        "    if len(x) == 1:\n"
        "        return x\n"
        "    return np.append(2 * x[:1], double(x[1:]))"
    )


def test_the_steps_that_an_item_calls_are_explained(course):
    """Its reader has no other paper: what they give stands below the code."""
    write_mistakes(
        course, "def half(x):\n    return double(x).sum(-1) / 2", question="total", helpers=HELPERS
    )

    sheet = html.unescape(sheet_html(make_quiz(course.assignment, 0, 1)))

    assert "The sum of what <code>double</code> gives." in sheet
    assert "The steps that it calls are right: <code>double(x) → (..., n)</code>." in sheet


def test_the_key_tells_by_which_law_it_is_seen(course):
    """Of the checks that fail it, and of no other, the first line of the docstring."""
    course.grade_with(LAWFUL)
    write_mistakes(course, "def whole(x):\n    return (2 * x).astype(int) if x[0] == 0 else 2 * x")

    key = key_html(make_quiz(course.assignment, 0, 1))

    assert "1 of 3 checks" in key
    assert "A row may stand &lt;alone&gt;. <code>one_row</code>" in key
    assert "Halves are numbers" not in key
    assert "dtype: got int64 array (3,); expected float64 array (3,)" in key


def test_whatever_stands_in_a_course_stays_text(course):
    """A sign of HTML in a title, a kind or code is shown, not obeyed."""
    path = course.root / "assignments/demo/assignment.toml"
    course.write("assignments/demo/assignment.toml", path.read_text().replace("Two", "<b>Two"))
    write_mistakes(course, "def small(x):\n    return x * (x<b'>'[0])")

    quiz = make_quiz(course.assignment, 0, 1)

    for page in (sheet_html(quiz), key_html(quiz)):
        assert "&lt;b&gt;Two steps" in page
        assert "(x&lt;b&#39;&gt;&#39;[0])" in page
        assert "<b>Two" not in page


def test_too_few_known_mistakes_are_said_with_what_does_not_fit(course):
    """Where, what was expected and got, which are left out and why, and what to do."""
    write_mistakes(
        course,
        "def thrice(x):\n    return 3 * x",
        "def right(x):\n    return x + x",
        "def helped(x):\n    return _half(x)",
        helpers=HELPERS,
    )

    with pytest.raises(CourseError) as error:
        make_quiz(course.assignment, 0, 5)

    assert error.value.where.endswith("tests/demo/mistakes*.py")
    assert "expected 5 known mistakes of different kinds" in error.value.problem
    assert "got 1 (these do not fit: helped uses `_half` of its file)" in error.value.problem
    assert error.value.fix.endswith("or ask for fewer with --questions 1.")
    assert error.value.undone == "Nothing was written."


def test_a_course_without_known_mistakes_has_no_quiz(course):
    """And is not told to ask for fewer."""
    with pytest.raises(CourseError, match=r"expected 1 known mistakes .* got 0") as error:
        make_quiz(course.assignment, 0, 1)

    assert "fewer" not in error.value.fix
