"""Student code in confined processes: start them, call into them, end them. Knows no assignment, no
grader and no score; what a failure is worth is decided above."""

from autograder.sandbox.calls import NOTHING, Answer, Served, StudentCode, Worker
from autograder.sandbox.client import (
    ForkingSandbox,
    Sandbox,
    secrets_private,
)
from autograder.sandbox.confine import LINUX, die_with_parent
from autograder.sandbox.control import Settings, WorkerLimits
from autograder.sandbox.failures import Ending, SandboxRefused, StudentRaised, WorkerEnded
from autograder.sandbox.opening import open_sandbox
from autograder.sandbox.promise import DEMANDED, PROMISES, Confinement, TooWeak, require_promise

__all__ = [
    "DEMANDED",
    "LINUX",
    "NOTHING",
    "PROMISES",
    "Answer",
    "Confinement",
    "Ending",
    "ForkingSandbox",
    "Sandbox",
    "SandboxRefused",
    "Served",
    "Settings",
    "StudentCode",
    "StudentRaised",
    "TooWeak",
    "Worker",
    "WorkerEnded",
    "WorkerLimits",
    "die_with_parent",
    "open_sandbox",
    "require_promise",
    "secrets_private",
]
