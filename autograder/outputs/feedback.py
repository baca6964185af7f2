"""A result → the page its student reads, in Markdown; shows nothing that the manifest keeps back.

No detail, no hidden check's name, no hidden input ever stands here. Whatever may hold text of a
student's own stands in a code block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.manifest import Manifest
from autograder.markdown import code, fenced, number
from autograder.results import Check, Outcome, Question, Result
from autograder.shown import (
    WORDLESS,
    Moment,
    answer_setting,
    answer_words,
    failing,
    followed_words,
    hidden_words,
    is_extra,
    is_followed,
    is_shown,
    of_visibility,
    public_points,
    remarks,
    step_words,
)
from autograder.text import one_line


def feedback_markdown(result: Result, manifest: Manifest, *, moment: Moment = "now") -> str:
    """The page for one submission: what is earned, and a symptom and question where it is not.

    Hidden checks show their points when `feedback.hidden_points` of the manifest says so, and
    their words when `feedback.hints` does: while points are kept back, those of the first failing
    one of each question. What is kept back is counted in a row of its own. How to mend a known
    mistake stands there after the due date, and no sooner than hints.

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

    @property
    def points(self) -> bool:
        """Whether hidden checks' points and outcomes are shown."""
        return is_shown(self.manifest.feedback.hidden_points, self.moment)

    @property
    def hints(self) -> bool:
        """Whether hidden checks' words are shown."""
        return is_shown(self.manifest.feedback.hints, self.moment)

    def _is_extra(self, question: Question) -> bool:
        return is_extra(self.manifest, question)

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
        earned, out_of = public_points(counted)
        said = f"Public checks {number(earned)} of {number(out_of)}"
        kept = round(self.result.max_score - out_of, 2)
        if kept > 0 and not self.points:
            is_exam = self.manifest.feedback.hidden_points == "never"
            said += f"; {number(kept)} points {'are not shown' if is_exam else 'not shown yet'}"
        if extra:
            said += "; extra credit, public checks {} of {}".format(
                *map(number, public_points(extra))
            )
        return said

    def step(self, question: Question) -> list[str]:
        """Blocks for one step: a heading, then words where something is to be said."""
        public = failing(of_visibility(question, "public"))
        hidden = self._hidden_words(question)
        blocks = [f"## {self._heading(question, is_failing=bool(public or hidden))}"]
        blocks += self._remarks(question)
        for check in public:
            blocks += [f"Public check {code(check.name)}:", fenced(check.message or WORDLESS)]
        if hidden:
            blocks.append("A hidden check:" if len(hidden) == 1 else "Hidden checks:")
            blocks += [fenced(words) for words in hidden]
        answer = answer_words(question)
        if answer and is_shown(answer_setting(self.manifest.feedback), self.moment):
            blocks += ["How to mend it:", fenced(answer)]
        return blocks

    def _hidden_words(self, question: Question) -> list[str]:
        """Words of failing hidden checks that may be shown."""
        return hidden_words(question, first_only=not self.points) if self.hints else []

    def _heading(self, question: Question, *, is_failing: bool) -> str:
        sign, state = self._state(question, is_failing)
        earned = self._earned(question)
        step = step_words(self.manifest, question)
        return f"{sign} {step} · {state}{f' · {earned}' if earned else ''}"

    def _state(self, question: Question, is_failing: bool) -> tuple[str, str]:
        """A sign, and the same in words."""
        if question.score is None:
            return "!", "not graded yet"
        if self.points and question.score >= question.max_score:
            return "✓", "passed"
        if self.points and is_followed(question):
            return "✓", "passed by follow-through"
        if self.points or is_failing:
            return "✗", "not yet right"
        public = of_visibility(question, "public")
        if not public:
            return "·", "no public checks"
        have_passed = all(one.outcome is Outcome.PASSED for one in public if one.out_of)
        return ("✓", "public checks passed") if have_passed else ("·", "not all graded yet")

    def _earned(self, question: Question) -> str:
        if not self.points:
            earned, out_of = public_points([question])
            return f"{number(earned)} of {number(out_of)} points in public checks" * (out_of > 0)
        earned_text = "–" if question.score is None else number(question.score)
        return f"{earned_text} of {number(question.max_score)} points"

    def _remarks(self, question: Question) -> list[str]:
        """What is nobody's fault, how much passed, and what came of an earlier step."""
        said = remarks(question)
        if self.points:
            said.append(_counts(question.checks))
        is_told = self.points or self.hints
        checks = question.checks if is_told else of_visibility(question, "public")
        return said + followed_words(checks)


def _counts(checks: Sequence[Check]) -> str:
    """How many checks passed of those that could run."""
    ran = [one for one in checks if one.outcome in (Outcome.PASSED, Outcome.FAILED)]
    counts = []
    for visibility in ("public", "hidden"):
        of_these = [check.outcome for check in ran if check.visibility == visibility]
        counts.append(f"{of_these.count(Outcome.PASSED)} of {len(of_these)} {visibility}")
    return f"Checks passed: {', '.join(counts)}."
