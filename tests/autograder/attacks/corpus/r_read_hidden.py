"""Opens graders, references, mistakes and results by their exact paths, and raises what it read.

step: step4_softmax.py
earns: nothing
"""

import os
import re

FILES = [
    "COURSE_FOLDER/tests/self_attention/test_step4_softmax.py",
    "COURSE_FOLDER/tests/self_attention/mistakes_step4.py",
    "COURSE_FOLDER/tests/self_attention/examples/right/step4_softmax.py",
    "COURSE_FOLDER/solutions/self_attention/step4_softmax.py",
    "OUT_FOLDER/results/somebody.json",
    "OUT_FOLDER/run.json",
    "SUBMISSIONS_FOLDER/a_right/step1_projections.py",
]
FOLDERS = ["COURSE_FOLDER/tests/self_attention", "OUT_FOLDER/results", "SUBMISSIONS_FOLDER"]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        return error.strerror
    return re.findall("CANARY-[0-9a-f]{32}", text) or text[:100]


def listed(path):
    try:
        return "GAINED: " + " ".join(os.listdir(path))[:100]
    except OSError as error:
        return error.strerror


def softmax(scores):
    found = [read(path) for path in FILES] + [listed(path) for path in FOLDERS]
    print(found)
    raise OSError(found)
