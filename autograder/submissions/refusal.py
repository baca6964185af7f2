"""Why something that was handed in is not read; never a fault of the course's or of ours."""

from __future__ import annotations


class Refused(Exception):
    """One sentence or two for the student: what is wrong, and what to hand in instead."""
