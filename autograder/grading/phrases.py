"""What a student reads when their code gave no value: symptom, evidence, question. A hidden check
says nothing but phrases from this page, with names from assignment.toml: no text, type, line
number, size or time that a student could choose to carry a hidden input out."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from autograder.sandbox import Ending, StudentRaised
from autograder.text import joined, plain
from autograder.wire import Where
from autograder.worker import ElsewhereGiven, FunctionMissing, NotAModule, WeightsDiffer

TEXT_LIMIT = 600
BROKEN = "This check could not be run. That is our fault, not yours: it does not count against you."
NOT_RUN_AFTER_TIMEOUTS = (
    "Not run: earlier checks of this step ran out of time. Mend the endless loop first."
)
NOT_REACHED = "Not run: the whole submission had used up its time. Which step never ends?"
CUT_SHORT = "Stopped: the whole submission has used up its time. Which step never ends?"
NO_ANSWER = "What came back from your code was no answer to the call. Does it only return a value?"
UNREADABLE = (
    "Not run: your files could not be searched for calls that are the exercise. "
    "Do they hold anything but a few functions?"
)
UNRUN = frozenset({NOT_RUN_AFTER_TIMEOUTS, NOT_REACHED})
TOO_LARGE = "What your function gives back is far too large. What shape should it have?"
_NO_MODULE = "Only Python's own modules and the packages that the assignment names are there."
UNWORDED = "The property that this check asks for does not hold for your function."

_KNOWN = frozenset(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
# What arithmetic on arrays raises by mistake, which hidden checks name. Each name more is something
# that a student can choose to say of a hidden input.
_USUAL = frozenset(
    """
    AssertionError AttributeError Exception ImportError IndexError KeyError ModuleNotFoundError
    NameError OverflowError RuntimeError SyntaxError TypeError UnboundLocalError ValueError
    ZeroDivisionError
    """.split()
)
_UNREADABLE = frozenset({"SyntaxError", "IndentationError", "TabError"})
_SPECIAL = {
    "MemoryError": "`{name}` needs more memory than it is given. How large is what it builds?",
    "RecursionError": "`{name}` calls itself without end. Where should it stop?",
    "SystemExit": "`{name}` ended the program (sys.exit) instead of returning a value.",
    FunctionMissing.__name__: "There is no function `{name}` in {file}. Was it renamed?",
    ElsewhereGiven.__name__: (
        "On a GPU `{name}` gives back a tensor of another device. "
        "Which tensor is made there without `device=`?"
    ),
    NotAModule.__name__: "`{name}` is no torch.nn.Module. What does its class statement inherit?",
    WeightsDiffer.__name__: (
        "The weights of `{name}` are not those that the step asks for. "
        "Which names and shapes does its docstring give?"
    ),
}


def ended(ending: Ending, name: str, seconds: float) -> str:
    """The worker is gone; `seconds` is the limit in assignment.toml, which students have."""
    if ending is Ending.TIME:
        return (
            f"`{name}` gave no answer within {seconds:g} seconds. Is there a loop that never ends?"
        )
    if ending is Ending.DIED:
        return (
            f"Your program ended in the middle of `{name}`: it crashed, ended itself, or took too "
            "much memory. What happens when you call it with a small input?"
        )
    return f"What came back from `{name}` was no answer to the call. Does it only return a value?"


def raised(error: StudentRaised, name: str, file: str, *, hidden: bool) -> str:
    """Student code raised during a call."""
    culprit = error.where[-1].file if error.where else file
    if error.kind == "NotImplementedError":
        which = f"`{name}`" if culprit == file or hidden else culprit
        return f"Not written yet: {which} still raises NotImplementedError."
    if error.kind in _SPECIAL:
        return _SPECIAL[error.kind].format(name=name, file=file)
    kind = _named(error.kind, hidden=hidden)
    said = f"`{name}` raised {kind} instead of returning a value."
    if hidden:
        return f"{said} Which line assumes something about its inputs that need not hold?"
    return f"{said}\n{_place(error)}{plain(error.message, TEXT_LIMIT)}"


def forbidden(name: str, file: str, line: int) -> str:
    """A file uses what it is to do itself; read off its text, so nothing hidden is in it."""
    short = name.rpartition(".")[2]
    return (
        f"Not graded: {file}, line {line} uses {short}, which is what this step is to do itself. "
        "Can you say it with matrix products and a softmax?"
    )


def not_refused(name: str, kind: str) -> str:
    """Student code was to raise an exception; `kind` is the one it raised, or "" for none."""
    seen = f"raises {_named(kind, hidden=True)}" if kind else "gives back a value"
    return (
        f"`{name}` {seen} for arguments that cannot be right. "
        "Which exception does its docstring name for them?"
    )


def moved(verdict: object, name: str, where: Sequence[Where], *, hidden: bool) -> str:
    """A call was made on another device (`worker.devices`); "" where nothing speaks against it."""
    if not isinstance(verdict, str) or verdict not in ("stays", "untold", "mixes", "leaves"):
        return NO_ANSWER
    if verdict in ("stays", "untold"):
        return ""
    seen = "mixes tensors of two devices" if verdict == "mixes" else "gives back one of another"
    said = f"On a GPU `{name}` {seen}. Which tensor is made there without `device=`?"
    return said if hidden or not where else f"{said} ({where[-1].file}, line {where[-1].line})"


def not_imported(error: StudentRaised, file: str, *, hidden: bool) -> str:
    """Student code raised while its file was imported: before it saw any input."""
    said = f"{file} could not be imported"
    if error.kind == "SystemExit":
        return f"{said}: it ends the program (sys.exit). Does something run outside a function?"
    kind = _named(error.kind, hidden=hidden)
    if hidden:
        return f"{said}: {kind}. What happens when you run `python {file}`?"
    why = f"{said}: {kind}\n{_place(error)}{plain(error.message, TEXT_LIMIT)}"
    return f"{why}\n{_NO_MODULE}" if kind == "ModuleNotFoundError" else why


def followed(step: int, origins: Sequence[int], *, is_right: bool) -> str:
    """A step failed with the student's own earlier steps, and passes with right ones.

    Args:
        origins: those that failed; none where they may not be named.
    """
    named = f"step{'s' * (len(origins) > 1)} {joined([str(one) for one in origins])}"
    earlier = named if origins else "an earlier step"
    if is_right:
        return f"Step {step} is right; what it lost came from {earlier}."
    return f"Part of what step {step} lost came from {earlier}."


def _named(kind: str, *, hidden: bool) -> str:
    """An exception's kind in a sentence."""
    if hidden:
        return kind if kind in _USUAL else "an unusual exception"
    return kind if kind in _KNOWN else "an exception of its own"


def _place(error: StudentRaised) -> str:
    if not error.where or error.kind in _UNREADABLE:
        return ""
    return f"{error.where[-1].file}, line {error.where[-1].line}: "


def traceback_text(error: StudentRaised) -> str:
    """What an instructor sees of it."""
    frames = [
        f"  {frame.file}, line {frame.line}, in {plain(frame.function, 80)}"
        for frame in error.where
    ]
    text = "\n".join([f"{plain(error.kind, 80)}: {plain(error.message)}", *frames])
    return f"{text}\nprinted:\n{plain(error.output)}" if error.output else text
