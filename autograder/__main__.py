"""`python -m autograder`: the command line, and nothing else."""

import os
import sys

from autograder.cli import main

if __name__ == "__main__":
    try:
        here = os.getcwd()
    except OSError:  # it was deleted: the command line says so, where it needs one
        here = ""
    if sys.path[:1] in ([""], [here]):
        del sys.path[0]  # or the files of a submission that one stands in would be imported here
    main()
