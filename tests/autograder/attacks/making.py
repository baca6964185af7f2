"""How an attack that is made is written down: a function that makes it, and what is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from .attack import USUAL, Attack, Earns, Places
from .attacked import ATTACKED

RIGHT = ATTACKED[USUAL].right
SOFTMAX = "step4_softmax.py"
BESIDE = "step5_output.py"  # the one right file beside it, where the others would only take time
MISSING = ("projections", "scores", "scaling", "self_attention")
ELSE = (*MISSING, "output")
EVIL = "import sys\n\nprint('GAINED: run')\nsys.exit()\n"
Make = Callable[[Path, Places], None]


@dataclass(frozen=True)
class Made(Attack):
    """An attack that is made.

    Args:
        told: what its owner reads of it on the page of feedback.
        of_kind: where its name does not begin with it.
    """

    told: tuple[str, ...] = ()
    of_kind: str = ""

    @property
    def kind(self) -> str:
        """One of KINDS."""
        return self.of_kind or super().kind


def made(
    collected: list[Attack],
    earns: Earns,
    *told: str,
    spoils: Iterable[str] = (),
    suffix: str = "",
    where: str = "",
) -> Callable[[Make], Make]:
    """Write down the function below, whose docstring says what it tries, as an attack on step 4."""

    def note(make: Make) -> Make:
        says = " ".join((make.__doc__ or "").split())
        name = make.__name__
        collected.append(
            Made(name, says, earns, SOFTMAX, make, where, tuple(spoils), suffix, told=told)
        )
        return make

    return note
