"""Leaves what it was given in queues, segments, semaphores, keys, notices and files of the kernel.

step: step4_softmax.py
earns: nothing
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
KEY, MODE = 0x51AB, 0o1666


def named(path):
    return lambda: os.open(path, os.O_CREAT | os.O_RDWR, 0o666)


WAYS = {
    "shared segment": lambda: libc.shmget(KEY, 4096, MODE),
    "private segment": lambda: libc.shmget(0, 4096, MODE),
    "messages": lambda: libc.msgget(KEY, MODE),
    "semaphores": lambda: libc.semget(KEY, 1, MODE),
    "queue": lambda: libc.syscall(240, b"litter", os.O_CREAT | os.O_RDWR, 0o666, None),
    "key": lambda: libc.syscall(248, b"user", b"litter", b"text", 4, -4),
    "memory": lambda: libc.syscall(319, b"litter", 0),
    "secret memory": lambda: libc.syscall(447, 0),
    "notices": lambda: libc.inotify_init1(0),
    "events": lambda: libc.syscall(298, ctypes.create_string_buffer(128), 0, -1, -1, 0),
    "faults": lambda: libc.syscall(323, 0),
    "shm_open": named("/dev/shm/litter"),
    "tmp": named("/tmp/litter"),
    "var": named("/var/tmp/litter"),
    "run": named("/run/lock/litter"),
    "no name": lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o666),
    "pipe": lambda: os.mkfifo("/tmp/litter_pipe") or 0,
    "folder": lambda: os.mkdir("/tmp/litter_folder") or 0,
    "output": named("OUT_FOLDER/litter"),
}


def softmax(scores):
    found = []
    for name, way in WAYS.items():
        try:
            if way() >= 0:
                found.append(f"GAINED: {name}")
        except OSError as error:
            found.append(f"{name}: {error.strerror}")
    raise FileExistsError(found)
