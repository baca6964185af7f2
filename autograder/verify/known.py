"""Known answers against the graders: right ones lose nothing, wrong ones where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.grading.mistakes import Mistake, Variant
from autograder.handout import Problem
from autograder.manifest import Manifest
from autograder.results import Check, Outcome
from autograder.text import last_line, one_line
from autograder.verify.trials import Trial


def variant_problems(trial: Trial) -> Iterator[Problem]:
    """What another right answer loses."""
    for question in trial.result.questions:
        for check in question.checks:
            if check.outcome in (Outcome.FAILED, Outcome.BROKEN):
                what = f"{question.name}/{check.name} fails it: {_why(check)}"
                fix = "it is right: let the check accept it; if it is not, take it out."
                yield Problem(_where(trial.answer, "variant"), what, fix)


def mistake_problems(trial: Trial, manifest: Manifest) -> Iterator[Problem]:
    """A mistake that no check of its question sees, breaks one, is taken for another, or costs a
    later step points that it should have by follow-through."""
    mistake = trial.answer
    assert isinstance(mistake, Mistake), "a variant is no mistake"
    where = _where(mistake, "mistake")
    for question in trial.result.questions:
        for check in question.checks:
            if check.outcome is Outcome.BROKEN:
                what = f"{question.name}/{check.name} is broken by it: {last_line(check.detail)}"
                fix = "let the check fail an answer like this one, in words for a student."
                yield Problem(where, what, fix)
    if mistake.question not in trial.lost:
        what = f"no check of {mistake.question!r} sees it: it has full marks"
        fix = "write a check on which it differs from the reference; a right one is a variant."
        yield Problem(where, what, fix)
        return  # nor does a later step know that this one is wrong
    yield from _not_named(trial, mistake, where)
    followed = {one.name for one in manifest.questions if one.follow_through}
    for question in trial.result.questions:
        failed = [check for check in question.checks if check.outcome is Outcome.FAILED]
        if question.name != mistake.question and question.name in followed and failed:
            what = f"{question.name}/{failed[0].name} fails it, even with right earlier steps"
            yield Problem(where, what, f"see what the reference of {question.name!r} calls.")


def _not_named(trial: Trial, mistake: Mistake, where: str) -> Iterator[Problem]:
    """A mistake that the diagnosis takes for another, or does not know again."""
    named = {check.mistake for check in trial.killers if check.mistake}
    others = ", ".join(map(repr, sorted(named - {mistake.kind})))
    if others:
        fix = "give both one kind, or write a check on whose inputs they differ."
        yield Problem(where, f"is of the kind {mistake.kind!r} and is taken for {others}", fix)
    elif trial.killers and not named:
        fix = "let it do the same each time it is called."
        yield Problem(where, "is not known again by what it does", fix)


def _where(answer: Variant, what: str) -> str:
    return f"{answer.where}: {what} {answer.name!r}"


def _why(check: Check) -> str:
    if check.outcome is Outcome.BROKEN:
        return f"it breaks: {last_line(check.detail)}"
    return one_line(f"{check.message} ({check.detail})" if check.detail else check.message, 300)
