"""The rows on Gradescope: all points are there, and nothing is told before its time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from autograder.gradescope.rows import NOT_GRADED, rows_not_graded, rows_of
from autograder.gradescope.spec import Report, decode_report, encode_report
from autograder.scoring import PENDING_WORDS, hundredths
from autograder.shown import NOT_HERE, WORDLESS

from .made import (
    ANSWERS,
    BROKEN,
    FAILED,
    FOLLOWED,
    HOSTILE,
    PASSED,
    PENDING,
    SECRETS,
    SETTINGS,
    SKIPPED,
    WORDS,
    Sample,
    check,
    is_shown_as_passed,
    manifest,
    points_of,
    samples,
    shown,
    usual,
)

any_sample = given(samples())
NAMES = [
    "step 1 · scores_of · shape 0",
    "step 1 · scores_of · shape 1",
    "step 1 · scores_of · hidden check 1",
    "step 2 · softmax_of · shape 0",
    "step 2 · softmax_of · a hint from the hidden checks",
    "step 2 · softmax_of · hidden check 1",
    "step 2 · softmax_of · hidden check 2",
    "step 2 · softmax_of · hidden check 3",
    "70 of 100 points are in hidden checks",
]
NUMBERS = ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", None]


def rows(sample: Sample):
    return rows_of(sample.result, sample.manifest)


def one_row(*args, extra=(), **settings):
    """The first row of a question with this one check."""
    return rows(Sample(manifest(60, extra=extra, **settings), [[check(*args)]]))[0]


@any_sample
def test_the_rows_are_out_of_the_assignments_points(sample):
    """Whatever was broken, skipped, disabled or extra, Gradescope is told the same total."""
    assert points_of(rows(sample), "max_score") == hundredths(sample.result.max_score)


@any_sample
def test_the_rows_add_up_to_the_score(sample):
    """A score is the sum of its rows; where there is none, what is broken counts 0."""
    result = sample.result
    earned = [check.points for question in result.questions for check in question.checks]

    assert points_of(rows(sample)) == sum(map(hundredths, earned))
    if result.score is not None:
        assert points_of(rows(sample)) == hundredths(result.score)


@any_sample
def test_no_two_rows_have_one_number(sample):
    """Rows are numbered by step, then by place; the row about what is kept back has no number."""
    numbers = [row.number for row in rows(sample) if row.number is not None]

    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"[1-4]\.[1-9][0-9]*", number) for number in numbers)


@any_sample
def test_what_did_not_pass_is_never_shown_as_passed(sample):
    """0 of 0 points would be shown as passed: a broken, pending or skipped check never is."""
    result = sample.result
    outcomes = [one.outcome for question in result.questions for one in question.checks]
    of_checks = [row for row in rows(sample) if row.tags and row.tags[0] != "hint"]

    assert sum(map(is_shown_as_passed, of_checks)) == outcomes.count(PASSED)


@any_sample
def test_what_passed_for_a_share_of_its_points_says_why(sample):
    """At the very moment when its points are shown."""
    in_part = [row for row in rows(sample) if (row.score or 0) < (row.max_score or 0)]

    passed = [row for row in in_part if is_shown_as_passed(row)]
    assert {row.output for row in passed} <= {FOLLOWED}


@any_sample
def test_every_row_is_valid_plain_text(sample):
    """The rows decode as Gradescope specifies them, and no text of theirs is markup."""
    made = rows(sample)

    assert decode_report(encode_report(Report(tests=made))).tests == made
    assert {row.name_format for row in made} <= {"text"}
    assert all((row.output_format == "text") == bool(row.output) for row in made)
    assert all((row.score is None) == (row.max_score is None) for row in made)


@any_sample
def test_no_row_holds_what_is_for_staff(sample):
    """No hidden check's name, no detail and no known mistake's name is in any row."""
    text = encode_report(Report(tests=rows(sample))).decode()

    assert not [secret for secret in SECRETS if secret in text]


def test_by_default_hidden_rows_wait_and_one_symptom_a_step_is_told():
    """Public checks by name with words, hidden ones by number, a hint, a count of the rest."""
    made = rows(usual())

    assert [row.name for row in made] == NAMES
    assert [row.number for row in made] == NUMBERS
    assert [row.name for row in shown(made)] == [
        name for name in NAMES if "hidden check " not in name
    ]
    assert shown(made, "after_published") == made
    assert [(row.score, row.max_score, row.status) for row in made[:5]] == [
        (0, 2, "failed"), (8, 8, "passed"), (30, 30, "passed"), (20, 20, "passed"),
        (None, None, "failed"),
    ]  # fmt: skip
    assert [row.output for row in made[:5]] == [WORDS[1], None, None, None, WORDS[0]]
    assert [row.output for row in made[5:8]] == [WORDLESS, WORDS[0], WORDS[2]]


@pytest.mark.parametrize("hints", SETTINGS)
@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (PENDING, PENDING_WORDS),
        (FAILED, WORDLESS),
        (BROKEN, NOT_GRADED),
        (SKIPPED, "No case of this check could run here."),
    ],
)
def test_what_is_no_hint_is_said_without_hints_too(hints, outcome, words):
    """That a check failed, waits for a person, is broken or did not run is said in its row."""
    assert one_row(outcome, hidden_points="now", hints=hints).output == words


def test_what_is_broken_counts_nothing_and_is_nobodys_failure():
    """Its row is out of its points, has none, and says that it is our fault."""
    row = one_row(BROKEN, "public", "a traceback")

    assert (row.score, row.max_score, row.status) == (0, 60, None)
    assert row.output == NOT_GRADED
    assert "our fault, not yours" in NOT_GRADED


@pytest.mark.parametrize("outcome", [BROKEN, PENDING, SKIPPED])
def test_extra_credit_that_is_not_graded_has_no_points_in_its_row(outcome):
    """0 of 0 points would look like all of them."""
    row = one_row(outcome, "public", extra=[1])

    assert (row.score, row.max_score, row.status) == (None, None, None)
    assert row.output


@pytest.mark.parametrize(("outcome", "score"), [(PASSED, 60), (FAILED, 0)])
def test_extra_credit_is_out_of_nothing(outcome, score):
    """What is earned is on top of the total, and the row says by a word how it ended."""
    row = one_row(outcome, "public", extra=[1])

    assert (row.score, row.max_score, row.status) == (score, 0, outcome.value)
    assert row.name == "step 1 · scores_of · extra credit · shape 0"


def test_a_question_that_could_not_run_keeps_its_points_in_a_row():
    """They are nobody's yet, the row says why, and the total stays."""
    told = manifest(40, 60)
    made = rows(Sample(told, [[check(SKIPPED), check(SKIPPED, "public")], [check(PASSED)]]))

    (rest,) = [row for row in made if row.name.endswith("not graded here")]
    assert (rest.score, rest.max_score, rest.visibility) == (0, 40, "visible")
    assert rest.output == NOT_HERE


def fed(*checks, **settings):
    """The rows of step 2, which passed by follow-through for half of its 60 points."""
    sample = Sample(manifest(40, 60, share=0.5, **settings), [[check(FAILED)], checks])
    return [row for row in rows(sample) if (row.number or "").startswith("2.")]


def test_a_public_check_that_passed_by_follow_through_says_so_at_once():
    """Beside its points; then no row of its own has to say it for a hidden one."""
    one, hidden = fed(check(PASSED, "public", FOLLOWED), check(PASSED, message=FOLLOWED))

    assert (one.score, one.max_score, one.status) == (15, 30, "passed")
    assert (one.output, one.visibility) == (FOLLOWED, "visible")
    assert (hidden.output, hidden.visibility) == (FOLLOWED, "after_published")


@pytest.mark.parametrize("hints", ["now", "after_due_date"])
def test_follow_through_that_is_told_before_points_has_a_row_of_its_own(hints):
    """Passed, like a hint without points; the hidden checks say it with their points."""
    told, first, second = fed(
        check(PASSED, message=FOLLOWED), check(PASSED, message=FOLLOWED, n=1), hints=hints
    )

    assert told.name == "step 2 · softmax_of · what came from an earlier step"
    assert (told.score, told.max_score, told.status) == (None, None, "passed")
    assert (told.output, told.tags) == (FOLLOWED, ["hint", "softmax"])
    assert told.visibility == {"now": "visible"}.get(hints, hints)
    assert (first.score, first.max_score) == (second.score, second.max_score) == (15, 30)
    assert (first.output, first.visibility) == (FOLLOWED, "after_published")


@pytest.mark.parametrize("hints", ["after_due_date", "after_published", "never"])
def test_follow_through_belongs_to_points_that_are_shown_before_hints(hints):
    """They may be fewer for it: the row says so itself, and no other has to."""
    (one,) = fed(check(PASSED, message=FOLLOWED), hidden_points="after_due_date", hints=hints)

    assert (one.score, one.max_score, one.output) == (30, 60, FOLLOWED)


@pytest.mark.parametrize(
    ("hints", "visibility"),
    [
        ("now", "after_due_date"),
        ("after_due_date", "after_due_date"),
        ("after_published", "after_published"),
    ],
)
def test_how_to_mend_a_known_mistake_has_a_row_that_waits(hints, visibility):
    """Once a question, after the hint, without points and without a status of its own."""
    named = [check(FAILED, message=WORDS[0], n=n, answer=ANSWERS[0]) for n in range(2)]
    made = rows(Sample(manifest(60, hidden_points="now", hints=hints), [named]))

    (answer,) = [row for row in made if row.output and ANSWERS[0] in row.output]
    assert answer.name == "step 1 · scores_of · how to mend it"
    assert (answer.output, answer.output_format) == (ANSWERS[0], "text")
    assert (answer.score, answer.max_score, answer.status) == (None, None, None)
    assert (answer.visibility, answer.tags) == (visibility, ["hint", "scores"])
    assert [row.output for row in made[: made.index(answer)]] == [WORDS[0]] * (hints != "now")


def test_a_public_check_names_how_to_mend_it_too():
    """Its own message stays, with its evidence; the answer comes once, after the due date."""
    both = [check(FAILED, "public", WORDS[1], n=n, answer=ANSWERS[0]) for n in range(2)]

    first, second, answer = rows(Sample(manifest(60), [[*both, check(PASSED)]]))[:3]

    assert (first.output, second.output) == (WORDS[1], WORDS[1])
    assert (answer.output, answer.visibility) == (ANSWERS[0], "after_due_date")


def test_without_hints_no_row_says_how_to_mend_it():
    """Not even for staff: the results hold it."""
    named = [check(FAILED, which, WORDS[0], answer=ANSWERS[0]) for which in ("public", "hidden")]

    made = rows(Sample(manifest(60, hints="never"), [named]))

    assert [row for row in made if row.output == ANSWERS[0]] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_a_students_words_in_a_row_are_plain_text(text):
    """What an exception of theirs said has no terminal, bidi or invisible codes, and no format."""
    row = one_row(FAILED, "public", text)

    assert row.output_format == "text"
    assert not set(row.output) & set("\u202e\u2066\x1b\x00\r\u2028\x85")
    assert set(re.findall(r"\w+", row.output)) <= set(re.findall(r"\w+", text))


@given(samples())
def test_rows_of_what_was_not_graded_are_out_of_the_same_total(sample):
    """A row a question that counts, none of them shown as passed, each saying whose fault it is."""
    made = rows_not_graded(sample.manifest)

    assert points_of(made, "max_score") == hundredths(sample.result.max_score)
    assert points_of(made) == 0
    assert not any(map(is_shown_as_passed, made))
    assert all((row.score is None) == (row.max_score is None) for row in made)
    assert {row.output for row in made} == {NOT_GRADED}
    assert {row.name_format for row in made} == {row.output_format for row in made} == {"text"}
    assert [row.name for row in made] == [one.title for one in sample.manifest.enabled_questions]
    assert decode_report(encode_report(Report(tests=made))).tests == made
