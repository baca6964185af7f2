"""results.json as a whole: our rows, what else otter-grader decided, and no word of a student's
that becomes markup."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import structs

from autograder.gradescope.report import not_graded, report_of, said_of
from autograder.gradescope.rows import NOT_GRADED
from autograder.gradescope.spec import Report, Row, decode_report, encode_report
from autograder.scoring import hundredths
from autograder.submissions import submission_in

from .made import (
    ABOUT,
    BROKEN,
    HOSTILE,
    OURS_ALONE,
    PASSED,
    SECRETS,
    SKIPPED,
    Sample,
    check,
    manifest,
    points_of,
    samples,
    usual,
)

OTHER = {"plugins": [*OURS_ALONE["plugins"], {"otter.plugins.builtin.RateLimiting": {}}]}
LIMITED = "You have exceeded the rate limit for the autograder."


def reported(sample: Sample, otter: Report | None = None, config=OURS_ALONE, about=ABOUT):
    """The report, written and read again."""
    made = report_of(sample.result, sample.manifest, about, otter=otter, otter_config=config)
    assert decode_report(encode_report(made)) == made
    return made


def otters(sample: Sample, visibility="hidden", output=None, score=None, **scores) -> Report:
    """A report of otter-grader's with our verdicts, but for some questions' `scores`."""
    rows = [Row(name="Public Tests", visibility="visible", status="passed")]
    for question in sample.result.questions:
        earned = sum(check.points for check in question.checks)
        rows.append(
            Row(
                name=question.name,
                score=scores.get(question.name, earned),
                max_score=question.max_score,
                visibility=visibility,
            )
        )
    return Report(tests=rows, output=output or said_of(sample.result, sample.manifest), score=score)


def hide_everything(otter: Report) -> Report:
    """As otter-grader does when a plugin asks for it."""
    hidden = [structs.replace(row, visibility="hidden") for row in otter.tests]
    return structs.replace(otter, tests=hidden, stdout_visibility="hidden")


@given(samples())
def test_every_report_is_valid_and_hides_what_is_for_staff(sample):
    """It decodes as Gradescope specifies it, stdout is hidden, and no secret is anywhere in it."""
    for otter in (None, otters(sample), otters(sample, output="Another plugin's words.")):
        made = reported(sample, otter)

        assert made.score is None
        assert points_of(made.tests, "max_score") == hundredths(sample.result.max_score)
        assert made.stdout_visibility == "hidden"
        assert not [one for one in SECRETS if one in encode_report(made).decode()]


def test_a_report_says_what_is_earned_and_where_it_comes_from():
    """Public points in words, and for staff the seed, the version and the isolation."""
    made = reported(usual())

    assert made.output == "**Public checks: 28 of 30 points**"
    assert made.output_format == "md"
    assert made.extra_data == {
        "assignment": "sample",
        "framework": "1.0",
        "seed": 7,
        "isolation": "strong",
    }


def test_the_time_that_is_told_is_that_of_public_checks():
    """A student's code could make the time of a hidden check tell of its inputs."""
    sample = usual()
    checks = [
        [
            dataclasses.replace(one, seconds=1.5 if one.visibility == "public" else 70)
            for one in some
        ]
        for some in sample.checks
    ]
    public = sum(one.visibility == "public" for some in checks for one in some)

    made = reported(dataclasses.replace(sample, checks=checks))

    assert public
    assert made.execution_time == 1.5 * public


def test_points_that_are_shown_at_once_are_summed_in_words():
    """With `hidden_points = "now"` the first line is the score itself."""
    assert reported(usual(hidden_points="now")).output == "**58 of 100 points**"


@pytest.mark.parametrize("hidden_points", ["now", "after_published", "never"])
def test_what_is_broken_is_said_first_and_named_for_staff(hidden_points):
    """The student reads whose fault it is, staff which questions have no score."""
    checks = [[check(PASSED)], [check(BROKEN)], [check(SKIPPED)]]
    made = reported(Sample(manifest(10, 20, 30, hidden_points=hidden_points), checks))

    named = "It concerns step 2 · softmax_of, step 3 · output_of."
    assert made.output == f"**Public checks: 0 of 0 points**\n\n{NOT_GRADED} {named}"
    assert made.extra_data["broken"] == ["softmax", "output"]
    assert points_of(made.tests) == 1000


def test_an_unproved_package_says_so_in_every_report():
    """The reason stands in what staff read, graded or not."""
    about = structs.replace(ABOUT, unproved="the reference is being rewritten")
    sample = usual()

    for made in (reported(sample, about=about), not_graded(sample.manifest, about)):
        assert made.extra_data["unproved"] == "the reference is being rewritten"


@given(samples())
def test_what_stands_until_there_is_a_better_one_is_valid(sample):
    """Nothing graded: right totals, whose fault it is, and for staff that all of it is missing."""
    made = decode_report(encode_report(not_graded(sample.manifest, ABOUT)))

    assert (made.output, made.output_format) == (NOT_GRADED, "text")
    assert made.stdout_visibility == "hidden"
    assert made.extra_data["broken"] == ["everything"]
    assert points_of(made.tests, "max_score") == hundredths(sample.result.max_score)
    assert points_of(made.tests) == 0


def assert_contained(output):
    """One bold line of ours, then code blocks alone; nothing invisible."""
    tokens = MarkdownIt().parse(output)
    inline = [child.type for token in tokens for child in token.children or []]

    assert {token.type for token in tokens} <= {
        "paragraph_open", "inline", "paragraph_close", "fence",
    }  # fmt: skip
    assert [one for one in inline if one != "text"] == ["strong_open", "strong_close"]
    assert not set(output) & set("\u202e\u2066\x1b\x00\r\u2028\x85\u200b")


@pytest.mark.parametrize("text", HOSTILE)
def test_notes_and_other_plugins_words_cannot_become_markup(text):
    """File names in a note, and what another plugin says, stand in code blocks."""
    sample = Sample(manifest(60), [[check(PASSED, "public")]], notes=[text, "second"])

    assert_contained(reported(sample).output)
    assert_contained(reported(sample, otters(sample, output=text)).output)


@given(st.text(st.sampled_from("`~#<>!()[]*_ \n\tab\u202e\ud800\\&|-=$")))
def test_no_text_at_all_in_a_note_becomes_markup(text):
    """Whatever a note holds, the first line is ours and there is no other markup."""
    made = report_of(
        Sample(manifest(60), [[check(PASSED, "public")]], notes=[text]).result,
        manifest(60),
        ABOUT,
        otter=None,
        otter_config=OURS_ALONE,
    )

    assert_contained(made.output)


def test_hostile_file_names_stay_text(tmp_path):
    """What is said about files that a student added cannot end its code block."""
    for number, name in enumerate(HOSTILE):
        (tmp_path / f"{number}{name}.py".replace("/", "⁄").replace("\x00", "")).touch()
    (tmp_path / "step1_scores (1).py").write_text("x = 1", "utf-8")
    staged = submission_in(tmp_path, ["step1_scores.py", "step2_softmax.py"], "one").stage()

    made = reported(Sample(manifest(60), [[check(PASSED, "public")]], notes=staged.notes))

    assert "alert" in made.output
    assert "was taken for step1_scores.py." in made.output
    assert_contained(made.output)


def test_another_plugins_words_stand_first():
    """What rate limiting says is read before what is earned."""
    made = reported(usual(), otters(usual(), output="You have 1 submissions in that period."))

    first, _, rest = made.output.partition("\n\n")
    assert first == "```text\nYou have 1 submissions in that period.\n```"
    assert rest == reported(usual()).output


@pytest.mark.parametrize("words", [LIMITED, None])
@pytest.mark.parametrize("rows", ["checks", "otter"])
def test_when_everything_is_hidden_nothing_of_ours_is_shown(rows, words):
    """Rows, stdout and our own first line are hidden; only the other plugin's words are left."""
    sample = usual(rows=rows)

    made = reported(sample, hide_everything(otters(sample, output=words)), OTHER)

    assert {row.visibility for row in made.tests} == {"hidden"}
    assert made.stdout_visibility == "hidden"
    assert (made.output or "").replace("```text\n", "").replace("\n```", "") == (words or "")
    assert points_of(made.tests, "max_score") == 10_000


@pytest.mark.parametrize(
    ("score", "rows", "told"),
    [
        (None, {}, None),
        (58.0, {}, None),
        (100.0, {}, 100),
        (0.0, {}, 0),
        (58 / 100 * 33, {}, 19.14),
        (None, {"scores": 10.0}, 30),
        (None, {"scores": 10.0, "softmax": 48.0}, None),
        (58.0, {"scores": 10.0}, None),
    ],
)
def test_a_score_of_otters_wins_and_is_not_repeated(score, rows, told):
    """`points_possible`, thresholds and overridden grades decide; the sum of the rows needs no
    score beside it."""
    sample = usual()

    made = reported(sample, otters(sample, score=score, **rows), OTHER)

    assert (made.score, points_of(made.tests)) == (told, 5800)


def test_otters_own_rows_are_left_where_the_course_wants_them():
    """`rows = "otter"`: its rows, words and score unchanged; ours are the extra data alone."""
    sample = usual(rows="otter")
    otter = otters(sample, visibility="after_published", output="Words.", score=12.0)

    made = reported(sample, otter)

    assert made == structs.replace(
        otter, stdout_visibility="hidden", extra_data=reported(usual()).extra_data
    )


@pytest.mark.parametrize("rows", ["checks", "otter"])
def test_without_otter_our_own_rows_stand(rows):
    """Its failure costs a student nothing, where it decides nothing."""
    assert reported(usual(rows=rows)) == reported(usual())


@pytest.mark.parametrize(
    "config",
    [
        OTHER,
        {"plugins": [*OURS_ALONE["plugins"], "course.plugin.Bonus"]},
        {**OURS_ALONE, "points_possible": 20},
        {**OURS_ALONE, "score_threshold": 0},
    ],
    ids=["a plugin with options", "a plugin", "points_possible", "score_threshold"],
)
def test_where_otter_decides_more_its_failure_leaves_nothing_graded(config):
    """A limit or a threshold that could not be asked must not be passed over."""
    sample = usual()

    assert reported(sample, None, config) == not_graded(sample.manifest, ABOUT)


@pytest.mark.parametrize("config", [OURS_ALONE, OTHER])
def test_a_report_of_otters_without_a_question_is_a_failure_of_its(config):
    """When its kernel died it reports 0 points of nothing; that is no student's score."""
    sample = usual()
    failed = Report(tests=[Row(name="Autograder Failed", status="failed")], score=0.0)

    assert reported(sample, failed, config) == reported(sample, None, config)


def test_options_that_decide_nothing_are_no_reason_to_grade_nothing():
    """Null stands for an option that is not set."""
    config = {**OURS_ALONE, "points_possible": None, "score_threshold": None, "show_hidden": True}

    assert reported(usual(), None, config) == reported(usual())
