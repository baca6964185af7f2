"""What is looked at after a class was graded; each says what is wrong, or nothing."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.results import NOTHING_TO_GRADE
from autograder.sandbox import DEMANDED
from autograder.sandbox.promise import has_layer

from .attack import GAINED, Attack
from .course import Ground
from .environments import Environment, Ran
from .vocabulary import vocabulary, words


@dataclass(frozen=True)
class Outcome:
    """A graded class: what was written, printed and left."""

    environment: Environment
    ground: Ground
    before: dict[str, object]  # the ground's files, before anything was run
    ran: Ran

    @cached_property
    def results(self) -> dict[str, dict[str, Any]]:
        """By submission, as results/*.json say; without the seed, which stands in each of them."""
        found = {}
        for path in sorted((self.ground.out / "results").glob("*.json")):
            if path.stem != "somebody":
                found[path.stem] = json.loads(path.read_text())
                found[path.stem].pop("seed")
        return found

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        """The rows of grades.csv, in order."""
        with (self.ground.out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    @cached_property
    def canaries(self) -> dict[str, str]:
        """Every secret, by what it is; the seed of the inputs too."""
        run = json.loads((self.ground.out / "run.json").read_text())
        return {**self.ground.canaries, "seed": str(run["seed"])}

    def questions(self, name: str) -> list[dict[str, Any]]:
        """The questions of one submission; none where there is no result."""
        found: list[dict[str, Any]] = self.results.get(name, {}).get("questions", [])
        return found

    def checks(self, name: str) -> list[dict[str, Any]]:
        """The checks of one submission, in order."""
        return [check for question in self.questions(name) for check in question["checks"]]

    def told_of(self, name: str) -> str:
        """All that was written about one submission, as text."""
        page = self.ground.out / "feedback" / f"{name}.md"
        row = [row for row in self.rows if row["submission"] == name]
        feedback = page.read_text() if page.exists() else ""
        return "\n".join([_text(self.results.get(name)), feedback, _text(row)])


def _text(told: object) -> str:
    return json.dumps(told, ensure_ascii=False)


def wrong_points(outcome: Outcome, attack: Attack) -> list[str]:
    """Its own step has the points of its honest part."""
    questions = outcome.questions(attack.name)
    if not questions:
        return ["there is no result"]
    return [
        f"{question['name']}: {question['score']} of {question['max_score']}"
        for question in questions
        if question["file"] == attack.step
        and not _is_earned(question["score"], question["max_score"], attack.earns)
    ]


def spoilt(outcome: Outcome, attack: Attack) -> list[str]:
    """The other steps are right and have all their points."""
    return [
        f"{question['name']}: {question['score']} of {question['max_score']}"
        for question in outcome.questions(attack.name)
        if question["file"] != attack.step
        and question["name"] not in attack.spoils
        and question["score"] != question["max_score"]
    ]


def _is_earned(score: float | None, most: float, earns: str) -> bool:
    if score is None:
        return False
    return {"nothing": score == 0, "its step": score == most, "some": 0 <= score <= most}[earns]


def leaked(outcome: Outcome, attack: Attack) -> list[str]:
    """No secret stands in anything that was written about it."""
    told = outcome.told_of(attack.name)
    return [f"the {what}'s canary" for what, secret in outcome.canaries.items() if secret in told]


def gained(outcome: Outcome, attack: Attack) -> list[str]:
    """It reports no success: what worked that must not, it says itself."""
    told = outcome.told_of(attack.name)
    return [told[max(at - 20, 0) : at + 200] for at in [told.find(f"{GAINED}:")] if at >= 0]


def broken(outcome: Outcome, attack: Attack) -> list[str]:
    """No check of it is ours to mend."""
    checks = outcome.checks(attack.name)
    return [f"{one['name']}: {one['detail']}" for one in checks if one["outcome"] == "broken"]


def own_words(outcome: Outcome, attack: Attack) -> list[str]:
    """A hidden check's words are ours, and plain text: nothing that a student chose is in them."""
    if NOTHING_TO_GRADE in outcome.results.get(attack.name, {}).get("notes", []):
        return []  # none of it was run: no hidden input was drawn
    known = vocabulary(outcome.ground.course, outcome.ground.assignment)
    found = []
    for check in outcome.checks(attack.name):
        said = check["message"]
        is_told_before = " could not be imported: " in said  # any hidden input was drawn
        if check["visibility"] == "public" or is_told_before:
            continue
        found += [f"{word!r} in {said!r}" for word in words([said]) if word not in known]
        found += [repr(said)] * (not said.replace("\n", "").isprintable())
    return found


def badly_ended(outcome: Outcome) -> list[str]:
    """The command ends as it does for any class, within its time and memory."""
    left, ran = outcome.ran.left, outcome.ran
    found = [f"exit status {ran.status}: {ran.stderr[-2000:]}"] * (ran.status != 0)
    found += ["it had to be ended"] * left["timed_out"]
    most_mb = outcome.ground.attacked.most_mb
    return found + [f"{left['peak_mb']:.0f} MB"] * (left["peak_mb"] > most_mb)


def litter(outcome: Outcome) -> list[str]:
    """No process, file, queue or socket is left, and nothing came out."""
    kinds = ("processes", "files", "queues", "sockets", "arrived")
    return [f"{kind}: {one}" for kind in kinds for one in outcome.ran.left[kind]]


def changed(outcome: Outcome) -> list[str]:
    """The course, the class and the grader's home are as they were."""
    after = outcome.ground.snapshot()
    before = outcome.before
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def leaked_anywhere(outcome: Outcome) -> list[str]:
    """No secret stands in what was printed or in the class's own files."""
    told = "\n".join([outcome.ran.stdout, outcome.ran.stderr, _text(outcome.rows)])
    return [f"the {what}'s canary" for what, secret in outcome.canaries.items() if secret in told]


def harmed(outcome: Outcome) -> list[str]:
    """Honest submissions have exactly their points, and every submission has its row, in order."""
    found = []
    order = [row["submission"].replace("'", "") for row in outcome.rows]  # before a formula
    if order != [name.replace("'", "") for name in outcome.ground.names]:
        found.append(f"the rows of grades.csv are {order}")
    for row in outcome.rows:
        if row["submission"] in outcome.ground.attacked.neighbours:
            wanted = outcome.ground.attacked.expected_grades(row["submission"])
            wrong = {key: row[key] for key in wanted if wanted[key] != row[key]}
            found += [f"{row['submission']}: {wrong}"] * bool(wrong)
    return found


def weakly_confined(outcome: Outcome) -> list[str]:
    """Every result says the promise and the layers that this environment has."""
    found = set()
    for result in outcome.results.values():
        isolation = result["environment"]["isolation"]
        layers = isolation["layers"]
        lacks = [one for one in outcome.environment.layers if not has_layer(layers, one)]
        extra = [one for one in outcome.environment.missing if has_layer(layers, one)]
        if isolation["promise"] != DEMANDED or lacks or extra:
            found.add(f"{isolation['promise']} with {layers}")
    return sorted(found)


OF_AN_ENVIRONMENT = (badly_ended, litter, changed, leaked_anywhere, harmed, weakly_confined)
OF_AN_ATTACK = (wrong_points, spoilt, leaked, gained, broken, own_words)


def found_by(oracles: Iterable[Callable[..., list[str]]], *about: object) -> dict[str, list[str]]:
    """What each oracle finds wrong, by its name; those that find nothing are left out."""
    found = {oracle.__name__: oracle(*about) for oracle in oracles}
    return {name: said for name, said in found.items() if said}
