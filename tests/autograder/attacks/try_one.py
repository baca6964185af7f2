"""Grades one attack alone and prints what every oracle says of it.

usage: python -m tests.autograder.attacks.try_one NAME [ENVIRONMENT]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from .attacked import ATTACKED
from .corpus import attacks
from .environments import ENVIRONMENTS
from .graded import grade
from .oracles import OF_AN_ATTACK, OF_AN_ENVIRONMENT, found_by


def main(name: str, where: str = "root") -> None:
    """Print the points, the words of each check that failed, and the oracles."""
    attack = next(one for one in attacks() if one.name == name)
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        first, *_, last = ATTACKED[attack.assignment].neighbours
        outcome = grade(folder, ENVIRONMENTS[where], [attack], attack.assignment, [first, last])
        print(outcome.ran.stdout, outcome.ran.stderr, outcome.ran.left, sep="\n")
        for question in outcome.results.get(name, {"questions": []})["questions"]:
            print(f"\n{question['file']}: {question['score']} of {question['max_score']}")
            told = {}
            for check in question["checks"]:
                if check["outcome"] != "passed":
                    words = f"{check['visibility']} {check['outcome']}: {check['message']}"
                    told.setdefault(f"{words}\n    [{check['detail'][:2500]}]", []).append(
                        check["name"]
                    )
            for words, names in told.items():
                print(f"  {len(names)} checks, {names[0]}: {words}")
        print()
        print(found_by(OF_AN_ATTACK, outcome, attack) or "no oracle finds anything about it")
        print(found_by(OF_AN_ENVIRONMENT, outcome) or "nor about the class")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
