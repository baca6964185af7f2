"""Results made by hand, any result at all, and what otter-grader's own classes make of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from autograder.batch import OutputFolder
from autograder.gradescope.folders import ABOUT as ABOUT_FILE
from autograder.gradescope.folders import COURSE, About, Grounds
from autograder.gradescope.otter_files import test_file as otters_test_file
from autograder.gradescope.plugin import Verdicts
from autograder.gradescope.spec import Report, Row, decode_report
from autograder.manifest import Feedback, Manifest, Question
from autograder.manifest.schema import Gradescope
from autograder.results import Environment, Isolation, Outcome, Result
from autograder.scoring import GradedCheck, hundredths, score_questions, total
from autograder.shown import MOMENTS

PASSED, FAILED, BROKEN = Outcome.PASSED, Outcome.FAILED, Outcome.BROKEN
SKIPPED, PENDING = Outcome.SKIPPED, Outcome.PENDING
SECRETS = ("zqhidden", "zqdetail", "zqmistake")  # of hidden checks' names, and for staff
ABOUT = About(assignment="sample", seed=7, framework="1.0")
OURS_ALONE = {"plugins": ["autograder.gradescope.plugin.Verdicts"]}
SETTINGS = (*MOMENTS, "never")
WORDS = ("Your rows do not sum to 1.", "Yours is the transpose.", "Your scores shrink by d_k.")
ANSWERS = ("Divide each row by its sum.", "Take the other one first.")
FOLLOWED = "This step is right; what it lost came from step 1."
HOSTILE = (
    "```\n# Full marks\n```",
    "~~~~\n````````\n<script>alert(1)</script>",
    "\u202e100 of 100\u2066\x1b[2J\x00",
    "\r\n\r\n## 100 of 100 points\r\n![x](http://evil)",
    "a\u2028# b\u0085# c",
    "**Public checks: 100 of 100 points**",
    "[x]: http://evil\n<img src=x onerror=alert(1)>",
)
_BOTH = ("public", "hidden")
_STEPS = ("scores", "softmax", "output", "masking")
_HERE = Environment(
    python="3",
    numpy="2",
    torch=None,
    device="cpu",
    isolation=Isolation(promise="strong", layers=[]),
)


def check(
    outcome: Outcome,
    visibility: str = "hidden",
    message: str = "",
    *,
    weight: int = 1,
    n: int = 0,
    answer: str = "",
) -> GradedCheck:
    """How one check ended; a hidden one's name, every detail and mistake is a secret. One that
    passed and says something passed by follow-through."""
    return GradedCheck(
        name=f"{'zqhidden' if visibility == 'hidden' else 'shape'}_{n}",
        outcome=outcome,
        weight=weight,
        visibility=visibility,
        message=message,
        detail=f"zqdetail_{n}",
        mistake=f"zqmistake_{n}",
        answer=answer,
        followed=outcome is PASSED and bool(message),
    )


@dataclass(frozen=True)
class Sample:
    """A manifest and how a submission's checks ended, one list a question."""

    manifest: Manifest
    checks: Sequence[Sequence[GradedCheck]]
    notes: Sequence[str] = field(default=(), kw_only=True)

    @property
    def result(self) -> Result:
        """What scoring makes of it."""
        names = [question.name for question in self.manifest.questions]
        by_name = dict(zip(names, self.checks, strict=True))
        questions = score_questions(self.manifest, by_name)
        score, most = total(self.manifest, questions)
        return Result(
            assignment=self.manifest.name,
            submission="submission",
            key="",
            submitters=[],
            submitted_at=None,
            seed=7,
            score=score,
            max_score=most,
            questions=questions,
            environment=_HERE,
            seconds=1.234,
            notes=list(self.notes),
        )


def manifest(
    *points: float,
    hidden_points: str = "after_published",
    hints: str = "now",
    rows: str = "checks",
    extra: Sequence[int] = (),
    disabled: Sequence[int] = (),
    share: float = 1,
) -> Manifest:
    """One question for each of `points`; `extra` and `disabled` name some by step, and `share` of a
    check's points is what follow-through earns."""
    questions = [
        Question(
            name,
            f"The {name}",
            f"step{step}_{name}.py",
            [f"{name}_of"],
            worth,
            follow_through=share,
            extra=step in extra,
            enabled=step not in disabled,
        )
        for step, (name, worth) in enumerate(zip(_STEPS, points, strict=False), start=1)
    ]
    told = {"feedback": Feedback(hidden_points, hints), "gradescope": Gradescope(rows)}
    return Manifest("sample", "A <b>sample</b>", ["numpy"], questions, **told)


def usual(**settings: Any) -> Sample:
    """8 of 10 points in public checks of step 1, 20 of 20 of step 2; 30 of 70 in hidden ones."""
    first = [
        check(FAILED, "public", WORDS[1], weight=2),
        check(PASSED, "public", weight=8, n=1),
        check(PASSED, weight=30),
    ]
    second = [
        check(PASSED, "public", weight=20),
        check(FAILED, "hidden", "", weight=10),
        check(FAILED, "hidden", WORDS[0], weight=20, n=1),
        check(FAILED, "hidden", WORDS[2], weight=10, n=2),
    ]
    return Sample(manifest(40, 60, **settings), [first, second])


@st.composite
def samples(draw: st.DrawFn, **settings: str) -> Sample:
    """Any manifest with any outcome of any check; `settings` are those of `manifest`."""
    points = draw(st.lists(st.integers(1, 6000).map(lambda n: n / 100), min_size=1, max_size=4))
    steps = st.sets(st.integers(1, len(points)))
    disabled = draw(steps.filter(lambda some: len(some) < len(points)))
    chosen = {
        "hidden_points": draw(st.sampled_from(SETTINGS)),
        "hints": draw(st.sampled_from(SETTINGS)),
        "share": draw(st.sampled_from([1.0, 0.5])),
    }
    told = manifest(*points, extra=draw(steps), disabled=disabled, **(chosen | settings))
    return Sample(told, [draw(_checks()) for _ in points])


@st.composite
def _checks(draw: st.DrawFn) -> list[GradedCheck]:
    """Any checks of a question; some that failed name the same mistake."""
    words = {FAILED: [*WORDS, ""], PASSED: draw(st.sampled_from([[FOLLOWED, ""], [""]]))}
    answer = draw(st.sampled_from([*ANSWERS, ""]))
    made = []
    for n in range(draw(st.integers(1, 5))):
        outcome, visibility = draw(st.sampled_from(Outcome)), draw(st.sampled_from(_BOTH))
        message = draw(st.sampled_from(words.get(outcome, [""])))
        told = draw(st.sampled_from([answer, ""])) if outcome is FAILED else ""
        weight = draw(st.integers(1, 3))
        made.append(check(outcome, visibility, message, weight=weight, n=n, answer=told))
    return made


def points_of(rows: Sequence[Row], name: str = "score") -> int:
    """The sum of the rows' `score` or `max_score`, in hundredths."""
    return sum(hundredths(getattr(row, name) or 0) for row in rows)


def is_shown_as_passed(row: Row) -> bool:
    """As the platform's pages show a row: by its status, else by its points."""
    has_all = row.max_score is not None and row.score == row.max_score
    return row.status == "passed" if row.status else has_all


def shown(rows: Sequence[Row], moment: str = "now") -> list[Row]:
    """The rows that a student sees at one moment."""
    waited_for = ("visible", *MOMENTS[1 : MOMENTS.index(moment) + 1])
    return [row for row in rows if row.visibility in waited_for]


def graded_grounds(root: Path, sample: Sample, about: About = ABOUT) -> Grounds:
    """Grounds with a package of the sample's manifest, and with its result, kept already."""
    grounds = Grounds(root)
    source = grounds.package.root
    folder = source / COURSE / "assignments" / sample.manifest.name
    folder.mkdir(parents=True)
    (folder / "assignment.toml").write_text(_toml(sample.manifest), encoding="utf-8")
    (source / ABOUT_FILE).write_bytes(msgspec.json.encode(about))
    assert grounds.package.assignment.manifest == sample.manifest
    OutputFolder(grounds.graded).keep(sample.result)
    return grounds


def otters_results(sample: Sample) -> Any:
    """otter-grader's own verdicts on the generated test files, as they stand before our plugin."""
    from otter.test_files import GradingResults
    from otter.test_files.exception_test import ExceptionTestFile

    questions = sample.manifest.enabled_questions
    files = [ExceptionTestFile.from_string(otters_test_file(question)) for question in questions]
    for file in files:
        file.run({})
    return GradingResults(files)


def otters_report(grounds: Grounds, results: Any, *plugins: Any, **config: Any) -> Report:
    """What otter-grader reports after our plugin, and then others, have had its `results`."""
    from otter.run import AutograderConfig

    settings = AutograderConfig({"lang": "python", "autograder_dir": str(grounds.root), **config})
    verdicts = Verdicts(None, {}, {})
    verdicts.before_grading(settings)
    for plugin in (verdicts, *plugins):
        plugin.after_grading(results)
    return decode_report(json.dumps(results.to_gradescope_dict(settings)).encode())


def _toml(manifest: Manifest) -> str:
    """The manifest as a course's file says it; a JSON value is a TOML one here."""
    about = {name: getattr(manifest, name) for name in ("name", "title", "packages")}
    tables = {"[feedback]": manifest.feedback, "[gradescope]": manifest.gradescope}
    blocks = [("", about), *((head, _fields(table)) for head, table in tables.items())]
    blocks += [("[[questions]]", _fields(question)) for question in manifest.questions]
    return "\n".join(
        "\n".join([head, *(f"{key} = {json.dumps(value)}" for key, value in told.items())])
        for head, told in blocks
    )


def _fields(table: msgspec.Struct) -> dict[str, Any]:
    return {name: one for name, one in msgspec.structs.asdict(table).items() if name != "limits"}
