"""An assignment in PyTorch: where its image finds a CPU build, or why it is not packaged."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import msgspec
import pytest

from autograder.errors import CourseError, UsageError
from autograder.gradescope.package import Options, package
from autograder.gradescope.requirements import torch_index, torch_requirement
from autograder.gradescope.scripts import scripts
from autograder.manifest import Assignment
from autograder.manifest.schema import Gradescope

from .packages import ROOT, members, packable, prove_nothing

INDEX = "https://wheels.example/whl/cpu"
OTHER = "https://other.example/cpu"
NO_ADDRESS = ["wheels.example/cpu", "torch", "--pre", "https://", f"{INDEX} --pre", f"{INDEX}\nx"]
HOSTILE = [
    "https://wheels.example/'$(touch${IFS}run)'",
    'https://wheels.example/";touch${IFS}run;"',
    "https://user:pass$word@wheels.example/`touch${IFS}run`",
    "https://wheels.example/{{venv}}/{%raw%}&touch${IFS}run#",
    "file:///wheels\\",
]


@pytest.fixture
def course(course, monkeypatch):
    """A course of this test's own that can be packaged; its proof is another test's business."""
    prove_nothing(monkeypatch)
    return packable(course)


def in_torch(assignment: Assignment, torch_index: str = "") -> Assignment:
    """The assignment as one in PyTorch, which no assignment.toml can be yet."""
    manifest = msgspec.structs.replace(
        assignment.manifest,
        packages=["numpy", "torch"],
        gradescope=Gradescope("checks", torch_index),
    )
    return Assignment(manifest, assignment.handout, assignment.solutions, assignment.graders)


def packaged(course, option: str = "", key: str = "", **options) -> dict[str, bytes]:
    """The members of the zip of the course's assignment, as one in PyTorch."""
    chosen = Options(torch_index=option, **options)
    return members(
        package(in_torch(course.assignment, key), course.root / "dist", chosen).autograder
    )


def test_without_an_index_it_is_refused_with_the_reason(course):
    """pip's default would give the image gigabytes that no grader there can use."""
    with pytest.raises(CourseError) as caught:
        packaged(course)

    assert caught.value.exit_code == 1
    assert str(caught.value) == (
        f"demo uses torch: expected a package index with a CPU build of {torch_requirement()}, got "
        "none: from pip's default index the image would get a CUDA build of several gigabytes\n"
        "Fix: name it with --torch-index URL, or `torch_index` under [gradescope] in "
        "assignment.toml. Nothing was packaged."
    )
    assert not (course.root / "dist").exists()


@pytest.mark.parametrize(
    ("option", "key", "expected"),
    [(INDEX, "", INDEX), ("", INDEX, INDEX), (INDEX, OTHER, INDEX), (INDEX, "no address", INDEX)],
)
def test_the_option_wins_over_the_manifest(course, option, key, expected):
    """Each of them is enough."""
    assert torch_index(in_torch(course.assignment, key), option) == expected


@pytest.mark.parametrize("text", NO_ADDRESS)
@pytest.mark.parametrize("place", ["option", "key"])
def test_what_is_no_address_is_refused(course, place, text):
    """And named; pip would take some of it for an option."""
    words = {"option": "", "key": "", place: text}

    with pytest.raises(CourseError, match=re.escape(f"got {text!r}: from pip's default")):
        torch_index(in_torch(course.assignment, words["key"]), words["option"])


def test_an_assignment_without_torch_takes_no_index(course):
    """A usage error: the option would do nothing."""
    with pytest.raises(UsageError, match="demo does not use torch") as caught:
        torch_index(course.assignment, INDEX)

    assert caught.value.exit_code == 2
    assert torch_index(course.assignment, "") == ""


def test_the_index_stands_in_setup_alone(course):
    """And in no other member; the handout's zip has none of it either."""
    inside = packaged(course, INDEX)

    assert [name for name, data in inside.items() if INDEX.encode() in data] == ["setup.sh"]
    assert inside["setup.sh"].count(INDEX.encode()) == 1
    handed_out = members(course.root / "dist/demo-handout.zip")
    assert not any(INDEX.encode() in data for data in handed_out.values())


def test_torch_is_fetched_from_there_alone(course):
    """By that index, not beside pip's own, and without what a CUDA build would pull in."""
    (line,) = [
        line for line in packaged(course, INDEX)["setup.sh"].decode().splitlines() if INDEX in line
    ]

    assert line == f"install --no-deps --index-url {INDEX} {torch_requirement()}"


def test_what_torch_needs_is_pinned_and_hashed(course):
    """Beside everything that an assignment without torch has."""
    plain = members(package(course.assignment, course.root / "dist", Options()).autograder)

    torch = packaged(course, INDEX)

    def pins(inside: dict[str, bytes]) -> set[str]:
        text = inside["requirements.txt"].decode()
        assert not re.search(r"(?m)^torch\b", text), "torch has no hash to be checked by"
        return set(re.findall(r"(?m)^([a-z0-9.-]+==[^\s;]+)", text))

    assert {name.partition("==")[0] for name in pins(torch) - pins(plain)} >= {"sympy", "fsspec"}
    assert pins(torch) >= pins(plain)


def test_the_version_is_the_one_that_is_tested():
    """constraints.txt pins it for the tests."""
    constraints = (ROOT / "constraints.txt").read_text().splitlines()

    assert torch_requirement() in [line.partition(";")[0].strip() for line in constraints]


@pytest.mark.parametrize("index", HOSTILE)
def test_an_address_is_one_word_of_the_script(tmp_path, index):
    """Whatever it holds, the shell runs none of it."""
    script = scripts(index, "torch==1.0")["setup.sh"].data.decode()
    (line,) = [line for line in script.splitlines() if line.startswith("install --no-deps")]
    assert shlex.split(line)[2:] == ["--index-url", index, "torch==1.0"]
    show = 'install() { printf "%s\\n" "$@"; }\n'

    run = subprocess.run(
        ["bash", "-c", show + line], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert run.stdout.splitlines() == ["--no-deps", "--index-url", index, "torch==1.0"]
    assert list(tmp_path.iterdir()) == []


def test_the_script_is_bash(course, tmp_path):
    """With a part for torch as without."""
    script = Path(tmp_path, "setup.sh")
    script.write_bytes(packaged(course, HOSTILE[0])["setup.sh"])

    run = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr


def test_without_torch_no_line_is_about_it(course):
    """Neither in setup.sh nor in requirements.txt."""
    inside = members(package(course.assignment, course.root / "dist", Options()).autograder)

    for name in ("setup.sh", "requirements.txt"):
        assert b"torch" not in inside[name]


def test_with_conda_the_index_stands_in_its_environment(course):
    """otter-grader's setup.sh stays its own; pip is told in environment.yml."""
    inside = packaged(course, INDEX, conda=True)

    environment = inside["environment.yml"].decode()
    assert f"- --extra-index-url {INDEX}\n" in environment
    assert f"- {torch_requirement()}\n" in environment
    assert INDEX.encode() not in inside["setup.sh"]
