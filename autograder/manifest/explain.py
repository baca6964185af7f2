"""What is wrong with a manifest, in an instructor's words: the value that was got, where it stands
and what to write instead. Finds no mistake itself: msgspec does."""

from __future__ import annotations

import json
import re

from autograder.manifest.schema import ONE_LINE
from autograder.text import one_line

SHOWN = 80  # characters of a value

_WORDS = (
    (" | null", ""),  # a limit that a question may leave out; no manifest can say null
    ("`float`", "a number"),
    ("`int`", "a whole number"),
    ("`str`", "text"),
    ("`bool`", "true or false"),
    ("`array`", "a list"),
    ("`object`", "a table"),
)
_LIMITS = "begin a table with the line `[limits]`, and give each limit a line below it."
_MOMENTS = "choose one of: now, after_due_date, after_published, never."
FIXES = {
    "name": 'write lower-case letters, digits and _, such as `name = "scaling"`.',
    "title": 'write a text, such as `title = "Scaling by the root of the key width"`.',
    "packages": 'write `packages = ["numpy", "torch"]`, or one of them; others cannot be graded.',
    "questions": "begin each question with the line `[[questions]]`.",
    "hours": 'write a text, such as `hours = "2 to 3"`.',
    "limits": _LIMITS,
    "feedback": "begin a table with the line `[feedback]`.",
    "gradescope": "begin a table with the line `[gradescope]`.",
    "rows": 'write `rows = "checks"`, or `rows = "otter"` for otter-grader\'s own rows.',
    "torch_index": 'write the address of a package index, such as `torch_index = "https://…"`.',
    "file": 'write the name of one Python file, such as `file = "step3_scaling.py"`.',
    "given": "begin each file that is given with the line `[[given]]`.",
    "forbidden": 'write full names, such as `forbidden = ["torch.nn.MultiheadAttention"]`.',
    "functions": 'write a list of names, such as `functions = ["scale_scores"]`.',
    "points": "write a number, such as `points = 2`.",
    "needs": 'write a list of earlier questions\' names, such as `needs = ["scores"]`.',
    "follow_through": "write a number from 0 to 1, such as `follow_through = 0.5`.",
    "enabled": "write `enabled = true` or `enabled = false`.",
    "extra": "write `extra = true` or `extra = false`.",
    "seconds": "write a number of seconds, such as `seconds = 10`.",
    "cpu_seconds": "write a whole number of seconds, such as `cpu_seconds = 60`.",
    "memory_mb": "write a whole number of megabytes, such as `memory_mb = 512`.",
    "total_seconds": "write a number of seconds, such as `total_seconds = 120`.",
    "timeouts": "write a whole number, such as `timeouts = 2`.",
    "hidden_points": _MOMENTS,
    "hints": _MOMENTS,
}


def explain(said: str, raw: object) -> tuple[str, str]:
    """What msgspec said of `raw`, as problem and fix.

    Args:
        said: its message, such as "Expected `float`, got `str` - at `$.questions[2].points`".
        raw: the whole file as it was read.
    """
    problem, _, path = said.rpartition(" - at `$") if " - at `$" in said else (said, "", "")
    key = path.strip("`.")
    problem = problem[:1].lower() + problem[1:]
    where = f" - at {key}" if key else ""
    if problem.startswith("object contains unknown field"):  # its name may be anything
        return shortened(problem) + where, "remove the field, or correct its spelling."
    if problem.startswith("object missing required field"):
        return problem + where, f"add the field: {FIXES[problem.split('`')[1]]}"
    for word, plain in _WORDS:
        problem = problem.replace(word, plain)
    if problem.startswith("invalid enum value"):
        problem = "expected one of a few words"
    if repr(ONE_LINE) in problem:
        problem = "expected one line of text without control characters"
    elif "matching regex" in problem:
        problem = "expected another form of text"
    got = _value_at(raw, key)
    if isinstance(got, str | int | float | bool):
        problem = f"{problem.partition(', got')[0]}, got {_shown(got)}"
    name = re.sub(r"\[\d+\]\Z", "", key).rpartition(".")[2]
    return problem + where, FIXES.get(name, "correct the line.")


def shortened(text: str) -> str:
    """What may be an instructor's own text, as one line without its middle where that is long."""
    return one_line(text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} ... {text[-SHOWN:]}")


def _shown(value: str | float) -> str:
    """A value much as the file has it, bounded."""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a very large number"  # Python does not write numbers of any length
    is_readable = isinstance(value, str) and value.isprintable()  # else its escapes are shown
    return one_line(json.dumps(value, ensure_ascii=not is_readable), SHOWN)


def _value_at(raw: object, key: str) -> object:
    """The value at a path such as `questions[2].points`, None when there is none."""
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
        if isinstance(raw, dict) and name:
            raw = raw.get(name)
        elif isinstance(raw, list) and index and int(index) < len(raw):
            raw = raw[int(index)]
        else:
            return None
    return raw
