"""Starts processes in every way there is; they outlive it and write results when it is gone.

step: step4_softmax.py
earns: nothing
"""

import ctypes
import os
import subprocess
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
RESULT = "OUT_FOLDER/results/t_forks_a_daemon.json"
LATER = f"import time; time.sleep(3); open({RESULT!r}, 'w').write('100')"


def daemon():
    """The child of a child, in a session of its own."""
    for leave in (os.setsid, os.getpid):
        try:
            leave()
        except OSError:
            pass
        if libc.fork() > 0:
            os._exit(0)
    for path in (RESULT, "/tmp/litter_of_a_daemon", "/dev/shm/litter_of_a_daemon"):
        try:
            with open(path, "w") as file:
                file.write('{"score": 100}')
        except OSError:
            pass
    time.sleep(30)
    os._exit(0)


def raw(number, *arguments):
    return lambda: libc.syscall(number, *arguments)


WAYS = {
    "fork": os.fork,
    "forkpty": lambda: os.forkpty()[0],
    "C's fork": lambda: libc.fork(),
    "raw fork": raw(57),
    "raw clone": raw(56, 17, 0, 0, 0, 0),
    "raw clone, other noise": raw(56, (1 << 32) | 17, 0, 0, 0, 0),
    "raw clone3": raw(435, (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17), 64),
    "spawn": lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", LATER], {}),
    "popen": lambda: subprocess.Popen([sys.executable, "-c", LATER]).pid,
    "system": lambda: 1 if os.system("sleep 30 &") == 0 else -1,
}


def softmax(scores):
    found = []
    for name, way in WAYS.items():
        try:
            child = way()
        except (OSError, ValueError) as error:
            found.append(f"{name}: {type(error).__name__}")
            continue
        if child == 0:
            daemon()
        found.append(f"GAINED: {name}" if child > 0 else f"{name}: {ctypes.get_errno()}")
    raise ChildProcessError(found)
