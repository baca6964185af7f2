"""Writes points into results, grades and feedback, or cuts, renames, opens or removes them.

step: step4_softmax.py
earns: nothing
"""

import os

PLACES = [
    "OUT_FOLDER/results/somebody.json",
    "OUT_FOLDER/results/a_right.json",
    "OUT_FOLDER/results/t_write_results.json",
    "OUT_FOLDER/grades.csv",
    "OUT_FOLDER/run.json",
    "OUT_FOLDER/.lock",
    "OUT_FOLDER/feedback/t_write_results.md",
    "COURSE_FOLDER/tests/self_attention/test_step4_softmax.py",
    "COURSE_FOLDER/solutions/self_attention/step4_softmax.py",
    "COURSE_FOLDER/assignments/self_attention/assignment.toml",
    "SUBMISSIONS_FOLDER/z_right/step4_softmax.py",
    "SUBMISSIONS_FOLDER/t_write_results/step4_softmax.py",
]
FORGED = '{"schema": 1, "score": 100, "max_score": 100}'


def write(path):
    with open(path, "w") as file:
        file.write(FORGED)


def append(path):
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, b"\n")


def replace(path):
    write(f"{path}.litter")
    os.replace(f"{path}.litter", path)


WAYS = {
    "write": write,
    "append": append,
    "replace": replace,
    "truncate": lambda path: os.truncate(path, 0),
    "rename": lambda path: os.rename(path, f"{path}.gone"),
    "link": lambda path: os.link(path, f"{path}.linked"),
    "chmod": lambda path: os.chmod(path, 0o666),
    "chown": lambda path: os.chown(path, os.getuid(), -1),
    "utime": lambda path: os.utime(path, (0, 0)),
    "setxattr": lambda path: os.setxattr(path, "user.score", b"100"),
    "remove": os.unlink,
}


def softmax(scores):
    found = set()
    for name, way in WAYS.items():
        for path in PLACES:
            try:
                way(path)
                found.add(f"GAINED: {name} {path}")
            except OSError as error:
                found.add(f"{name}: {error.strerror}")
    raise PermissionError(sorted(found))
