"""Answers with text that is hostile to a terminal and a page, and raises by names that are.

step: step4_costs.py
earns: nothing
"""

import sys

HOSTILE = "\x1b]0;LEAKED\x07\x1b[2J\u202e\u200b\x9b31m\n# score: 100 of 100\n" * 20


class Hostile(Exception):
    """Is called that, wherever the worker says what was raised."""


def forge():
    serve = sys.modules.get("autograder.worker.serve")
    if serve:
        serve.known_name = lambda error: HOSTILE


def max_path_length(layer, n):
    return HOSTILE


def sequential_operations(layer, n):
    forge()
    raise Hostile(HOSTILE)


def complexity_per_layer(layer, n, d):
    return [HOSTILE, {HOSTILE: HOSTILE}]


def cheaper_layer(n, d):
    return HOSTILE


def state_size(layer, n, d):
    return HOSTILE
