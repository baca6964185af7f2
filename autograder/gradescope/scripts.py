"""setup.sh, run_autograder and the program they start, from their templates; runs none of them."""

from __future__ import annotations

import shlex
from importlib import resources

from autograder.gradescope.folders import NOT_GRADED, REQUIREMENTS, RUN
from autograder.gradescope.zips import Member

VENV = "/opt/attention-autograder"  # not in /autograder, which no worker may enter


def scripts(torch_index: str, torch: str) -> dict[str, Member]:
    """Our own setup.sh and run_autograder.

    Args:
        torch_index: where pip finds the CPU build; "" where there is no torch.
        torch: the requirement, such as "torch==2.13.0".
    """
    words = {
        "venv": VENV,
        "not_graded": NOT_GRADED,
        "run": RUN,
        "requirements": REQUIREMENTS,
        "torch": torch if torch_index else "",
        "torch_index": shlex.quote(torch_index),
    }
    return {
        name: Member(_rendered(name, **words), executable=True)
        for name in ("setup.sh", "run_autograder")
    }


def run_program() -> Member:
    """What run_autograder starts, ours and otter-grader's alike."""
    return Member(_rendered(RUN))


def _rendered(name: str, **words: str) -> bytes:
    from jinja2 import Environment

    path = resources.files(__package__) / "templates" / f"{name}.jinja"
    environment = Environment(trim_blocks=True, keep_trailing_newline=True, autoescape=False)
    return environment.from_string(path.read_text(encoding="utf-8")).render(words).encode()
