"""A result → the rows that a student and an instructor read on Gradescope; adds up nothing but what
must not be missing: the rows' points are always the assignment's.

A student sees public checks with their words, and of hidden ones what `[feedback]` allows at the
time. Every text is plain text there: a student's own words cannot become markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.gradescope.spec import Row, RowVisibility, Status
from autograder.manifest import Manifest
from autograder.markdown import number
from autograder.results import Check, Outcome, Question, Result
from autograder.scoring import PENDING_WORDS, hundredths, uncarried
from autograder.shown import (
    NOT_HERE,
    WHEN,
    WORDLESS,
    answer_setting,
    answer_words,
    asked,
    followed_words,
    hidden_words,
    is_extra,
    is_shown,
    of_visibility,
    public_points,
    step_words,
)
from autograder.text import plain

NOT_GRADED = (
    "Not graded: our fault, not yours. The 0 here is provisional and will be replaced. "
    "Please tell your course staff; you need not hand it in again."
)
_ROW_VISIBILITY: dict[str, RowVisibility] = {
    "now": "visible",
    "after_due_date": "after_due_date",
    "after_published": "after_published",
    "never": "hidden",
}
_STATUS: dict[Outcome, Status] = {Outcome.PASSED: "passed", Outcome.FAILED: "failed"}
UNSAID = {  # in the place of words that may not be shown
    Outcome.FAILED: WORDLESS,
    Outcome.PENDING: PENDING_WORDS,
    Outcome.SKIPPED: "No case of this check could run here.",
}
_LONGEST = 10_000  # characters of one row


def rows_of(result: Result, manifest: Manifest) -> list[Row]:
    """Every question's rows in order, then one that says what is in hidden checks."""
    rows = [row for question in result.questions for row in _question(question, manifest)]
    return [*rows, *_kept_back(result, manifest)]


def rows_not_graded(manifest: Manifest) -> list[Row]:
    """A row a question, without points earned: nothing could be graded."""
    return [
        Row(
            number=str(manifest.step_of(question)),
            name=question.title,
            name_format="text",
            score=None if question.extra else 0.0,
            max_score=None if question.extra else question.points,
            output=NOT_GRADED,
            output_format="text",
            visibility="visible",
        )
        for question in manifest.enabled_questions
    ]


def _question(question: Question, manifest: Manifest) -> Iterator[Row]:
    rows = _Rows(question, manifest)
    yield from (rows.public(check) for check in of_visibility(question, "public"))
    yield from rows.hints()
    yield from rows.answer()
    yield from rows.followed()
    yield from (rows.hidden(check) for check in of_visibility(question, "hidden"))
    yield from rows.rest()


class _Rows:
    """One question's rows, numbered as they are made."""

    def __init__(self, question: Question, manifest: Manifest) -> None:
        self._question = question
        self._feedback = manifest.feedback
        self._is_extra = is_extra(manifest, question)
        self._step = step_words(manifest, question)
        known = asked(manifest, question)
        self._number = manifest.step_of(known) if known else len(manifest.questions) + 1
        self._made = self._hidden_made = 0

    def public(self, check: Check) -> Row:
        """A public check with its words."""
        name = f"{self._step} · {check.name.replace('_', ' ')}"
        return self._points(check, name, "visible", check.message)

    def hidden(self, check: Check) -> Row:
        """A hidden check: its name is for staff, its words come no sooner than hints may. Only
        follow-through is told with the points: they may be fewer for it."""
        self._hidden_made += 1
        points = self._feedback.hidden_points
        is_told = check.outcome is Outcome.PASSED or is_shown(self._feedback.hints, points)
        name = f"{self._step} · hidden check {self._hidden_made}"
        return self._points(check, name, _ROW_VISIBILITY[points], check.message * is_told)

    def _points(self, check: Check, name: str, visibility: RowVisibility, words: str) -> Row:
        if check.outcome is Outcome.BROKEN:
            words = NOT_GRADED
        status = _STATUS.get(check.outcome)  # else told by the points
        most = 0.0 if self._is_extra else check.out_of
        is_told = bool(status or most)  # 0 of 0 points would be shown as passed
        return self._row(
            name,
            visibility,
            words or UNSAID.get(check.outcome, ""),
            tag=check.visibility,
            score=check.points if is_told else None,
            max_score=most if is_told else None,
            status=status,
        )

    def hints(self) -> Iterator[Row]:
        """What hidden checks say, where it is shown before or after their points."""
        feedback = self._feedback
        if feedback.hints == "never" or feedback.hints == feedback.hidden_points:
            return
        first_only = is_shown(feedback.hints, feedback.hidden_points)
        words = hidden_words(self._question, first_only=first_only)
        if words:
            name = f"{self._step} · a hint from the hidden checks"
            visibility = _ROW_VISIBILITY[feedback.hints]
            yield self._row(name, visibility, "\n\n".join(words), tag="hint", status="failed")

    def answer(self) -> Iterator[Row]:
        """How to mend the known mistake."""
        setting, words = answer_setting(self._feedback), answer_words(self._question)
        if words and setting != "never":
            name = f"{self._step} · how to mend it"
            yield self._row(name, _ROW_VISIBILITY[setting], words, tag="hint")

    def followed(self) -> Iterator[Row]:
        """What hidden checks that passed by follow-through say, where it comes before their points,
        unless a public one says it already."""
        feedback = self._feedback
        if is_shown(feedback.hidden_points, feedback.hints):
            return
        said = followed_words(of_visibility(self._question, "public"))
        told = followed_words(of_visibility(self._question, "hidden"))
        words = [one for one in told if one not in said]
        if words:
            name = f"{self._step} · what came from an earlier step"
            visibility = _ROW_VISIBILITY[feedback.hints]
            yield self._row(name, visibility, "\n\n".join(words), tag="hint", status="passed")

    def rest(self) -> Iterator[Row]:
        """The points that no check carries, because none could run here."""
        points = uncarried(self._question)
        if points and not self._is_extra:
            name = f"{self._step} · not graded here"
            yield self._row(name, "visible", NOT_HERE, tag="public", score=0.0, max_score=points)

    def _row(
        self,
        name: str,
        visibility: RowVisibility,
        words: str,
        *,
        tag: str,
        score: float | None = None,
        max_score: float | None = None,
        status: Status | None = None,
    ) -> Row:
        self._made += 1
        said = plain(words, _LONGEST) or None
        return Row(
            number=f"{self._number}.{self._made}",
            name=name,
            name_format="text",
            score=score,
            max_score=max_score,
            status=status,
            output=said,
            output_format="text" if said else None,
            tags=[tag, self._question.name],
            visibility=visibility,
        )


def _kept_back(result: Result, manifest: Manifest) -> Iterator[Row]:
    """A row that counts the points which are not shown at once; true before and after they are."""
    setting = manifest.feedback.hidden_points
    counted = [one for one in result.questions if not is_extra(manifest, one)]
    points = _hidden_points(counted)
    extra = _hidden_points(result.questions) - points
    if setting == "now" or not points + extra:
        return
    kept = [f"{number(points / 100)} of {number(result.max_score)} points"] if points else []
    kept += [f"{number(extra / 100)} points of extra credit"] if extra else []
    name = f"{' and '.join(kept)} are in hidden checks"
    words = f"{name}: {WHEN[setting]}."
    public = hundredths(public_points(counted)[1])
    if points and public and points + public == hundredths(result.max_score):
        words += " The public checks above are the rest. Passing them all is not yet full marks."
    yield Row(
        name=name, name_format="text", output=words, output_format="text", visibility="visible"
    )


def _hidden_points(questions: Sequence[Question]) -> int:
    """What the hidden checks of these questions are worth, in hundredths."""
    hidden = [check for question in questions for check in of_visibility(question, "hidden")]
    return sum(hundredths(check.out_of) for check in hidden)
