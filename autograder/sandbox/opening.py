"""Which kind of sandbox a system gets; starts nothing but that."""

from __future__ import annotations

from autograder.sandbox.client import ForkingSandbox, Sandbox
from autograder.sandbox.confine import LINUX
from autograder.sandbox.control import Settings
from autograder.sandbox.spawning import SpawningSandbox


def open_sandbox(settings: Settings) -> Sandbox:
    """Workers forked from a base process on Linux, exec'd one by one elsewhere.

    Raises:
        SandboxRefused: it could not start.
    """
    return ForkingSandbox(settings) if LINUX else SpawningSandbox(settings)
