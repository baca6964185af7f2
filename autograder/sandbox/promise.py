"""Layers → what may be promised, in words; applies none of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from autograder.errors import CourseError

LIMITS = "limits"
UID = "own uid"
LANDLOCK = "Landlock"
SECCOMP = "seccomp"
NO_FILES = "no file may be opened"
PRIVATE = "course files closed to other users"
NAMESPACE = "network namespace"
STILL_ROOT = "still root"
GPU = "a GPU, whose driver nothing confines"
DEMANDED = "strong"

PROMISES = {
    "strong": (
        "student code cannot read the tests or the references, cannot touch its score, "
        "another student's files or the grader, and cannot reach the network"
    ),
    "medium": (
        "student code cannot read the tests or touch its score by ordinary means, "
        "but it can reach the network and leave files behind"
    ),
    "weak": (
        "honest mistakes (crashes, endless loops, floods of prints) are survived; "
        "student code that looks for the tests can find them"
    ),
}


class TooWeak(CourseError):
    """This machine cannot give what hidden grading demands."""


@dataclass(frozen=True)
class Confinement:
    """What is active on this machine, as every worker confirmed it before it saw student code."""

    layers: tuple[str, ...]

    @property
    def promise(self) -> str:
        """`strong`, `medium` or `weak` (docs/security.md)."""
        if self._has(STILL_ROOT) or self._has(GPU):
            return "weak"
        files = self._has(LANDLOCK) or self._has(NO_FILES) or self._has(PRIVATE)
        if not files:
            return "weak"
        return "strong" if self._has(SECCOMP) else "medium"

    @property
    def missing(self) -> tuple[str, ...]:
        """The layers that this machine does not give."""
        wanted = (UID, LANDLOCK, SECCOMP, NAMESPACE)
        return tuple(layer for layer in wanted if not self._has(layer))

    @property
    def line(self) -> str:
        """One plain line that says what is active."""
        missing = f"; not active: {', '.join(self.missing)}" if self.missing else ""
        active = ", ".join(("a process of its own", *self.layers))
        return f"isolation: {self.promise} ({active}){missing}"

    def _has(self, layer: str) -> bool:
        return has_layer(self.layers, layer)


def has_layer(layers: Collection[str], layer: str) -> bool:
    """Whether `layer` is among them, whatever follows its name (`Landlock ABI 7`)."""
    return any(name == layer or name.startswith(f"{layer} ") for name in layers)


def require_promise(confinement: Confinement, *, allow_weak: bool) -> None:
    """Refuse to grade other people's code with less than the promise "strong".

    Raises:
        TooWeak: it is less, and nobody allowed it.
    """
    if confinement.promise == DEMANDED or allow_weak:
        return
    raise TooWeak(
        "isolation",
        f"expected the promise {DEMANDED!r}, got {confinement.promise!r}: "
        f"{PROMISES[confinement.promise]}; not active: {', '.join(confinement.missing)}",
        "grade on a Linux machine with Landlock or as root (`autograder doctor` says what one "
        "has), or accept it with --allow-weak-isolation.",
    )
