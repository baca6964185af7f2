"""`autograder package` as it is typed: what it writes, what it refuses, and what it says."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.gradescope.folders import PLUGIN, About
from autograder.gradescope.package import Options, package
from autograder.gradescope.report import not_graded, report_of
from autograder.gradescope.spec import Report, Row

from .packages import members, packable, prove_nothing

AUTOGRADER, HANDOUT = "demo-autograder.zip", "demo-handout.zip"
REASON = "The course's staff has read the graders."
STUB, SOLUTION = "assignments/demo/step1_double.py", "solutions/demo/step1_double.py"
GRADER = "tests/demo/test_double.py"
GRADERS = {
    "fails the reference": "assert student.double(np.ones(1))[0] == 7, 'Not seven. Why?'",
    "gives points to the stub": "pass",
    "is broken": "{}['a key']",
    "cannot be collected": "return return",
}
REFUSED = {
    # what is wrong → exit code, what is said
    "a stale handout": (1, f"{STUB}:11: differs from the stub that"),
    "a grader that fails the reference": (1, "double/ours: fails the reference: Not seven. Why?"),
    "a grader that gives points to the stub": (1, "double/ours: gives 20 points to the untouched"),
    "a grader that is broken": (1, "double/ours: is broken for the reference: KeyError: 'a key'"),
    "a grader that cannot be collected": (1, f"{GRADER}\n"),
    "a manifest with a mistake": (1, "assignment.toml: expected TOML, got:"),
    "an option of otter-grader's that has no use": (1, "tests/demo/otter_config.json: expected"),
    "a reference that is missing": (1, "step1_double.py: there is no such file"),
    "an unknown assignment": (2, "choose one of: demo."),
    "a course that is none": (2, "expected a folder that holds assignments"),
    "an index for torch without torch": (2, "demo does not use torch"),
}
OPTIONS = {
    "a course that is none": ("demo", "--course", "tests"),
    "an unknown assignment": ("dmeo",),
    "an index for torch without torch": ("demo", "--torch-index", "https://wheels.example/cpu"),
}


def break_it(course, how: str) -> None:
    """Do to the course what a key of REFUSED names."""
    grader = how.removeprefix("a grader that ")
    if how == "a stale handout":
        course.write(STUB, (course.root / STUB).read_text() + "# edited\n")
    elif how == "a manifest with a mistake":
        course.write("assignments/demo/assignment.toml", "name = ")
    elif how == "a reference that is missing":
        (course.root / SOLUTION).unlink()
    elif how == "an option of otter-grader's that has no use":
        course.write("tests/demo/otter_config.json", '{"autograder_dir": "/elsewhere"}')
    elif grader in GRADERS:
        course.grade_with(f"\n\ndef test_ours(student):\n    {GRADERS[grader]}\n")


@pytest.fixture
def course(course):
    """A course of this test's own that can be packaged."""
    return packable(course)


def dist(course) -> dict[str, bytes]:
    """What lies in the course's dist, hidden files as well."""
    return {path.name: path.read_bytes() for path in (course.root / "dist").iterdir()}


def keep_older(course) -> dict[str, bytes]:
    """Put two zips of an earlier day into dist."""
    for name in (AUTOGRADER, HANDOUT):
        course.write(f"dist/{name}", f"older {name}")
    return dist(course)


def test_both_zips_are_written_and_it_is_said_what_they_are_for(course):
    """Exit 0, the two files and no other one, and their names and uses on the screen."""
    before = sorted(path for path in course.root.rglob("*") if "__pycache__" not in path.parts)

    run = course.autograder("package", "demo")

    assert run.returncode == 0, run.stderr
    assert "demo: handout fresh, the reference has full marks, stubs have 0\n" in run.stdout
    assert f"dist/{AUTOGRADER} (" in run.stdout
    assert "kB): upload it\n" in run.stdout
    assert "kB): hand it out\n" in run.stdout
    assert "\nset on Gradescope: autograder points 100, base image Ubuntu 22.04, " in run.stdout
    assert dist(course).keys() == {AUTOGRADER, HANDOUT}
    for made in ("dist", ".autograder"):  # the zips, and what was proved
        shutil.rmtree(course.root / made)
    after = sorted(path for path in course.root.rglob("*") if "__pycache__" not in path.parts)
    assert after == before
    assert course.was_run == [], "a conftest.py of the handout's or of an example's was imported"


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_is_wrong_is_said_and_nothing_is_written(course, wrong):
    """One message that names it, no traceback, and the older zips as they were."""
    status, said = REFUSED[wrong]
    break_it(course, wrong)
    older = keep_older(course)

    run = course.autograder("package", *OPTIONS.get(wrong, ("demo",)))

    assert run.returncode == status
    assert said in run.stderr
    assert run.stderr.endswith(" Nothing was packaged.\n")
    assert "Traceback" not in run.stderr
    assert "wrote" not in run.stdout
    assert dist(course) == older


def test_nothing_is_written_where_there_was_nothing(course, monkeypatch):
    """Not even the folder."""
    prove_nothing(monkeypatch, "a check fails the reference")

    with pytest.raises(CourseError, match=r"--unproved REASON.*Nothing was packaged\.$"):
        package(course.assignment, course.root / "dist", Options())

    assert not (course.root / "dist").exists()


def test_with_a_reason_it_is_written_and_what_is_not_proved_is_said(course):
    """Everything that is wrong, not the first alone; the reason stands in package.json, and in the
    report that stands before anything is graded."""
    break_it(course, "a grader that fails the reference")
    break_it(course, "a stale handout")

    run = course.autograder("package", "demo", "--unproved", REASON)

    assert run.returncode == 0, run.stderr
    assert f"NOT PROVED: {course.root.resolve() / STUB}:11: differs" in run.stdout
    assert "NOT PROVED: tests/demo: double/ours: fails the reference" in run.stdout
    assert "full marks" not in run.stdout
    assert dist(course).keys() == {AUTOGRADER, HANDOUT}
    inside = members(course.root / "dist" / AUTOGRADER)

    assert json.loads(inside["package.json"])["unproved"] == REASON
    assert json.loads(inside["not_graded.json"])["extra_data"]["unproved"] == REASON


@pytest.mark.parametrize("otter", [None, "silent", "with rows"])
def test_the_reason_stands_in_every_report(course, sandbox, otter):
    """Whatever otter-grader made of it, and whoever's rows are shown."""
    result = course.grade(course.submit(), sandbox)
    manifest = course.assignment.manifest
    about = About(assignment="demo", seed=7, framework="1", unproved=REASON)
    rows = [Row(name=question.name, score=0.0) for question in manifest.questions]
    said = {None: None, "silent": Report(tests=[]), "with rows": Report(tests=rows)}[otter]

    report = report_of(result, manifest, about, otter=said, otter_config={"plugins": [PLUGIN]})

    assert report.extra_data["unproved"] == REASON
    assert not_graded(manifest, about).extra_data["unproved"] == REASON


def test_a_reason_that_was_not_needed_is_not_kept(course, monkeypatch):
    """It is said, and the zips are those of a proved assignment."""
    prove_nothing(monkeypatch)
    package(course.assignment, course.root / "without", Options())

    packaged = package(course.assignment, course.root / "dist", Options(unproved=REASON))

    remark = packaged.remarks[-1]
    assert remark.startswith("--unproved was not needed")
    for name, data in dist(course).items():
        assert data == (course.root / "without" / name).read_bytes()


@pytest.mark.parametrize("reason", ["", "   ", "\t\n", "\x1b\x07", "\udcff\udcfe"])
def test_a_reason_without_a_word_is_none(course, monkeypatch, reason):
    """Who says nothing is refused as if the option were not there."""
    prove_nothing(monkeypatch, "a check fails the reference")

    with pytest.raises(CourseError, match="a check fails the reference"):
        package(course.assignment, course.root / "dist", Options(unproved=reason))

    assert not (course.root / "dist").exists()


def test_a_reason_is_one_readable_line(course, monkeypatch):
    """Whatever a terminal put into it, and however long it is."""
    prove_nothing(monkeypatch, "a check fails the reference")
    reason = "Read by hand,\n\x1b[31mtwice\udcff. " + "And again. " * 1000

    package(course.assignment, course.root / "dist", Options(unproved=reason))

    kept = json.loads(members(course.root / "dist" / AUTOGRADER)["package.json"])["unproved"]
    assert kept.startswith("Read by hand, [31mtwice. And again.")
    assert len(kept) <= 500


def test_weak_isolation_is_only_allowed_where_it_was_asked_for(course, monkeypatch):
    """The zip says so to the machine that grades."""
    prove_nothing(monkeypatch)

    kept = []
    for allow in (False, True):
        package(course.assignment, course.root / "dist", Options(allow_weak=allow))
        kept.append(json.loads(members(course.root / "dist" / AUTOGRADER)["package.json"]))

    assert [one["allow_weak"] for one in kept] == [False, True]


def test_more_seconds_than_the_platform_gives_are_said(course, monkeypatch):
    """The manifest may ask for more; there it does not get them."""
    prove_nothing(monkeypatch)
    course.limit(total_seconds=900)

    packaged = package(course.assignment, course.root / "dist", Options())

    remark = packaged.remarks[0]
    assert remark.startswith("total_seconds is 900; on Gradescope student code gets 300 seconds")


def test_more_memory_than_a_default_container_holds_is_said(course, monkeypatch):
    """A worker within such a limit could have the container killed; both numbers are named, and
    what to choose. The default limit is no more than it holds."""
    prove_nothing(monkeypatch)
    course.limit(memory_mb=512)
    default = package(course.assignment, course.root / "dist", Options())
    course.limit(memory_mb=1024)

    packaged = package(course.assignment, course.root / "dist", Options())

    assert not [remark for remark in default.remarks if "memory_mb" in remark]
    (remark,) = [remark for remark in packaged.remarks if "memory_mb" in remark]
    assert remark.startswith("memory_mb is 1024, and the grader needs about 256 MB beside it")
    assert "default container has 768 MB. Choose one with at least 1280 MB" in remark


@pytest.mark.parametrize(("enabled", "said"), [("true", 1), ("false", 0)])
def test_the_memory_of_a_single_question_counts_where_it_is_graded(
    course, monkeypatch, enabled, said
):
    """One that is switched off is not run on Gradescope."""
    prove_nothing(monkeypatch)
    lines = f"enabled = {enabled}\nlimits = {{ memory_mb = 600 }}\npoints = 60"
    manifest = course.root / "assignments/demo/assignment.toml"
    manifest.write_text(manifest.read_text().replace("points = 60", lines))

    packaged = package(course.assignment, course.root / "dist", Options())

    assert sum("memory_mb is 600" in remark for remark in packaged.remarks) == said


@pytest.mark.parametrize(
    ("line", "config", "points"),
    [
        ("points = 60", "{}", "100"),
        ("points = 2.5", "{}", "42.5"),
        ("points = 60\nextra = true", "{}", "40"),
        ("points = 60\nenabled = false", "{}", "40"),
        ("points = 60", '{"points_possible": 12.5}', "12.5"),
    ],
)
def test_the_points_to_set_on_gradescope_are_said(course, monkeypatch, line, config, points):
    """Of what is graded, without extra credit; otter-grader's total where it scales."""
    prove_nothing(monkeypatch)
    manifest = course.root / "assignments/demo/assignment.toml"
    manifest.write_text(manifest.read_text().replace("points = 60", line))
    course.write("tests/demo/otter_config.json", config)

    packaged = package(course.assignment, course.root / "dist", Options())

    assert packaged.settings.startswith(f"autograder points {points}, ")


SILENT = "no public check in total: students see no check of it at once; hidden checks are "


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("now", []),
        ("after_due_date", [f"{SILENT}shown after the due date."]),
        ("after_published", [f"{SILENT}shown once grades are published."]),
        ("never", [f"{SILENT}not shown."]),
    ],
)
def test_a_question_without_a_public_check_is_named(course, monkeypatch, setting, said):
    """Its students see no check before then; where hidden points show at once nothing is said."""
    prove_nothing(monkeypatch)
    manifest = course.root / "assignments/demo/assignment.toml"
    feedback = f'[feedback]\nhidden_points = "{setting}"\n\n[limits]'
    manifest.write_text(manifest.read_text().replace("[limits]", feedback))

    packaged = package(course.assignment, course.root / "dist", Options())

    assert packaged.remarks == said


def test_where_every_question_has_a_public_check_nothing_is_said_of_that(course, monkeypatch):
    """The bundled assignment is such a one."""
    prove_nothing(monkeypatch)
    check = (course.root / "assignments/demo/test_public_double.py").read_text()
    other = check.replace("double(np.ones(3))", "total(np.ones(2))").replace('"double"', '"total"')
    course.write("assignments/demo/test_public_total.py", other.replace("on_paper", "of_two"))

    assert package(course.assignment, course.root / "dist", Options()).remarks == []


def test_an_output_folder_that_is_none_is_said(course):
    """Exit 1, and where it could not be written; the file in its place is untouched."""
    course.write("a_file", "a file")

    run = course.autograder("package", "demo", "--out", "a_file")

    assert run.returncode == 1
    assert run.stderr.startswith(f"a_file/{AUTOGRADER}: could not be written: ")
    assert "Nothing was packaged" in run.stderr
    assert (course.root / "a_file").read_text() == "a file"


@pytest.mark.parametrize("name", [AUTOGRADER, HANDOUT])
def test_a_folder_in_the_place_of_a_zip_is_said(course, monkeypatch, name):
    """And the other zip is not written either."""
    prove_nothing(monkeypatch)
    (course.root / "dist" / name).mkdir(parents=True)

    with pytest.raises(CourseError, match=f"{name}: expected a zip or nothing, got a folder"):
        package(course.assignment, course.root / "dist", Options())

    assert [path.name for path in (course.root / "dist").iterdir()] == [name]


MEANWHILE = {
    # what is edited → its file
    "a grader": GRADER,
    "a new grader": "tests/demo/test_more.py",
    "what all graders share": "tests/conftest.py",
    "a mistake": "tests/demo/mistakes.py",
    "a grader's data": "tests/demo/data.json",
    "a reference": SOLUTION,
    "a stub": STUB,
    "the manifest": "assignments/demo/assignment.toml",
    "a page of the handout": "assignments/demo/README.md",
}


@pytest.mark.parametrize("reason", ["", REASON])
@pytest.mark.parametrize("what", MEANWHILE)
def test_what_is_edited_between_the_proof_and_the_zip_is_refused(course, monkeypatch, what, reason):
    """Nothing is packaged that was not proved, or whose problems were not said."""
    path = course.root / MEANWHILE[what]
    older = keep_older(course)

    def proves(assignment):
        text = path.read_text() if path.exists() else ""
        course.write(MEANWHILE[what], f"{text}\n# edited\n")
        return []

    monkeypatch.setattr("autograder.gradescope.package.prove", proves)

    with pytest.raises(CourseError) as caught:
        package(course.assignment, course.root / "dist", Options(unproved=reason))

    expected = f"expected the files that were proved, got others: meanwhile {MEANWHILE[what]} chan"
    assert caught.value.problem.startswith(expected)
    assert caught.value.undone == "Nothing was packaged."
    assert dist(course) == older


def test_a_grader_that_goes_between_the_proof_and_the_zip_is_refused(course, monkeypatch):
    """The zip would hold one that is not there any more; all that changed is counted."""

    def proves(assignment):
        for name in (GRADER, SOLUTION):
            (course.root / name).unlink()
        return []

    monkeypatch.setattr("autograder.gradescope.package.prove", proves)

    with pytest.raises(CourseError, match=f"meanwhile {SOLUTION}, and 1 more changed"):
        package(course.assignment, course.root / "dist", Options())


def test_a_framework_that_changes_between_the_proof_and_the_zip_is_refused(course, monkeypatch):
    """It is packaged too, and decides verdicts."""
    prove_nothing(monkeypatch)
    keys = iter(["before", "after"])
    monkeypatch.setattr("autograder.gradescope.contents.content_key", lambda _: next(keys))

    with pytest.raises(CourseError, match="meanwhile the framework changed"):
        package(course.assignment, course.root / "dist", Options())


@contextlib.contextmanager
def small_disk(at: Path, size: int) -> Iterator[None]:
    """A disk of `size` bytes at a folder; skips where none can be mounted."""
    at.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "small", str(at)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", str(at)], check=True)


@pytest.fixture
def large(course, monkeypatch):
    """A course with a large handout, and the sizes of its two zips."""
    with monkeypatch.context() as patch:
        prove_nothing(patch)
        course.write("assignments/demo/data.txt", os.urandom(100_000).hex())
        package(course.assignment, course.root / "measured", Options())
    sizes = {path.name: path.stat().st_size for path in (course.root / "measured").iterdir()}
    return course, sizes


@pytest.mark.parametrize("room_for", ["none", "one of two"])
def test_a_full_disk_leaves_the_older_zips_as_they_were(large, monkeypatch, room_for):
    """Both of them, also where one new zip would have had room: they belong together."""
    course, sizes = large
    prove_nothing(monkeypatch)
    size = {"none": 40_000, "one of two": sizes[AUTOGRADER] + sizes[HANDOUT] // 2}[room_for]

    with small_disk(course.root / "dist", size):
        older = keep_older(course)
        with pytest.raises(CourseError, match="could not be written: No space left on device"):
            package(course.assignment, course.root / "dist", Options())
        left = dist(course)

    assert left == older


def test_a_full_disk_is_said_on_the_command_line(large):
    """Exit 1 and no traceback."""
    course, _ = large

    with small_disk(course.root / "dist", 40_000):
        run = course.autograder("package", "demo")

    assert run.returncode == 1
    assert f"dist/{AUTOGRADER}: could not be written: No space left on device" in run.stderr
    assert "Traceback" not in run.stderr


def test_two_builds_are_byte_identical(course, tmp_path):
    """On another day, in another folder, with other permissions, in another place, tongue and time
    zone, with another hash seed: the same course gives the same two zips."""
    other = tmp_path / "other" / "place"
    shutil.copytree(course.root, other)
    for number, path in enumerate(sorted(other.rglob("*"), reverse=True)):
        os.utime(path, (number * 86_400, number * 86_400))
        path.chmod(0o700)
    elsewhere = tmp_path / "elsewhere"
    info = elsewhere / "attention_autograder.egg-info"
    info.mkdir(parents=True)
    (info / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: attention-autograder\n")
    command = [sys.executable, "-m", "autograder", "package", "demo", "--out"]
    plain = {**os.environ, "PYTHONHASHSEED": "1", "TZ": "UTC"}
    odd = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONUTF8": "0"}
    out = [tmp_path / "one", tmp_path / "two"]
    builds = [
        subprocess.Popen([*command, out[0]], cwd=course.root, env=plain, umask=0o022),
        subprocess.Popen(
            [*command, out[1], "--course", other],
            cwd=elsewhere,
            env={**os.environ, **odd},
            umask=0o077,
        ),
    ]

    assert [build.wait(timeout=120) for build in builds] == [0, 0]
    for name in (AUTOGRADER, HANDOUT):
        assert (out[0] / name).read_bytes() == (out[1] / name).read_bytes()


def test_the_seed_is_the_courses_own(course, monkeypatch):
    """Drawn from what is packaged: another grader or solution gives other inputs, another day does
    not; and nobody who has the handout alone can read it there."""
    prove_nothing(monkeypatch)

    def seed() -> int:
        package(course.assignment, course.root / "dist", Options())
        return json.loads(members(course.root / "dist" / AUTOGRADER)["package.json"])["seed"]

    first = seed()
    assert seed() == first
    handed_out = members(course.root / "dist" / HANDOUT).values()
    assert not any(str(first).encode() in data for data in handed_out)
    grader = course.root / GRADER
    course.write(GRADER, grader.read_text() + "# edited\n")
    second = seed()
    solution = course.root / SOLUTION
    course.write(SOLUTION, solution.read_text().replace("2 * x", "x + x"))
    assert len({first, second, seed()}) == 3


def test_the_help_shows_an_example(course):
    """As every command's does."""
    run = course.autograder("package", "--help")

    assert "example: autograder package self_attention" in run.stdout


@pytest.mark.parametrize("folder", ["assignments/demo", "solutions", "tests/demo/zips"])
def test_no_package_lies_among_the_courses_files(course, folder):
    """It would be handed out, or uploaded, with the next one."""
    run = course.autograder("package", "demo", "--out", folder)

    assert run.returncode == 2
    assert "choose another folder with --out" in run.stderr
    assert not list(course.root.rglob("*.zip"))


def test_an_archive_is_not_handed_out(course):
    """Nobody looks into it."""
    course.write("assignments/demo/old.zip", "whatever it holds")

    run = course.autograder("package", "demo")

    assert run.returncode == 1
    assert "old.zip: is an archive" in run.stderr
