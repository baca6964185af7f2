"""What one pytest session grades with: the references, the sandbox, the submission at hand. Whoever
drives the session gives it a run; a plain `pytest` makes its own from the command line's options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder.errors import CourseError, UsageError
from autograder.grading.devices import CPU, CUDA, gpu_here
from autograder.grading.references import References
from autograder.grading.run import Run
from autograder.manifest import Assignment
from autograder.sandbox import Sandbox, Settings, open_sandbox, require_promise, secrets_private
from autograder.submissions import Submission, find_submissions


def sandbox_for(assignment: Assignment, *others: Path, device: str = CPU) -> Sandbox:
    """A sandbox with the assignment's packages; raises `SandboxRefused`.

    Args:
        device: cuda: each worker has a GPU, one at a time.
        others: what a worker may read no more than graders and references: submissions, results.
    """
    private = secrets_private([assignment.graders, assignment.solutions, *others])
    packages = tuple(assignment.manifest.packages)
    settings = Settings(
        secrets_private=private, packages=packages, gpu=device == CUDA and gpu_here()
    )
    return open_sandbox(settings)


def is_ours(path: Path, assignment: Assignment) -> bool:
    """Whether `path` is the course's own code, which no isolation is demanded for."""
    path = path.resolve()
    own = (assignment.examples, assignment.solutions, assignment.handout)
    return any(path.is_relative_to(folder.resolve()) for folder in own)


def only_submission(path: Path, assignment: Assignment) -> Submission:
    """The one submission at `path`.

    Raises:
        UsageError: there is none, or a class of them.
    """
    found = find_submissions(path, [question.file for question in assignment.manifest.questions])
    if len(found.submissions) != 1:
        raise UsageError(
            path,
            f"expected one submission, got {found.kind}",
            "name one of them, or use `autograder grade` for all.",
        )
    return found.submissions[0]


@dataclass
class Grading:
    """The state of one session, in its config's stash under `GRADING`."""

    current: Run | None = None
    driven: bool = False  # by the session room: runs come from there
    device: str = CPU  # cuda: checks that have cases for a GPU run them
    problem: CourseError | None = None  # with the graders; a driver raises it
    _references: dict[str, References] = field(default_factory=dict)
    _sandboxes: list[Sandbox] = field(default_factory=list)
    _opened_for: str = ""

    @property
    def run(self) -> Run:
        """The submission at hand."""
        assert self.current is not None, "open_run comes first"
        return self.current

    def references(self, assignment: Assignment) -> References:
        """The assignment's references, loaded once; raises `CourseError`."""
        if assignment.name not in self._references:
            self._references[assignment.name] = References(assignment)
        return self._references[assignment.name]

    def open_run(self, config: pytest.Config, assignment: Assignment) -> None:
        """Make sure that there is a run for this assignment.

        Raises:
            CourseError: there is no such submission, or no isolation fit for it.
        """
        if self.driven or self._opened_for == assignment.name:
            return
        self.close()
        path: Path = config.getoption("--submission") or assignment.solutions
        sandbox = sandbox_for(assignment, path, device=self.device)
        self._sandboxes.append(sandbox)
        if not is_ours(path, assignment):
            require_promise(
                sandbox.confinement, allow_weak=config.getoption("allow_weak_isolation")
            )
        staged = only_submission(path, assignment).stage()
        self.current = Run(assignment, staged, sandbox, config.getoption("--seed"))
        self._opened_for = assignment.name

    def close(self) -> None:
        """End the run at hand and the sandboxes that were opened here."""
        if self.current is not None:
            self.current.close()
            self.current = None
        while self._sandboxes:
            self._sandboxes.pop().close()
        self._opened_for = ""


GRADING = pytest.StashKey[Grading]()
