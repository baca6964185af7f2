"""`python -m autograder`: the command line, and nothing else."""

from autograder.cli import main

if __name__ == "__main__":
    main()
