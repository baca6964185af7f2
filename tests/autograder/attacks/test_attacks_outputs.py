"""What an attack writes for people to read stays text, and people read what was wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .attack import Attack
from .course import Ground
from .environments import OWN, Ran
from .making import Made
from .oracles import Outcome, found_by
from .oracles_of_outputs import OF_AN_ATTACK, OF_AN_ENVIRONMENT
from .test_attacks_confined import CASES, CLASSES, Graded

PAGE = (
    "# Self-attention, step by step\n\nSubmission `eve`\n\n## ✗ step 4 · softmax · not yet right\n"
)
CHECK = '{"message": "%s", "answer": ""}'
RESULT = '{"seed": 1, "questions": [{"checks": [%s]}]}'


@pytest.mark.parametrize(("environment", "attack"), CASES)
def test_people_read_what_is_meant_for_them(graded: Graded, environment, attack):
    """A student reads no hidden value, and why a file was not graded."""
    assert not found_by(OF_AN_ATTACK, graded(environment, attack.assignment), attack)


@pytest.mark.parametrize("oracle", OF_AN_ENVIRONMENT, ids=lambda oracle: oracle.__name__)
@pytest.mark.parametrize(("environment", "assignment"), CLASSES)
def test_what_students_write_stays_text(graded: Graded, environment, assignment, oracle):
    """On pages, in the gradebook, in results and on the terminal."""
    assert not oracle(graded(environment, assignment))


def outcome_of(
    folder: Path, *, page: str = PAGE, cell: str = "eve", said: str = "", line: str = ""
) -> Outcome:
    """What would have come of a class of one."""
    ground = Ground(folder)
    for name in ("results", "feedback"):
        (ground.out / name).mkdir(parents=True)
    (ground.out / "results/eve.json").write_text(RESULT % (CHECK % said))
    (ground.out / "feedback/eve.md").write_text(page)
    (ground.out / "grades.csv").write_text(f'submission,notes\neve,"{cell}"\n')
    return Outcome(OWN, ground, {}, Ran(f"1 submission\neve  0 of 100\n{line}\n", "", {}))


@pytest.mark.parametrize(
    ("oracle", "odd"),
    [
        ("unseen", {"page": f"{PAGE}\x1b[31m"}),
        ("unseen", {"cell": "a\u202eb"}),
        ("unseen", {"said": "\\u200b"}),
        ("unseen", {"line": "eve\x07"}),
        ("formulas", {"cell": "=1+1"}),
        ("formulas", {"cell": "a; @SUM(1)"}),
        ("broken_pages", {"page": f"{PAGE}\n# Full marks\n"}),
        ("broken_pages", {"page": f"{PAGE}\n[x](http://evil)\n"}),
        ("broken_pages", {"page": f"{PAGE}\n<script>\n"}),
        ("broken_pages", {"page": f"{PAGE}\n```text\n```\nFORGED\n"}),
        ("forged_lines", {"line": "score: 100 of 100"}),
        ("too_long", {"page": PAGE + "x" * 600_000}),
    ],
)
def test_no_oracle_of_a_class_is_blind(tmp_path, oracle, odd):
    """Each sees what it is for, and nothing in an ordinary class."""
    (tmp_path / "usual").mkdir()
    assert not found_by(OF_AN_ENVIRONMENT, outcome_of(tmp_path / "usual"))
    assert oracle in found_by(OF_AN_ENVIRONMENT, outcome_of(tmp_path / "odd", **odd))


def test_no_oracle_of_an_attack_is_blind(tmp_path):
    """A hidden value that is shown, and a reason that is not."""
    eve = Made("eve", "", "nothing", "", lambda folder, places: None, told=("is a link",))
    outcome = outcome_of(tmp_path, said="SHOWN: 0.5")

    assert found_by(OF_AN_ATTACK, outcome, eve).keys() == {"shown", "not_told"}
    assert not found_by(OF_AN_ATTACK, outcome_of(tmp_path / "usual"), _plain("eve"))


def _plain(name: str) -> Attack:
    return Attack(name, "", "nothing", "", lambda folder, places: None)
