"""Grade course assignments with hidden pytest graders; student code runs in a confined process.

Nothing is imported here: the base process that student code is forked from imports this package.
"""

__version__ = "0.1.0"
