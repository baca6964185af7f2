"""Packages for Gradescope, made with otter-grader, and how they grade there; student code never
runs in a process of otter-grader's."""
