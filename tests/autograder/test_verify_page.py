"""What a proof shows, as a page: all of it is the proof's. The bundled page is such a one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.grading.mistakes import load_mistakes, load_variants
from autograder.manifest import Course
from autograder.session import with_graders
from autograder.verify import Matrix, Verification, graders_page
from autograder.verify.fates import MutantFate, MutationReport
from autograder.verify.margins import Margin
from autograder.verify.matrix import Kill, matrix_of
from autograder.verify.mutants import Mutant
from autograder.verify.records import Equivalent, Mild, Narrow, Records

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = "self_attention"
SHOWN_BY_GRADING = (
    "## Only killers",
    "## Checks that no known mistake fails",
    "## Room of the tolerances",
)


def mutant(after: str) -> Mutant:
    """One of `return 2 * x`."""
    line = "return 2 * x"
    return Mutant("double", "solutions/demo/step1_double.py", "double", "", 6, line, after, "")


def proof(**changes) -> Verification:
    """A proof of the small course, with a bit of everything."""
    kills = [
        Kill(mistake="thrice", kind="too much", question="double", checks=["on_paper", "any"]),
        Kill(mistake="a_lot", kind="too much", question="double", checks=["any"]),
        Kill(mistake="nothing", kind="too little", question="double", checks=["any"]),
    ]
    checks = {"double": ["on_paper", "any", "asleep"], "total": ["any"]}
    fates = (
        MutantFate(mutant("return 2 + x"), ("any",), "checks"),
        MutantFate(mutant("return 2 / x"), (), "import"),
        MutantFate(mutant("return 2 ** x"), (), ""),
        MutantFate(mutant("return x * 2"), (), ""),
    )
    equivalent = Equivalent("double", "return 2 * x", "return x * 2", "it is the same product")
    given = {
        "problems": [],
        "matrix": Matrix(assignment="demo", checks=checks, kills=kills),
        "variants": 17,
        "waiting": 4,
        "runs": 23,
        "flakes": 5,
        "margins": [
            Margin(
                check="double/on_paper", dtype="float64", variant=3e-4, mistake=9e4, mildest="x"
            ),
            Margin(check="double/any", dtype="float64", variant=0.02, mistake=70, mildest="a_lot"),
            Margin(check="double/any", dtype="float32", variant=0.01, mistake=None),
        ],
        "records": Records(
            [equivalent],
            [Narrow("double/any", "float64", "large numbers lose digits")],
            [Mild("double", "nothing", "it is wrong by little")],
        ),
        "mutation": MutationReport("demo", fates, (equivalent,)),
    }
    return Verification(**{**given, **changes})


@pytest.fixture
def page_of(course):
    """The page of a proof."""
    return lambda **changes: graders_page(
        proof(**changes), course.assignment.manifest, "2026-01-31"
    )


def known_before(page: str) -> list[str]:
    """The lines of a page that do not depend on grading; of a check's row, its name."""
    kept, heading = [], ""
    for line in page.splitlines():
        heading = line if line.startswith("## ") else heading
        graded = line.startswith(("- **Flakes**", "- **Mutants**", "  - "))
        if line and not graded and heading not in SHOWN_BY_GRADING:
            kept.append(line.partition(" | ")[0] if line.startswith("| ") else line)
    return kept


def section(page: str, heading: str) -> str:
    """What stands under a heading."""
    return page.partition(f"{heading}\n")[2].partition("\n#")[0].strip()


@pytest.mark.parametrize(
    "said",
    [
        "**3 known mistakes** of 2 kinds:",
        "**17 other right answers**:",
        "**Left out**: 4 known answers to questions that are not enabled.",
        "**Flakes**: 5 in 23 seeds of the reference and every variant (2026-01-31).",
        "**Mutants** of the references: 2 of 4 killed, 1 equivalent; score 66.7 %.",
    ],
)
def test_what_was_looked_at_is_counted(page_of, said):
    """Each number is the proof's own, and the day is said."""
    assert f"\n- {said}" in page_of()


def test_a_mutant_that_lives_is_listed_and_an_equivalent_one_with_its_reason(page_of):
    """With file, line and change."""
    place = "solutions/demo/step1_double.py:6: `return 2 * x` became"

    page = page_of()

    assert f"\n  - survivor: {place} `return 2 ** x`\n" in page
    assert f"\n  - equivalent: {place} `return x * 2`: it is the same product\n" in page


def test_each_check_stands_with_what_it_sees_and_what_it_alone_sees(page_of):
    """In a table a question, with the kinds of its mistakes."""
    page = page_of()

    assert section(page, "### Step 1 · double").splitlines() == [
        "| check | fails, of 3 | only killer of |",
        "|---|---|---|",
        "| on_paper | 1 |  |",
        "| any | 3 | 2 |",
        "| asleep | 0 |  |",
        "",
        "Kinds: too much (2);",
        "too little (1).",
    ]
    assert section(page, "### Step 2 · total").startswith("No mistake of it is known.\n\n| check")


def test_only_killers_are_listed_with_their_mistakes_and_idle_checks_by_name(page_of):
    """A question without mistakes has no idle check: nothing was asked of them."""
    page = page_of()

    assert section(page, "## Only killers").endswith("- double/any: a_lot, nothing")
    assert section(page, "## Checks that no known mistake fails") == "- double/asleep"


def test_the_room_is_the_narrowest_of_each_dtype_and_less_of_it_has_a_reason(page_of):
    """What was recorded stands with its numbers."""
    room = section(page_of(), "## Room of the tolerances")

    assert "| float64 | 0.02 (double/any) | 70 (double/any, a_lot) |" in room
    assert "| float32 | 0.01 (double/any) |  |" in room
    narrow = "- double/any in float64: worst right answer 0.02, mildest wrong one 70 (a_lot); "
    assert f"{narrow}large numbers lose digits" in room
    assert "- double, nothing: it is wrong by little" in room


def test_a_proof_without_anything_says_so(page_of):
    """No empty list, no empty table, and no mutants where none was made."""
    page = page_of(
        matrix=Matrix(assignment="demo", checks={"double": ["any"], "total": ["any"]}, kills=[]),
        variants=0,
        waiting=0,
        margins=[],
        records=Records([], [], []),
        mutation=None,
    )

    assert "**No known mistake**" in page
    assert "**No other right answer**" in page
    assert re.findall(r"^## .*", page, re.MULTILINE) == [
        "## Which check sees which mistake",
        "## Room of the tolerances",
        "## Adding a mistake",
    ]
    assert section(page, "## Room of the tolerances").endswith(
        "No known answer was compared by its values."
    )
    for absent in ("Mutants", "Left out", "Kinds", "| dtype"):
        assert absent not in page


def test_the_page_of_the_bundled_assignment_is_not_stale():
    """It is this template's, and has the mistakes, variants and checks that there are: `make
    verify` writes it anew. What only grading shows is not looked at here."""
    assignment = Course(ROOT).assignment(BUNDLED)
    mistakes, checks = with_graders(
        assignment, lambda graders: (load_mistakes(assignment), graders.checks())
    )
    kills = [
        Kill(mistake=one.name, kind=one.kind, question=one.question, checks=[]) for one in mistakes
    ]
    matrix = Matrix(assignment=BUNDLED, checks=matrix_of("", checks, []).checks, kills=kills)
    fresh = graders_page(
        proof(matrix=matrix, variants=len(load_variants(assignment)), waiting=0),
        assignment.manifest,
        "",
    )

    committed = (ROOT / "docs/graders.md").read_text(encoding="utf-8")

    assert known_before(committed) == known_before(fresh)
