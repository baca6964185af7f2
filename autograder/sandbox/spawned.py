"""An exec'd worker: it prepares as the base process does, for itself alone. Never told a secret.

usage: python -I -B -m autograder.sandbox.spawned DESCRIPTOR SETTINGS LIMITS
"""

from __future__ import annotations

import sys

import msgspec

from autograder.sandbox import confine, control
from autograder.sandbox.live import live, refuse
from autograder.sandbox.preload import preload


def main() -> None:
    """Prepare, then live the worker's life."""
    channel = int(sys.argv[1])
    settings = msgspec.json.decode(sys.argv[2], type=control.Settings)
    limits = msgspec.json.decode(sys.argv[3], type=control.WorkerLimits)
    confine.die_early(confine.WORKER)
    try:
        preload(settings.packages)
        confiner = confine.Confiner(settings, network_left=False)
    except Exception as error:
        refuse(channel, f"{type(error).__name__}: {error}")
        return
    live(confiner, channel, limits)


if __name__ == "__main__":
    main()
