"""Two values → a verdict and words; runs nothing of a student's, draws no inputs, gives no points.

`check_form` asks whether a value has the form of the expected one, `check_values` whether it is the
expected one, `check_unmodified` whether a call left its arguments alone, `check_gradients` whether
its gradients are the expected ones. Each answers None or a `Mismatch`. Axes are named by the
reference's docstring (`axes_of`).
"""

from autograder.compare.axes import Arguments, Axes, Returned, axes_of
from autograder.compare.form import check_form
from autograder.compare.gradients import check_gradients
from autograder.compare.mismatch import Kind, Mismatch, describe
from autograder.compare.tolerance import TOLERANCES, Tolerance
from autograder.compare.unmodified import check_unmodified
from autograder.compare.values import alike, check_values, excess

__all__ = [
    "TOLERANCES",
    "Arguments",
    "Axes",
    "Kind",
    "Mismatch",
    "Returned",
    "Tolerance",
    "alike",
    "axes_of",
    "check_form",
    "check_gradients",
    "check_unmodified",
    "check_values",
    "describe",
    "excess",
]
