"""A wrong shape in words: axes by name, never by size; compares no values."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.compare.axes import ELLIPSIS, Shape, tail_of

Sizes = tuple[int, ...]


def shape_words(got: Sizes, expected: Sizes, shape: Shape | None, sizes: Mapping[str, int]) -> str:
    """A symptom and a question about a shape that differs from the expected one.

    Args:
        got, expected: the shapes, not equal.
        shape: the expected axes by the docstring.
        sizes: every axis name of the arguments with its size, in the docstring's order.
    """
    tail = tail_of(shape, len(expected))
    wanted = "" if tail is None else _parenthesised(tail, batch=len(expected) > len(tail))
    if len(got) != len(expected):
        return _wrong_count(got, expected, tail, wanted)
    if len(got) >= 2 and got == (*expected[:-2], expected[-1], expected[-2]):
        return _transposed(expected, tail, wanted)
    if not tail:
        return "Yours does not have the expected shape. Which axes are summed over, which are left?"
    return _named(got, expected, tail, wanted, sizes)


def _wrong_count(got: Sizes, expected: Sizes, tail: Shape | None, wanted: str) -> str:
    batch = 0 if tail is None else len(expected) - len(tail)
    if tail and batch and got == expected[batch:]:
        return (
            f"Yours is {_parenthesised(tail, batch=False)}, without the batch axes of {wanted}. "
            "What does your code do with the axes before these?"
        )
    few = len(got) < len(expected)
    expectation = f": {wanted} is expected" if wanted else ""
    question = "Which one is lost on the way?" if few else "Which one should not be left?"
    return f"Yours has too {'few' if few else 'many'} axes{expectation}. {question}"


def _transposed(expected: Sizes, tail: Shape | None, wanted: str) -> str:
    question = "Which argument should the rows come from?"
    if tail is None or len(tail) < 2 or tail[-1] == tail[-2]:
        return f"Yours has the shape of the transpose of what is expected. {question}"
    turned = (*tail[:-2], tail[-1], tail[-2])
    yours = _parenthesised(turned, batch=len(expected) > len(tail))
    return f"Yours is {yours}, the transpose of {wanted}. {question}"


def _named(got: Sizes, expected: Sizes, tail: Shape, wanted: str, sizes: Mapping[str, int]) -> str:
    batch = len(expected) - len(tail)
    if got[batch:] == expected[batch:]:
        return (
            f"The batch axes of yours are not those of the arguments; {wanted} is expected. "
            "Does your code move them, or sum over them?"
        )
    if got[:batch] != expected[:batch]:
        return (
            f"Neither the batch axes of yours nor the ones after them are those of {wanted}. "
            "Which axes are summed over, which are left?"
        )
    known = {
        axis: size for axis, size in zip(tail, expected[batch:], strict=True) if axis.isidentifier()
    }
    known.update({axis: size for axis, size in sizes.items() if axis not in known})
    names = tuple(
        axis if size == right else _name_of(size, known)
        for axis, size, right in zip(tail, got[batch:], expected[batch:], strict=True)
    )
    unknown = ""
    if "?" in names:
        unknown = f" (? is an axis that is none of these: {', '.join(known)})" if known else ""
    yours = _parenthesised(names, batch=batch > 0)
    return f"Yours is {yours}{unknown}; {wanted} is expected. {_question(names, tail)}"


def _question(names: Shape, tail: Shape) -> str:
    wrong = [at for at in range(-len(tail), 0) if names[at] != tail[at]]
    if wrong == [-1] and len(tail) > 1:
        return "Which argument should the columns come from?"
    if wrong == [-2]:
        return "Which argument should the rows come from?"
    return "Which axes are summed over, which are left?"


def _name_of(size: int, known: Mapping[str, int]) -> str:
    return next((axis for axis, other in known.items() if other == size), "?")


def _parenthesised(axes: Shape, *, batch: bool) -> str:
    inner = ((ELLIPSIS, *axes) if batch else axes) if axes else (ELLIPSIS,) * batch
    return f"({inner[0]},)" if len(inner) == 1 and inner[0] != ELLIPSIS else f"({', '.join(inner)})"
