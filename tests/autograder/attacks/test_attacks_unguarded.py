"""The control: where student code runs in the grading process, the same oracles find that the same
attacks succeed. They are not blind."""

from __future__ import annotations

import pytest

from .conftest import NEIGHBOURS_UNGUARDED
from .corpus import attacks
from .oracles import OF_AN_ATTACK, changed, found_by, harmed, litter

pytestmark = pytest.mark.slow
SUCCEED = [attack for attack in attacks() if attack.unconfined]


@pytest.mark.parametrize("attack", SUCCEED, ids=lambda attack: attack.name)
def test_an_unguarded_grader_is_beaten(unguarded, attack):
    """Each attack gets what its own description says it gets there."""
    assert set(attack.unconfined) <= set(found_by(OF_AN_ATTACK, unguarded, attack))


def test_what_is_left_behind_is_seen(unguarded):
    """Files in shared folders and in the course."""
    assert [one for one in litter(unguarded) if "litter" in one]
    assert [one for one in changed(unguarded) if "litter" in one]


def test_an_unguarded_grader_grades_honest_work(unguarded):
    """The control fails for the attacks' sake alone."""
    rows = {row["submission"] for row in unguarded.rows}

    assert rows >= set(NEIGHBOURS_UNGUARDED)
    assert not [one for one in harmed(unguarded) if one.startswith(NEIGHBOURS_UNGUARDED)]
