"""What a function promises, in the words of its reference's docstring; compares nothing."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from autograder.compare import axes_of

_NONE = inspect.Parameter.empty


@dataclass(frozen=True)
class Contract:
    """A reference's signature, and of its docstring what is needed to judge another answer.

    Args:
        summary: the first line.
        takes: the section `Args:`, "" when there is none; likewise `gives` and `Returns:`.
    """

    signature: str
    summary: str
    takes: str
    gives: str


def contract_of(reference: Callable[..., object]) -> Contract:
    """The contract of one function."""
    doc = inspect.getdoc(reference) or ""
    return Contract(
        _signature(reference),
        doc.partition("\n")[0].strip(),
        _section(doc, "Args"),
        _section(doc, "Returns"),
    )


def contract_line(reference: Callable[..., object]) -> str:
    """The contract of a step that another one calls: "attention_scores(q, k) → (..., n_q, n_k)"."""
    results = axes_of(reference).returns
    named = [one.name or _shape(one.shape) for one in results if one.name or one.shape]
    return " → ".join([_signature(reference), *[", ".join(named)] * bool(named)])


def _shape(shape: tuple[str, ...] | None) -> str:
    return f"({', '.join(shape)})" if shape else ""


def _signature(reference: Callable[..., object]) -> str:
    """Its name and parameters, without annotations."""
    signature = inspect.signature(reference)
    bare = [one.replace(annotation=_NONE) for one in signature.parameters.values()]
    shown = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    return f"{reference.__name__}{shown}"


def _section(doc: str, heading: str) -> str:
    """The indented lines under a heading."""
    found = re.search(rf"^{heading}:[ \t]*\n((?:(?:[ \t]+.*)?\n)+)", f"{doc}\n", re.M)
    return textwrap.dedent(found.group(1)).strip() if found else ""
