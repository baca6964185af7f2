"""Layers and words: what is promised, and who has to accept less."""

from __future__ import annotations

import pytest

from autograder.sandbox import DEMANDED, PROMISES, Confinement, TooWeak, require_promise
from autograder.sandbox.promise import (
    LANDLOCK,
    LIMITS,
    NAMESPACE,
    NO_FILES,
    PRIVATE,
    SECCOMP,
    STILL_ROOT,
    UID,
    has_layer,
)

ABI = f"{LANDLOCK} ABI 7"


@pytest.mark.parametrize(
    ("layers", "promise"),
    [
        ((LIMITS, UID, ABI, SECCOMP, NAMESPACE), "strong"),
        ((LIMITS, UID, ABI, SECCOMP), "strong"),
        ((LIMITS, UID, PRIVATE, SECCOMP), "strong"),
        ((LIMITS, UID, SECCOMP, NO_FILES), "strong"),
        ((LIMITS, ABI, SECCOMP), "strong"),
        ((LIMITS, SECCOMP, NO_FILES), "strong"),
        ((LIMITS, UID, ABI), "medium"),
        ((LIMITS, UID, PRIVATE, NAMESPACE), "medium"),
        ((LIMITS, ABI), "medium"),
        ((LIMITS, UID), "weak"),
        ((LIMITS, UID, NAMESPACE), "weak"),
        ((LIMITS,), "weak"),
        ((), "weak"),
        ((LIMITS, STILL_ROOT, ABI, SECCOMP, NAMESPACE), "weak"),
    ],
)
def test_the_promise_follows_from_the_layers(layers, promise):
    """Files closed and calls filtered: strong. Files closed alone: medium. Files open: weak."""
    confinement = Confinement(layers)

    assert confinement.promise == promise
    assert confinement.line.startswith(f"isolation: {promise} (a process of its own")
    assert set(confinement.missing) == {
        layer for layer in (UID, LANDLOCK, SECCOMP, NAMESPACE) if not has_layer(layers, layer)
    }


@pytest.mark.parametrize("promise", [word for word in PROMISES if word != DEMANDED])
def test_less_than_strong_has_to_be_accepted(promise):
    """Other people's code is not graded with less, unless somebody says so."""
    weaker = Confinement({"medium": (LIMITS, ABI), "weak": (LIMITS,)}[promise])

    require_promise(Confinement((LIMITS, ABI, SECCOMP)), allow_weak=False)
    require_promise(weaker, allow_weak=True)
    with pytest.raises(TooWeak, match="--allow-weak-isolation"):
        require_promise(weaker, allow_weak=False)
