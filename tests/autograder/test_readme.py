"""What the pages promise is what the program does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from typer.main import get_command

import autograder
from autograder.cli.app import app
from autograder.gradescope.grading import (
    GRADE_SECONDS,
    OTTER_SECONDS,
    PLATFORM_SECONDS,
    STUDENT_SECONDS,
)
from autograder.gradescope.otter_files import otter_config
from autograder.manifest import Assignment, Course
from autograder.manifest.schema import Feedback, Gradescope, Limits, Manifest, Question
from autograder.sandbox import PROMISES

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_promises_what_doctor_prints() -> None:
    """One sentence, in one place, is what both say."""
    command = [sys.executable, "-m", "autograder", "doctor"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    promise = re.search(r"^promise: (\w+): (.*)\.$", said, re.MULTILINE)

    assert promise is not None
    assert PROMISES[promise[1]] == promise[2]
    assert PROMISES["strong"] in text("README.md")


@pytest.mark.parametrize("promise", sorted(PROMISES))
def test_the_page_on_isolation_has_every_promise(promise: str) -> None:
    """Each promise stands word for word in the page that explains it."""
    assert PROMISES[promise] in text("docs/security.md")


@pytest.mark.parametrize("noun", [Manifest, Question, Limits, Feedback, Gradescope])
def test_every_key_of_the_manifest_is_explained(noun: type[msgspec.Struct]) -> None:
    """The page for authors names each key that assignment.toml may hold."""
    page = text("docs/write-an-assignment.md")
    assert [key for key in noun.__struct_fields__ if f"`{key}`" not in page] == []


def test_the_two_commands_stand_on_the_first_screen() -> None:
    """A newcomer sees how to grade and how to test without scrolling."""
    first_screen = "\n".join(text("README.md").splitlines()[:24])
    assert "`make grade`" in first_screen
    assert "`make test`" in first_screen


@pytest.mark.parametrize("page", [*PAGES, "Makefile"])
def test_every_make_target_that_is_named_exists(page: str) -> None:
    """No page sends a reader to a target that is not there."""
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\"|\$ )make ([a-z-]+)", text(page)))
    assert {"grade", "test-slow"} <= targets
    assert named <= targets


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_exists(page: str) -> None:
    """No page names a command that the program does not have."""
    named = set(re.findall(r"(?:`|\$ |^ {4})autograder ([a-z-]+)", text(page), re.MULTILINE))
    assert named <= get_command(app).commands.keys()


def test_every_option_of_a_package_is_explained() -> None:
    """The page on Gradescope names each option of `autograder package` but the common ones."""
    package = get_command(app).commands["package"]
    options = {name for one in package.params for name in one.opts if name.startswith("--")}
    page = text("docs/gradescope.md")
    assert {"--out", "--unproved"} <= options
    assert [one for one in options - {"--course"} if f"`{one}" not in page] == []


def test_otter_options_on_the_page_are_taken(tmp_path: Path) -> None:
    """What the page on Gradescope puts into otter_config.json does not stop a package."""
    page = text("docs/gradescope.md")
    examples = re.findall(r"^```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    examples += re.findall(r"`(\{[^`]*\})`", page)
    assignment = Course(ROOT).assignment("self_attention")
    beside = Assignment(assignment.manifest, assignment.handout, assignment.solutions, tmp_path)

    for example in examples:
        (tmp_path / "otter_config.json").write_text(example)
        own = json.loads(example)
        taken = otter_config(beside)
        assert taken["plugins"][1:] == own.pop("plugins", [])
        assert own.items() <= taken.items()
    assert len(examples) == 4


@pytest.mark.parametrize("seconds", [STUDENT_SECONDS, GRADE_SECONDS, OTTER_SECONDS])
def test_the_page_on_gradescope_has_every_time_limit(seconds: float) -> None:
    """An instructor reads the limits that hold, and all together fit in the platform's."""
    assert f"{seconds:g} seconds" in text("docs/gradescope.md")
    assert GRADE_SECONDS + OTTER_SECONDS < PLATFORM_SECONDS


@pytest.mark.parametrize(
    "words",
    [
        "Python 3.10 or newer is needed",
        "expected the promise",
        "expected a file that `autograder package` wrote",
        "the reference cannot be imported",
        "grading was ended after",
        "Not graded: our fault",
        "otter-grader failed, and its part is left out",
        "gave no answer within",
        "needs more memory than it is given",
        "Not run: the whole submission had used up its time",
        "a hint from the hidden checks",
        "not graded here",
    ],
)
def test_what_the_page_on_gradescope_quotes_is_said(words: str) -> None:
    """Whoever looks for a message in the table finds the words that the program prints."""
    package = Path(autograder.__file__).parent
    sources = [*package.rglob("*.py"), *package.rglob("*.jinja")]
    assert words in text("docs/gradescope.md")
    assert any(words in source.read_text(encoding="utf-8") for source in sources)


def test_every_room_is_on_the_map() -> None:
    """The page on how it is built has each room of the framework in its table."""
    package = Path(autograder.__file__).parent
    rooms = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    page = text("docs/how-it-is-built.md")
    rooms = {room for room in rooms if not room.startswith("__")}
    assert len(rooms) > 15
    assert [room for room in sorted(rooms) if f"`{room}`" not in page] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """A link to a file of the repository finds it."""
    links = re.findall(r"\]\(([^)#:]+)\)", text(page))
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
