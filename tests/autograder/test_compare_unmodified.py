"""A call leaves its arguments as they were."""

import numpy as np

from autograder.compare import Axes, check_unmodified
from autograder.wire import Foreign

AXES = Axes(("scores", "d_k"))


def test_the_changed_argument_is_called_by_its_name():
    """The words name the parameter, the detail shows what changed, and no size is said."""
    before = [np.array([[1.0, np.nan], [3.0, 4.0]]), 3]
    after = [np.array([[1.0, np.nan], [2.0, 3.0]]), 3]

    found = check_unmodified(before, after, AXES)

    assert found.kind == "modified"
    assert found.message.startswith("Your function changes its argument scores:")
    assert "first at [1, 0]: before 3, after 2; 2 changed" in found.detail
    assert check_unmodified(before, after).message.startswith("Your function changes its first")


def test_equal_values_are_unmodified():
    """NaN stays NaN, a list may come back as a tuple, and what is no data is not looked at."""
    array = np.array([np.nan, 1.0])
    before = [array, (array, "x"), {"a": None}, len, 2.0]

    after = [array.copy(), [array.copy(), "x"], {"a": None}, Foreign("a function"), 2.0]

    assert check_unmodified(before, after) is None


def test_any_other_value_shape_or_dtype_is_a_change():
    """Also in a container, also when nothing comes back."""
    array = np.ones((2, 2))
    changed = [array + 1, array[0], array.astype(np.float32), None, Foreign("bytes"), [array]]

    for after in changed:
        assert check_unmodified([array], [after]).kind == "modified"
        assert check_unmodified({"x": (array, 1)}, {"x": (after, 1)}).kind == "modified"
    assert check_unmodified([array], []).kind == "modified"
