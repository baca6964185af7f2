"""Public checks of step 4: the costs of the README's example."""

import pytest

pytestmark = pytest.mark.question("costs")
LAYERS = "self-attention", "recurrent"


def test_public_paths_and_steps(student):
    """In attention any two tokens are one step apart; in recurrence n tokens are a chain."""
    for n in (6, 9):
        for name in ("max_path_length", "sequential_operations"):
            got = [getattr(student, name)(layer, n) for layer in LAYERS]
            assert got == [1, n], f"{name} of {n} tokens: expected {[1, n]}, got {got}"


def test_public_multiplications_and_state(student):
    """The example of the README, n = 6 and d = 4, comes out as on paper."""
    work = [student.complexity_per_layer(layer, 6, 4) for layer in LAYERS]
    state = [student.state_size(layer, 6, 4) for layer in LAYERS]
    cheaper = student.cheaper_layer(6, 4), student.cheaper_layer(4, 6)

    assert work == [144, 96], f"complexity_per_layer: expected [144, 96], got {work}"
    assert state == [24, 4], f"state_size: expected [24, 4], got {state}"
    assert cheaper == ("recurrent", "self-attention"), (
        f"cheaper_layer at (6, 4) and (4, 6): expected recurrent, self-attention, got {cheaper}"
    )
