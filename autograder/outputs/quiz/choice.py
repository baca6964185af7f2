"""Which known mistakes stand on a sheet: drawn with a seed, spread over the questions, each of
another kind, and rather those that few checks see. Reads no file and runs no check."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autograder.grading.mistakes import Mistake
from autograder.outputs.quiz.printed import Printed

SHORTLIST = 8  # mistakes of a question that are looked at for one place on the sheet
FEW = 0.5  # of a question's checks

T = TypeVar("T")


@dataclass(frozen=True)
class Seen:
    """A check that fails a mistake.

    Args:
        law: what it holds answers to, and so which inputs it tries.
        found: what came of them; "" when the law says it all.
    """

    check: str
    law: str
    found: str


@dataclass(frozen=True)
class Sight:
    """What an assignment's graders see of one mistake.

    Args:
        checks: how many checks its question has.
    """

    seen: tuple[Seen, ...]
    checks: int

    @property
    def share(self) -> float:
        """How large a part of the checks sees it: the smaller, the rarer is an input that does."""
        return len(self.seen) / self.checks

    @property
    def is_rare(self) -> bool:
        """Whether few checks see it: ordinary inputs do not show it."""
        return self.share <= FEW

    @property
    def gives(self) -> tuple[str, ...]:
        """What was found, the first of each sort: "ValueError: …", "dtype: …"."""
        sorts: dict[str, str] = {}
        for one in self.seen:
            sorts.setdefault(one.found.partition(":")[0], one.found)
        return tuple(filter(None, sorts.values()))

    def is_like(self, other: Sight) -> bool:
        """Whether both are seen by few checks, and by one of the same name."""
        names = {one.check for one in self.seen} & {one.check for one in other.seen}
        return bool(names) and self.is_rare and other.is_rare


@dataclass(frozen=True)
class Candidate:
    """A mistake that fits on paper."""

    mistake: Mistake
    printed: Printed


@dataclass(frozen=True)
class Chosen(Candidate):
    """A mistake that stands on the sheet."""

    sight: Sight


Look = Callable[[Sequence[Mistake]], Mapping[str, Sight]]  # by the mistake's name


def choose(candidates: Sequence[Candidate], seed: int, count: int, look: Look) -> list[Chosen]:
    """Choose up to `count` mistakes, in the order of `candidates`; fewer when there are no more.

    Args:
        look: asked for a shortlist of mistakes at a time, as it takes time.
    """
    pool = _shuffled(candidates, random.Random(f"mistakes {seed}"))
    questions = dict.fromkeys(one.mistake.question for one in candidates)
    order = _shuffled(list(questions), random.Random(f"questions {seed}"))
    sights: dict[str, Sight] = {}
    chosen: list[Chosen] = []
    while len(chosen) < count:
        shortlists = _shortlists(pool, chosen, count, order)
        if not shortlists:
            break
        new = [one.mistake for some in shortlists for one in some if one.mistake.name not in sights]
        sights.update(look(new))
        for shortlist in shortlists:
            chosen += _best(shortlist, chosen, sights)
        pool = [one for one in pool if one.mistake.name not in sights or _is_seen(one, sights)]
    places = {one.mistake.name: place for place, one in enumerate(candidates)}
    return sorted(chosen, key=lambda one: places[one.mistake.name])


def _shuffled(some: Sequence[T], rng: random.Random) -> list[T]:
    """By `random()` alone, which gives the same numbers in every version of Python."""
    keys = [rng.random() for _ in some]
    return [some[place] for place in sorted(range(len(some)), key=keys.__getitem__)]


def _shortlists(
    pool: Sequence[Candidate], chosen: Sequence[Chosen], count: int, order: Sequence[str]
) -> list[list[Candidate]]:
    """For each place that is still free, a few mistakes of the question that has fewest on it."""
    kinds = {one.mistake.kind for one in chosen}
    free = [one for one in pool if one.mistake.kind not in kinds]
    places = Counter(one.mistake.question for one in chosen)
    shortlists: list[list[Candidate]] = []
    while free and len(chosen) + len(shortlists) < count:
        there = {one.mistake.question for one in free}
        question = min(filter(there.__contains__, order), key=places.__getitem__)
        by_kind: dict[str, Candidate] = {}
        for one in free:
            if one.mistake.question == question:
                by_kind.setdefault(one.mistake.kind, one)
        shortlists.append(list(by_kind.values())[:SHORTLIST])
        free = [one for one in free if one not in shortlists[-1]]
        places[question] += 1
    return shortlists


def _best(
    shortlist: Sequence[Candidate], chosen: Sequence[Chosen], sights: Mapping[str, Sight]
) -> list[Chosen]:
    """One that few checks see and that is not like one on the sheet; none when none fits."""
    kinds = {one.mistake.kind for one in chosen}
    fitting = [
        Chosen(one.mistake, one.printed, sights[one.mistake.name])
        for one in shortlist
        if one.mistake.kind not in kinds and _is_seen(one, sights)
    ]

    def drawback(one: Chosen) -> tuple[bool, float]:
        is_alike = any(one.sight.is_like(other.sight) for other in chosen)
        return is_alike, max(one.sight.share, FEW)  # among rare ones the draw decides

    return [min(fitting, key=drawback)] if fitting else []


def _is_seen(one: Candidate, sights: Mapping[str, Sight]) -> bool:
    return bool(sights[one.mistake.name].seen)
