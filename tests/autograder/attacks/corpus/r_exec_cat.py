"""Starts other programs, which were never confined, to read for it.

step: step4_softmax.py
earns: nothing
unconfined: leaked
"""

import os
import re

HIDDEN = "COURSE_FOLDER/tests/self_attention/test_step4_softmax.py"


def with_subprocess():
    import subprocess

    return subprocess.run(["/bin/cat", HIDDEN], capture_output=True, text=True).stdout


def with_spawn():
    reading, writing = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, writing, 1), (os.POSIX_SPAWN_CLOSE, writing)]
    os.posix_spawn("/bin/cat", ["cat", HIDDEN], {}, file_actions=actions)
    os.close(writing)
    return os.read(reading, 1 << 16).decode()


def with_fork():
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        os.execv("/bin/cat", ["cat", HIDDEN])
    return os.read(terminal, 1 << 16).decode()


def softmax(scores):
    found = []
    for way in (with_subprocess, with_spawn, with_fork, lambda: os.popen(f"cat {HIDDEN}").read()):
        try:
            found += re.findall("CANARY-[0-9a-f]{32}", way()) or ["nothing was read"]
        except Exception as error:
            found.append(type(error).__name__)
    raise OSError(found)
