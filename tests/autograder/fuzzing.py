"""How many examples a property is tried with; values and damage that several properties share.

A usual run tries few. A thorough one tries ten times as many: `make test-long` starts one for every
file that asks here for its examples. By hand:

    pytest --hypothesis-profile=thorough tests/autograder/wire
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograder.wire import FOREIGN_KINDS, Foreign
from autograder.wire.nodes import DTYPES

THOROUGH = "thorough"
_USUAL, _MANY = 100, 1_000  # examples of a property that asks for a hundred

settings.register_profile(THOROUGH, max_examples=_MANY)


def examples(count: int) -> settings:
    """So many examples in a usual run, and more by the profile; nothing is timed or kept."""
    return settings(
        max_examples=max(1, count * settings().max_examples // _USUAL),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
scalars = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats() | texts
ndarrays = st.sampled_from(list(DTYPES)).flatmap(
    lambda name: arrays.arrays(name, arrays.array_shapes(min_dims=0, max_dims=5, min_side=0))
)
odd = (  # what no Python function returns as it is, and yet may come over the wire
    st.sampled_from(FOREIGN_KINDS).map(Foreign)
    | st.integers(1 << 63, (1 << 64) - 1)
    | st.just(np.zeros((0, 1 << 31)))
)


def nested(leaves: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """These, and lists, tuples and dictionaries of them."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=4).map(tuple)
            | st.dictionaries(texts, inner, max_size=4)
        ),
        max_leaves=12,
    )


values = nested(scalars | ndarrays)  # what a function may return, and the wire carries unchanged
carried = nested(scalars | ndarrays | odd)  # whatever may come out of the wire


Way = tuple[Any, ...]  # keys and indices


def places(tree: Any, way: Way = ()) -> list[Way]:
    """The way to everything in lists and dictionaries, to the whole first."""
    inner = tree.items() if isinstance(tree, dict) else ()
    inner = enumerate(tree) if isinstance(tree, list) else inner
    return [way, *(place for key, one in inner for place in places(one, (*way, key)))]


def put(tree: Any, way: Way, value: Any) -> Any:
    """A copy that holds another value there, under a new key too."""
    if not way:
        return value
    changed = dict(tree) if isinstance(tree, dict) else list(tree)
    changed[way[0]] = put(changed[way[0]], way[1:], value) if way[1:] else value
    return changed


Wound = tuple[int, int, bytes]  # where, how many bytes go, what comes in their place
wounds = st.tuples(st.integers(0, 1 << 16), st.integers(0, 9), st.binary(max_size=9))


def damaged(data: bytes, several: list[Wound]) -> bytes:
    """Bytes of which some are others, lack or are too many."""
    for at, gone, come in several:
        at %= len(data) + 1
        data = data[:at] + come + data[at + gone :]
    return data
