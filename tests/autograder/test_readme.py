"""What the pages promise is what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from autograder.manifest.schema import Feedback, Gradescope, Limits, Manifest, Question
from autograder.sandbox import PROMISES

ROOT = Path(__file__).parents[2]


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
    assert PROMISES[promise] in text("docs/what-it-protects-against.md")


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


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "Makefile"])
def test_every_make_target_that_is_named_exists(page: str) -> None:
    """No page sends a reader to a target that is not there."""
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\")make ([a-z]+)", text(page)))
    assert named
    assert named <= targets


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))]
)
def test_every_link_leads_somewhere(page: str) -> None:
    """A link to a file of the repository finds it."""
    links = re.findall(r"\]\(([^)#:]+)\)", text(page))
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
