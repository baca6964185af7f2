"""What is in the two zips, byte for byte, and what never gets into them."""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import nbformat
import pytest

from autograder.errors import CourseError
from autograder.gradescope.contents import course_members, handout_members
from autograder.gradescope.folders import COURSE
from autograder.gradescope.otter_files import test_file as otter_test_file
from autograder.gradescope.package import Options, package

from .packages import (
    EXAMPLES,
    LEFT_OVER,
    ROOT,
    WHEEL,
    bundled,
    files_in,
    members,
    packable,
    prove_nothing,
)

OURS = f"""files/attention_autograder.ipynb not_graded.json otter_config.json package.json
requirements.txt run_autograder run_otter.py setup.sh {WHEEL}"""
OF_THE_DEMO = f"""{OURS}
course/assignments/demo/assignment.toml course/assignments/demo/conftest.py
course/assignments/demo/step1_double.py course/assignments/demo/step2_total.py
course/assignments/demo/test_public_double.py
course/solutions/demo/step1_double.py course/solutions/demo/step2_total.py
course/tests/demo/test_double.py course/tests/demo/test_total.py
tests/01_double.py tests/02_total.py"""
FOLDERS = ("assignments/demo", "solutions/demo", "tests/demo")
SELF_ATTENTION = "self_attention"
STUDENTS_PYTEST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # a student has no autograder
SAMPLES = ("examples/", "written_by_students/")


@pytest.fixture
def course(course, monkeypatch):
    """A course of this test's own that can be packaged; its proof is another test's business."""
    prove_nothing(monkeypatch)
    return packable(course)


@pytest.fixture
def made(course):
    """Package the course with some options; the members of its zip by name."""

    def make(**options) -> dict[str, bytes]:
        packaged = package(course.assignment, course.root / "dist", Options(**options))
        return members(packaged.autograder)

    return make


@pytest.fixture(scope="module")
def inside() -> dict[str, bytes]:
    """The bundled assignment's zip for Gradescope, by member."""
    return members(bundled() / "self_attention-autograder.zip")


@pytest.fixture(scope="module")
def handed_out() -> dict[str, bytes]:
    """The bundled assignment's zip for students, by member."""
    return members(bundled() / "self_attention-handout.zip")


def test_the_zip_holds_what_grading_needs_and_nothing_else(made):
    """The course without its examples, otter-grader's files, the framework, and ours."""
    assert sorted(made()) == sorted(OF_THE_DEMO.split())


def test_the_course_in_the_zip_is_the_course(inside):
    """Every file of the bundled assignment's three folders as it stands, but for samples."""
    expected = {}
    for folder in ("assignments", "solutions", "tests"):
        for name, data in files_in(ROOT / folder / SELF_ATTENTION).items():
            if not name.startswith(SAMPLES) and "__pycache__" not in name:
                expected[f"{COURSE}/{folder}/{SELF_ATTENTION}/{name}"] = data

    assert {name: data for name, data in inside.items() if name.startswith(COURSE)} == expected
    assert EXAMPLES.is_dir(), "the examples that are left out have moved"


def test_only_what_is_started_is_executable():
    """setup.sh and run_autograder; everything is a plain file, at the zip's root or below."""
    modes = {}
    for name in ("autograder", "handout"):
        with zipfile.ZipFile(bundled() / f"self_attention-{name}.zip") as archive:
            modes |= {info.filename: info.external_attr >> 16 for info in archive.infolist()}

    assert all(stat.S_ISREG(mode) for mode in modes.values())
    executable = sorted(name for name, mode in modes.items() if mode & 0o111)
    assert executable == ["run_autograder", "setup.sh"]
    assert {stat.S_IMODE(modes.pop(name)) for name in executable} == {0o755}
    assert {stat.S_IMODE(mode) for mode in modes.values()} == {0o644}


def test_what_systems_and_tools_leave_behind_stays_behind(course):
    """In none of the folders; so it changes no byte, no seed and no wheel."""
    before = course_members(course.assignment), handout_members(course.assignment)
    for folder in FOLDERS:
        for name in LEFT_OVER.split():
            course.write(f"{folder}/{name}", "left over")

    after = course_members(course.assignment), handout_members(course.assignment)

    assert after == before


def test_a_virtual_environment_stays_behind_whatever_it_is_called(course):
    """pyvenv.cfg tells it; thousands of files would travel, and links out of the course."""
    before = course_members(course.assignment), handout_members(course.assignment)
    for folder in FOLDERS:
        course.write(f"{folder}/mine/pyvenv.cfg", "home = /usr/bin\n")
        (course.root / folder / "mine" / "python").symlink_to(sys.executable)

    assert (course_members(course.assignment), handout_members(course.assignment)) == before


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", "deeper/.editorconfig"])
def test_a_hidden_file_that_a_person_writes_is_handed_out(course, name):
    """Few are; every other hidden file may be a tool's, or hold a secret."""
    course.write(f"assignments/demo/{name}", "written")

    assert f"demo/{name}" in handout_members(course.assignment)


def make_odd(kind: str, path: Path) -> None:
    """Put something at `path` that does not travel in a zip."""
    if kind == "link to a file":
        path.symlink_to(EXAMPLES / "expected-grades.csv")
    elif kind == "link to a folder":
        path.symlink_to(EXAMPLES)
    elif kind == "link to nothing":
        path.symlink_to(path.with_name("nothing"))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        server = socket.socket(socket.AF_UNIX)
        os.chdir(path.parent)  # a socket's name is short
        server.bind(path.name)
        server.close()


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize(
    "kind", ["link to a file", "link to a folder", "link to nothing", "pipe", "socket"]
)
def test_what_does_not_travel_in_a_zip_is_refused(course, monkeypatch, folder, kind):
    """It is neither followed, nor waited for, nor left out unsaid."""
    monkeypatch.chdir(course.root)
    odd = course.root / folder / "odd"
    make_odd(kind, odd)

    with pytest.raises(CourseError) as caught:
        course_members(course.assignment)

    assert caught.value.where == str(odd)
    assert caught.value.problem.startswith("expected a file that travels in a zip, got ")
    assert caught.value.undone == "Nothing was packaged."


def test_a_shared_conftest_travels_unless_it_is_a_link(course):
    """The graders' common fixtures belong to the course; another file's content does not."""
    course.write("tests/conftest.py", "shared = 1\n")
    assert course_members(course.assignment)["course/tests/conftest.py"].data == b"shared = 1\n"

    course.write("private.py", "private = 1\n")
    (course.root / "tests/conftest.py").unlink()
    (course.root / "tests/conftest.py").symlink_to(course.root / "private.py")

    with pytest.raises(CourseError, match="got a link"):
        course_members(course.assignment)


def test_a_link_in_an_example_is_none_of_the_packages_business(course):
    """Examples stay at home, whatever is in them."""
    (course.assignment.examples / "odd/link").symlink_to("/nowhere")

    assert not [name for name in course_members(course.assignment) if "examples" in name]


def test_a_name_that_is_no_text_is_refused(course):
    """A zip's names are UTF-8."""
    try:
        (course.root / "tests/demo" / os.fsdecode(b"odd\xff")).touch()
    except OSError:
        pytest.skip("this file system refuses such a name by itself")

    with pytest.raises(CourseError, match=r"got a name that is not UTF-8[\s\S]*rename it"):
        course_members(course.assignment)


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_the_scripts_are_bash(inside, tmp_path, name):
    """It can read them, and shellcheck, where there is one, has nothing to say."""
    script = tmp_path / name
    script.write_bytes(inside[name])

    checks = [["bash", "-n", script]]
    if shutil.which("shellcheck"):
        checks.append(["shellcheck", script])
    for check in checks:
        run = subprocess.run(check, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_image_takes_pips_own_index(inside):
    """No script, no requirement and no configuration names one, or any other address."""
    texts = ("setup.sh", "run_autograder", "requirements.txt", "run_otter.py", "otter_config.json")

    for name in texts:
        assert b"://" not in inside[name], name
        assert b"index" not in inside[name], name


def test_the_handout_zip_is_the_handout(handed_out):
    """Every file of the folder as it stands, in one folder of the assignment's name."""
    folder = ROOT / "assignments" / SELF_ATTENTION
    kept = {name: data for name, data in files_in(folder).items() if "_cache" not in name}

    assert handed_out == {
        f"{SELF_ATTENTION}/{name}": data for name, data in kept.items() if "pycache" not in name
    }


def solution_lines() -> set[str]:
    """Every line of the references that stubs are cut of, but for comments."""
    found = set()
    for path in (ROOT / "solutions" / SELF_ATTENTION).glob("*.py"):
        for block in re.findall(r"# BEGIN SOLUTION\n(.*?)# END SOLUTION", path.read_text(), re.S):
            found |= {line.partition("#")[0].strip() for line in block.splitlines()}
    return {line for line in found if line}


def test_no_line_of_a_solution_or_a_hidden_grader_is_handed_out(handed_out):
    """Neither as a line of a file, nor a hidden check by its name."""
    lines = {
        line.partition("#")[0].strip()
        for data in handed_out.values()
        for line in data.decode().splitlines()
    }
    text = "\n".join(data.decode() for data in handed_out.values())
    graders = (ROOT / "tests" / SELF_ATTENTION).glob("test_*.py")
    checks = [name for path in graders for name in re.findall(r"def (test_\w+)", path.read_text())]

    assert len(solution_lines()) >= 6
    assert not solution_lines() & lines
    assert "BEGIN SOLUTION" not in text
    assert len(checks) >= 20
    assert [name for name in checks if re.search(rf"\b{name}\b", text)] == []


def students_pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    """`python -m pytest` in a folder, as a student types it."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, **STUDENTS_PYTEST},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_student_can_run_the_public_checks_of_the_handout(tmp_path):
    """Before any work every step fails with its number and name, none with an error; with the
    references in their place all pass."""
    with zipfile.ZipFile(bundled() / "self_attention-handout.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / SELF_ATTENTION

    untouched = students_pytest(folder)

    assert untouched.returncode == 1, untouched.stdout
    assert re.search(r"\d+ failed", untouched.stdout)
    assert "passed" not in untouched.stdout.splitlines()[-1]
    assert "error" not in untouched.stdout.splitlines()[-1]
    for path in sorted((ROOT / "solutions" / SELF_ATTENTION).glob("step*.py")):
        number = re.findall(r"\d+", path.name)[0]
        assert re.search(rf"step {number}\b", untouched.stdout), path.name
        shutil.copy(path, folder)
    done = students_pytest(folder)
    assert done.returncode == 0, done.stdout


def test_an_otter_test_file_tests_nothing(course):
    """It is Python whatever a title holds, it has the question's name and points, and each of its
    cases fails: a verdict that does not arrive earns nothing."""
    title = 'A "title" \\ """ {name!r} {points} with\na line and an ünusual √'
    for extra in (False, True):
        question = msgspec.structs.replace(
            course.assignment.manifest.questions[0], title=title, extra=extra
        )
        space = {}

        exec(otter_test_file(question), space)

        assert (space["OK_FORMAT"], space["name"]) == (False, "double")
        assert space["points"] == (0 if extra else 40)
        for case in (space["public_checks"], space["hidden_checks"]):
            with pytest.raises(RuntimeError, match="our fault, not yours"):
                case.test_func()


def test_the_notebook_does_nothing(inside):
    """It is a valid one, without a cell."""
    notebook = nbformat.reads(inside["files/attention_autograder.ipynb"].decode(), as_version=4)

    nbformat.validate(notebook)
    assert notebook.cells == []


def otters_own(tmp_path) -> dict[str, bytes]:
    """What `otter generate` makes of nothing."""
    from otter.generate import main as generate

    (tmp_path / "tests").mkdir()
    made = tmp_path / "otter.zip"
    words = {"tests_dir": str(tmp_path / "tests"), "output_path": str(made)}
    generate(**words, no_config=True, no_requirements=True, no_environment=True)
    return members(made)


def test_with_conda_the_setup_is_otters_own(made, tmp_path):
    """Its setup.sh and run_autograder as they are, our wheel in its environment, our program."""
    ours, conda, otters = made(), made(conda=True), otters_own(tmp_path)

    for name in ("setup.sh", "run_autograder"):
        assert conda[name] == otters[name]
        assert ours[name] != otters[name]
    assert "requirements.txt" not in conda
    environment = conda["environment.yml"].decode()
    without_ours, count = re.subn(rf"\n +- /autograder/source/{re.escape(WHEEL)}$", "", environment)
    assert (without_ours.strip(), count) == (otters["environment.yml"].decode().strip(), 1)
    assert conda["run_otter.py"] == ours["run_otter.py"] != otters["run_otter.py"]
    compile(ours["run_otter.py"], "run_otter.py", "exec")
