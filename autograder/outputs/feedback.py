"""A result → the page its student reads, in Markdown; shows nothing that the manifest keeps back.

No detail, no hidden check's name, no hidden input ever stands here. Whatever may hold text of a
student's own stands in a code block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.manifest import Manifest
from autograder.manifest import Question as Asked
from autograder.outputs.text import code, fenced, number
from autograder.results import Check, Outcome, Question, Result
from autograder.text import one_line

Moment = Literal["now", "after_due_date", "after_published"]

_MOMENTS: tuple[Moment, ...] = ("now", "after_due_date", "after_published")
_OURS = "Part of this step is not graded: our fault, not yours. It will be graded again."
_NOT_HERE = "This step could not run on the machine that graded it; it has still to be graded."
_A_PERSON = "Part of this step has still to be graded by a person."
_FOLLOWED = "This step is right for what your earlier steps gave it, and has its points for that."
_WORDLESS = "This check did not pass."


def feedback_markdown(result: Result, manifest: Manifest, *, moment: Moment = "now") -> str:
    """The page for one submission: what is earned, and a symptom and question where it is not.

    Hidden checks show their points when `feedback.hidden_points` of the manifest says so, and
    their words when `feedback.hints` does: while points are kept back, those of the first failing
    one of each question. What is kept back is counted in a row of its own.

    Args:
        moment: what has come to pass already; a page made after publication shows more.
    """
    view = _View(manifest, result, moment)
    blocks = [f"# {one_line(manifest.title)}", f"Submission {code(result.submission)}"]
    blocks.append(f"**{view.summary()}**")
    if result.notes:
        blocks += ["## Notes", fenced("\n".join(one_line(note, 500) for note in result.notes))]
    for question in result.questions:
        blocks += view.step(question)
    return "\n\n".join(blocks) + "\n"


@dataclass(frozen=True)
class _View:
    """One result as its student may see it at one moment."""

    manifest: Manifest
    result: Result
    moment: Moment

    def _is_shown(self, setting: str) -> bool:
        return setting in _MOMENTS[: _MOMENTS.index(self.moment) + 1]

    @property
    def points(self) -> bool:
        """Whether hidden checks' points and outcomes are shown."""
        return self._is_shown(self.manifest.feedback.hidden_points)

    @property
    def hints(self) -> bool:
        """Whether hidden checks' words are shown."""
        return self._is_shown(self.manifest.feedback.hints)

    def _asked(self, question: Question) -> Asked | None:
        return next((one for one in self.manifest.questions if one.name == question.name), None)

    def _is_extra(self, question: Question) -> bool:
        asked = self._asked(question)
        return asked is not None and asked.extra

    def summary(self) -> str:
        """What is earned in all, and what is not shown."""
        most = number(self.result.max_score)
        if not self.result.questions:
            return f"Nothing of it could be graded: 0 of {most} points. The notes say why."
        if self.points and self.result.score is not None:
            return f"{number(self.result.score)} of {most} points"
        said = self._public_summary()
        ours = "; no score yet: part of it is not graded, our fault, not yours"
        return said if self.result.score is not None else said + ours

    def _public_summary(self) -> str:
        counted = [one for one in self.result.questions if not self._is_extra(one)]
        extra = [one for one in self.result.questions if self._is_extra(one)]
        earned, out_of = _public(counted)
        said = f"Public checks {number(earned)} of {number(out_of)}"
        kept = round(self.result.max_score - out_of, 2)
        if kept > 0 and not self.points:
            is_exam = self.manifest.feedback.hidden_points == "never"
            said += f"; {number(kept)} points {'are not shown' if is_exam else 'not shown yet'}"
        if extra:
            said += "; extra credit, public checks {} of {}".format(*map(number, _public(extra)))
        return said

    def step(self, question: Question) -> list[str]:
        """Blocks for one step: a heading, then words where something is to be said."""
        failed = [check for check in question.checks if check.outcome is Outcome.FAILED]
        public = [check for check in failed if check.visibility == "public"]
        said = [check.message for check in public]
        hidden = self._hidden_words([one for one in failed if one.visibility == "hidden"], said)
        blocks = [f"## {self._heading(question, is_failing=bool(public or hidden))}"]
        blocks += self._remarks(question)
        for check in public:
            blocks += [f"Public check {code(check.name)}:", fenced(check.message or _WORDLESS)]
        if hidden:
            blocks.append("A hidden check:" if len(hidden) == 1 else "Hidden checks:")
            blocks += [fenced(words) for words in hidden]
        return blocks

    def _hidden_words(self, failed: Sequence[Check], said: Sequence[str]) -> list[str]:
        """Words of failing hidden checks that may be shown and were not said already."""
        if not self.hints:
            return []
        words = list(dict.fromkeys(check.message for check in failed if check.message))
        return [one for one in (words if self.points else words[:1]) if one not in said]

    def _heading(self, question: Question, *, is_failing: bool) -> str:
        asked = self._asked(question)
        functions = asked.functions if asked else []
        name = functions[0] if len(functions) == 1 else question.name
        step = f"step {self.manifest.step_of(asked)} · {name}" if asked else name
        extra = " · extra credit" if self._is_extra(question) else ""
        sign, state = self._state(question, is_failing)
        earned = self._earned(question)
        return f"{sign} {step}{extra} · {state}{f' · {earned}' if earned else ''}"

    def _state(self, question: Question, is_failing: bool) -> tuple[str, str]:
        """A sign, and the same in words."""
        if question.score is None:
            return "!", "not graded yet"
        if self.points and question.score >= question.max_score:
            return "✓", "passed"
        if self.points or is_failing:
            return "✗", "not yet right"
        if not any(check.visibility == "public" for check in question.checks):
            return "·", "no public checks"
        earned, out_of = _public([question])
        return ("✓", "public checks passed") if earned >= out_of else ("·", "not all graded yet")

    def _earned(self, question: Question) -> str:
        if not self.points:
            earned, out_of = _public([question])
            return f"{number(earned)} of {number(out_of)} points in public checks" * (out_of > 0)
        earned_text = "–" if question.score is None else number(question.score)
        return f"{earned_text} of {number(question.max_score)} points"

    def _remarks(self, question: Question) -> list[str]:
        outcomes = {check.outcome for check in question.checks}
        remarks = []
        if Outcome.BROKEN in outcomes:
            remarks.append(_OURS)
        elif question.score is None:
            remarks.append(_NOT_HERE)
        if Outcome.PENDING in outcomes:
            remarks.append(_A_PERSON)
        if self.points:
            remarks.append(_counts(question.checks))
            remarks += [_FOLLOWED] * question.follow_through
        return remarks


def _public(questions: Sequence[Question]) -> tuple[float, float]:
    """Points earned in public checks, and what they are out of."""
    checks = [one for question in questions for one in question.checks]
    public = [check for check in checks if check.visibility == "public"]
    return sum(check.points for check in public), sum(check.out_of for check in public)


def _counts(checks: Sequence[Check]) -> str:
    """How many checks passed of those that could run."""
    ran = [one for one in checks if one.outcome in (Outcome.PASSED, Outcome.FAILED)]
    counts = []
    for visibility in ("public", "hidden"):
        of_these = [check.outcome for check in ran if check.visibility == visibility]
        counts.append(f"{of_these.count(Outcome.PASSED)} of {len(of_these)} {visibility}")
    return f"Checks passed: {', '.join(counts)}."
