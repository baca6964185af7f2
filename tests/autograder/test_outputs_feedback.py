"""The student's page: a symptom and a question, and nothing that is kept back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from autograder.manifest import Feedback, Manifest, Question
from autograder.outputs import feedback_markdown
from autograder.results import Check, Environment, Isolation, Outcome, Result
from autograder.results import Question as Graded

HERE = Environment(
    python="3",
    numpy="2",
    torch=None,
    device="cpu",
    isolation=Isolation(promise="strong", layers=[]),
)
SECRETS = ("test_secret", "DETAIL", "mistake_name")
PUBLIC_WORDS = "Yours is (n_k, n_q), the transpose of (n_q, n_k)."
HIDDEN_WORDS = "Your rows do not sum to 1. What is each of them divided by?"
SECOND_WORDS = "Your function changes its argument scores."
ANSWER = "Divide each row by its own sum: keepdims=True."
FOLLOWED = "Step 2 is right; what it lost came from step 1."
MOMENTS = ("now", "after_due_date", "after_published")


def manifest(hidden_points="after_published", hints="now", **of_second):
    return Manifest(
        "sample",
        "Sample <b>title</b>",
        ["numpy"],
        [
            Question("scores", "Scores", "step1_scores.py", ["attention_scores"], 40),
            Question("softmax", "Weights", "step2_softmax.py", ["softmax"], 60, **of_second),
        ],
        feedback=Feedback(hidden_points, hints),
    )


def check(outcome, points, visibility, message="", name="test_secret", **told):
    return Check(
        name=name,
        outcome=outcome,
        points=points if outcome is Outcome.PASSED else 0,
        out_of=points,
        visibility=visibility,
        message=message,
        detail="DETAIL",
        **{"mistake": "mistake_name", **told},
    )


def result(first, second, score=48.0, notes=(), submission="alice"):
    questions = [
        Graded(name=name, title=name, file="f.py", score=sum(c.points for c in checks),
               max_score=most, checks=checks)
        for name, most, checks in [("scores", 40, first), ("softmax", 60, second)]
    ]  # fmt: skip
    return Result(
        assignment="sample",
        submission=submission,
        key="",
        submitters=[],
        submitted_at=None,
        seed=1,
        score=score,
        max_score=100,
        questions=questions,
        environment=HERE,
        seconds=1,
        notes=list(notes),
    )


P, F = Outcome.PASSED, Outcome.FAILED
USUAL = result(
    [
        check(F, 2, "public", PUBLIC_WORDS, "test_rows"),
        check(P, 8, "public", "", "test_shape"),
        check(P, 30, "hidden"),
    ],
    [
        check(P, 20, "public", "", "test_sum"),
        check(F, 10, "hidden", ""),
        check(F, 20, "hidden", HIDDEN_WORDS),
        check(F, 10, "hidden", SECOND_WORDS),
    ],
)


def test_by_default_hidden_points_wait_and_one_symptom_a_step_is_told():
    """Public points, a count of what is kept back, and one hidden check's words without points."""
    page = feedback_markdown(USUAL, manifest())

    assert "**Public checks 28 of 30; 70 points not shown yet**" in page
    assert (
        "## ✗ step 1 · attention_scores · not yet right · 8 of 10 points in public checks" in page
    )
    assert "## ✗ step 2 · softmax · not yet right · 20 of 20 points in public checks" in page
    assert PUBLIC_WORDS in page
    assert HIDDEN_WORDS in page
    assert SECOND_WORDS not in page
    assert "48" not in page


def test_when_hidden_points_are_shown_everything_but_sources_is():
    """Points, counts and every failing check's words; no name of a hidden check, no detail."""
    page = feedback_markdown(USUAL, manifest("now"))

    assert "**48 of 100 points**" in page
    assert "## ✗ step 1 · attention_scores · not yet right · 38 of 40 points" in page
    assert "Checks passed: 1 of 1 public, 0 of 3 hidden." in page
    assert HIDDEN_WORDS in page
    assert SECOND_WORDS in page


def test_an_exam_shows_nothing_hidden():
    """With `never`, a failing hidden check cannot be told from a passing one."""
    exam = manifest("never", "never")
    passing = result(
        USUAL.questions[0].checks, [check(P, 20, "public", "", "test_sum"), check(P, 40, "hidden")]
    )

    page = feedback_markdown(USUAL, exam, moment="after_published")

    assert page == feedback_markdown(passing, exam, moment="after_published")
    assert "70 points are not shown" in page
    assert "✓ step 2 · softmax · public checks passed" in page


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        ("now", (True, True, True)),
        ("after_due_date", (False, True, True)),
        ("after_published", (False, False, True)),
        ("never", (False, False, False)),
    ],
)
def test_a_later_page_shows_what_has_come_due(setting, shown):
    """The settings name a moment; from then on, not before, what they keep back is shown."""
    pages = [feedback_markdown(USUAL, manifest(setting, setting), moment=one) for one in MOMENTS]

    assert tuple("48 of 100 points" in page for page in pages) == shown
    assert tuple(HIDDEN_WORDS in page for page in pages) == shown


@pytest.mark.parametrize("hidden_points", ["now", "after_published", "never"])
@pytest.mark.parametrize("hints", ["now", "after_published", "never"])
def test_no_setting_shows_what_is_for_instructors(hidden_points, hints):
    """Details, known mistakes' names and hidden checks' names stand on no page."""
    page = feedback_markdown(USUAL, manifest(hidden_points, hints), moment="after_published")

    assert not [secret for secret in SECRETS if secret in page]


def test_words_stand_beside_every_sign():
    """Who cannot see ✓ or ✗ reads the same."""
    for settings in (("now", "now"), ("never", "never")):
        headings = [
            line
            for line in feedback_markdown(USUAL, manifest(*settings)).splitlines()
            if line.startswith("## ")
        ]

        for line in headings:
            assert ("✓" in line) == ("passed" in line)
            assert ("✗" in line) == ("not yet right" in line)


def test_our_own_fault_is_said_to_be_ours():
    """A broken check leaves no score, and no blame."""
    broken = result(
        USUAL.questions[0].checks,
        [check(P, 20, "public"), check(Outcome.BROKEN, 40, "hidden", "a traceback")],
        score=None,
    )
    questions = [broken.questions[0], replace(broken.questions[1], score=None)]

    for settings in (("now", "now"), ("after_published", "now")):
        page = feedback_markdown(replace(broken, questions=questions), manifest(*settings))

        assert "no score yet" in page
        assert "our fault, not yours" in page
        assert "a traceback" not in page


def test_what_a_person_has_to_grade_is_said():
    """Its points are not counted yet, and nobody has failed."""
    waiting = result([check(P, 40, "public")], [check(Outcome.PENDING, 60, "hidden")])

    assert "by a person" in feedback_markdown(waiting, manifest("now"))


@pytest.mark.parametrize(
    ("hints", "shown"),
    [
        ("now", (False, True, True)),
        ("after_due_date", (False, True, True)),
        ("after_published", (False, False, True)),
        ("never", (False, False, False)),
    ],
)
@pytest.mark.parametrize("visibility", ["public", "hidden"])
def test_how_to_mend_a_known_mistake_waits_for_the_due_date_and_for_hints(visibility, hints, shown):
    """Once a question, whichever of its failing checks name the mistake."""
    named = [check(F, 10, visibility, HIDDEN_WORDS, f"test_{n}", answer=ANSWER) for n in range(2)]
    one = result([check(P, 40, "public")], [*named, check(F, 40, "hidden", SECOND_WORDS)])

    pages = [feedback_markdown(one, manifest(hints=hints), moment=moment) for moment in MOMENTS]

    block = f"How to mend it:\n\n```text\n{ANSWER}\n```\n"
    assert tuple(page.count(block) for page in pages) == shown
    assert tuple(page.count(ANSWER) for page in pages) == shown


def test_a_check_that_did_not_fail_has_nothing_to_mend():
    """Nobody is told how to mend what is ours to mend."""
    broken = check(Outcome.BROKEN, 60, "hidden", answer=ANSWER)
    one = result([check(P, 40, "public", answer=ANSWER)], [broken], score=None)

    assert ANSWER not in feedback_markdown(one, manifest("now"), moment="after_published")


def test_while_points_are_kept_back_a_known_mistakes_symptom_is_the_one_that_is_told():
    """Its answer comes later, and must not stand beside another symptom."""
    unnamed = check(F, 20, "hidden", SECOND_WORDS, mistake=None)
    one = result([check(P, 40, "public")], [unnamed, check(F, 40, "hidden", HIDDEN_WORDS)])

    page = feedback_markdown(one, manifest())

    assert HIDDEN_WORDS in page
    assert SECOND_WORDS not in page


def followed(visibility, points=60.0):
    """Step 1 failed, step 2 passed by follow-through, for so many of its 60 points."""
    fed = replace(check(P, 60, visibility, FOLLOWED), points=points)
    one = result([check(F, 40, "hidden", HIDDEN_WORDS)], [fed, check(P, 0, "public")], score=points)
    second = replace(one.questions[1], follow_through=True)
    return replace(one, questions=[one.questions[0], second])


@pytest.mark.parametrize(
    ("visibility", "hidden_points", "hints", "shown"),
    [
        ("hidden", "never", "now", (True, True, True)),
        ("hidden", "after_due_date", "never", (False, True, True)),
        ("hidden", "never", "never", (False, False, False)),
        ("public", "never", "never", (True, True, True)),
    ],
)
def test_follow_through_is_told_with_hints_or_with_points(visibility, hidden_points, hints, shown):
    """Whichever comes first; of a public check at once."""
    told = manifest(hidden_points, hints)

    pages = [feedback_markdown(followed(visibility), told, moment=moment) for moment in MOMENTS]

    assert tuple(FOLLOWED in page for page in pages) == shown


@pytest.mark.parametrize(
    ("points", "state"),
    [
        (60.0, "✓ step 2 · softmax · passed · 60 of 60 points"),
        (45.0, "✓ step 2 · softmax · passed by follow-through · 45 of 60 points"),
    ],
)
def test_a_step_that_passed_by_follow_through_is_not_called_wrong(points, state):
    """Where the course gives a share of its points, the words say what the rest was lost for."""
    page = feedback_markdown(followed("hidden", points), manifest("now"))

    assert f"## {state}\n" in page
    assert "1 of 1 hidden" in page
    assert FOLLOWED in page


def test_public_checks_that_passed_by_follow_through_have_passed():
    """Fewer points than they are out of do not make them ungraded."""
    page = feedback_markdown(followed("public", 45.0), manifest())

    assert "step 2 · softmax · public checks passed · 45 of 60 points" in page


def test_extra_credit_is_counted_apart():
    """Its points are not among those that are kept back."""
    page = feedback_markdown(replace(USUAL, max_score=40), manifest(extra=True))

    assert (
        "Public checks 8 of 10; 30 points not shown yet; extra credit, public checks 20 of 20"
        in page
    )
    assert "step 2 · softmax · extra credit" in page


def test_a_refused_submission_is_told_why():
    """The reasons stand in the notes."""
    refused = replace(USUAL, questions=[], notes=["step1_scores.py is a folder"])

    page = feedback_markdown(refused, manifest())

    assert "0 of 100 points. The notes say why." in page
    assert "step1_scores.py is a folder" in page


HOSTILE = [
    "```\n# Full marks\n```",
    "~~~~\n````````\n<script>alert(1)</script>",
    "\u202e100 of 100\u2066\x1b[2J\x00",
    "\r\n\r\n## ✓ step 9\r\n![x](http://evil)",
    "a\u2028# b\u0085# c",
]


def assert_contained(text):
    public = result([check(F, 40, "public", text, text)], [check(P, 60, "public")],
                    notes=[text], submission=text)  # fmt: skip
    page = feedback_markdown(public, manifest())
    tokens = MarkdownIt().parse(page)
    inline = [child for token in tokens for child in token.children or []]

    headings = [
        tokens[at + 1].content for at, one in enumerate(tokens) if one.type == "heading_open"
    ]
    assert len(headings) == 4
    assert {child.type for child in inline} <= {
        "text", "code_inline", "strong_open", "strong_close", "html_inline",
    }  # fmt: skip
    assert not any(token.type == "html_block" for token in tokens)
    assert sum(child.type == "html_inline" for child in inline) == 2  # the manifest's own title
    assert not set(page) & set("\u202e\u2066\x1b\x00\r\u2028\x85\u200b")
    page.encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_code_block(text):
    """Fences, headings, links, HTML, terminal and bidi codes of a student's change nothing."""
    assert_contained(text)


@given(st.text(st.sampled_from("`~#<>!()[]*_ \n\tab\u202e\ud800\\&|-=")))
def test_any_text_stays_in_its_code_block(text):
    """Whatever a message holds, the page keeps its headings and gains no markup."""
    assert_contained(text)
