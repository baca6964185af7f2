"""`python -m autograder`: the command line, and nothing else."""

import os
import sys

from autograder.cli import main

if __name__ == "__main__":
    if sys.path[:1] in ([""], [os.getcwd()]):
        del sys.path[0]  # or the files of a submission that one stands in would be imported here
    main()
