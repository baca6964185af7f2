"""A small course for each test that asks for one, and the real programs to grade it with.

It has one assignment, `demo`, of two steps: `double(x)`, and `total(x)`, which imports it. Its
handout and its examples hold files that leave a mark when anybody imports them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.manifest import Assignment, Course
from autograder.results import Check, Result
from autograder.sandbox import LINUX, Sandbox, Settings, open_sandbox
from autograder.session import with_graders
from autograder.submissions import Staged, find_submissions

from . import fuzzing  # noqa: F401  # makes a profile known before hypothesis is asked for it

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background
    signal.signal(signal.SIGINT, signal.default_int_handler)

MANIFEST = """
name = "demo"
title = "Two steps"
packages = ["numpy"]

[limits]
seconds = 5

[[questions]]
name = "double"
title = "Twice as much"
file = "step1_double.py"
functions = ["double"]
points = 40

[[questions]]
name = "total"
title = "All of it"
file = "step2_total.py"
functions = ["total"]
points = 60
needs = ["double"]
"""
DOUBLE = '''
def double(x):
    """Twice x.

    Args:
        x: (..., n), the numbers.

    Returns:
        (..., n), each of them doubled.
    """
    return 2 * x
'''
TOTAL = '''
import numpy as np

from step1_double import double


def total(x):
    """The sum of what `double` gives.

    Args:
        x: (..., n), the numbers.

    Returns:
        (...), one sum a row.
    """
    return np.sum(double(x), axis=-1)
'''
GRADER = """
import pytest

from autograder.grading import question, weight

pytestmark = question("{question}")


@weight(3)
@pytest.mark.parametrize("n", [3, 5])
def test_any_length(compare, rng, n):
    compare.{question}(rng.normal(size=(2, n)))
"""
PUBLIC = """
import numpy as np
import pytest

pytestmark = pytest.mark.question("double")


def test_on_paper(student):
    answer = student.double(np.ones(3))

    assert np.allclose(answer, 2), f"expected all 2, got {answer}"
"""
TELLTALE = "from pathlib import Path\n\nPath(__file__).with_suffix('.was_run').touch()\n"
FILES = {
    "assignments/demo/assignment.toml": MANIFEST,
    "assignments/demo/conftest.py": TELLTALE,
    "assignments/demo/test_public_double.py": PUBLIC,
    "solutions/demo/step1_double.py": DOUBLE,
    "solutions/demo/step2_total.py": TOTAL,
    "tests/demo/test_double.py": GRADER.format(question="double"),
    "tests/demo/test_total.py": GRADER.format(question="total"),
    "tests/demo/examples/conftest.py": TELLTALE,
    "tests/demo/examples/odd/conftest.py": TELLTALE,
    "tests/demo/examples/odd/test_odd.py": TELLTALE + "\n\ndef test_odd():\n    pass\n",
}
RIGHT = {"step1_double": DOUBLE, "step2_total": TOTAL}


@dataclass(frozen=True)
class DemoCourse:
    """The course at `root`; its class lies in `root/class`."""

    root: Path

    @property
    def assignment(self) -> Assignment:
        """`demo`, as its manifest says now."""
        return Course(self.root).assignment("demo")

    @property
    def submissions(self) -> Path:
        """Where `submit` puts them."""
        return self.root / "class"

    @property
    def was_run(self) -> list[str]:
        """The files that must never be imported and were."""
        return sorted(path.name for path in self.root.rglob("*.was_run"))

    def write(self, name: str, text: str) -> Path:
        """Write a file of the course."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def limit(self, **limits: float) -> None:
        """Set limits in the manifest."""
        lines = "".join(f"{name} = {value}\n" for name, value in limits.items())
        self.write("assignments/demo/assignment.toml", MANIFEST.replace("seconds = 5\n", lines))

    def grade_with(self, body: str, question: str = "double") -> None:
        """Put a hidden grader in the place of the course's own for one question."""
        head = (
            "import numpy as np\nimport pytest\n\nfrom autograder.grading import fresh, question\n"
        )
        mark = f'\npytestmark = question("{question}")\n'
        self.write(f"tests/demo/test_{question}.py", head + mark + body)

    def submit(self, name: str = "one", **steps: str | None) -> Path:
        """Hand in a right answer, but for these steps (module name → text, or None: missing)."""
        folder = self.submissions / name
        folder.mkdir(parents=True)
        for module, text in {**RIGHT, **steps}.items():
            if text is not None:
                (folder / f"{module}.py").write_text(text, encoding="utf-8")
        return folder

    def staged(self, path: Path) -> Staged:
        """The one submission at `path`, read."""
        files = [question.file for question in self.assignment.manifest.questions]
        (found,) = find_submissions(path, files).submissions
        return found.stage()

    def grade(self, path: Path, sandbox: Sandbox, *, seed: int = 0, keyword: str = "") -> Result:
        """Grade one submission in this process."""
        staged = self.staged(path)
        return with_graders(
            self.assignment,
            lambda graders: graders.grade(staged, sandbox, seed, "key"),
            keyword=keyword,
        )

    @staticmethod
    def checks(result: Result) -> dict[str, Check]:
        """A result's checks by name."""
        return {check.name: check for question in result.questions for check in question.checks}

    def python(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a Python program in the course's folder, as a person would."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def command(self, *arguments: object) -> list[str]:
        """The words of such a command."""
        return [sys.executable, *map(str, arguments)]

    def autograder(self, *arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the command line."""
        return self.python("-m", "autograder", *arguments, **env)

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        """Start the command line, and go on."""
        return subprocess.Popen(
            self.command("-m", "autograder", *arguments),
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def pytest(self, *arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
        """Run pytest over the hidden graders."""
        options = ("-p", "no:cacheprovider", "--color=no", "tests/demo")
        return self.python("-m", "pytest", *options, *arguments, **env)


@pytest.fixture(scope="session")
def new_course() -> Callable[[Path], DemoCourse]:
    """Make a course in an empty folder."""

    def make(root: Path) -> DemoCourse:
        course = DemoCourse(root)
        for name, text in FILES.items():
            course.write(name, text)
        return course

    return make


@pytest.fixture
def course(tmp_path: Path, new_course: Callable[[Path], DemoCourse]) -> DemoCourse:
    """A course of this test's own."""
    return new_course(tmp_path / "course")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One base process for all tests that grade in this process."""
    opened = open_sandbox(Settings())
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def processes_of() -> Callable[[int], dict[int, str]]:
    """The processes that one has started and that still run: pid → command."""
    if not LINUX:
        pytest.skip("looks into /proc")

    def look(parent: int) -> dict[int, str]:
        found = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, ppid = stat.read_text().rpartition(")")[2].split()[:2]
                if int(ppid) == parent and state != "Z":
                    command = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(stat.parent.name)] = command.decode()
        return found

    return look


@pytest.fixture(scope="session")
def wait_for() -> Callable[[Callable[[], object]], None]:
    """Wait until something has happened; what never does fails the test."""

    def wait(condition: Callable[[], object], seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.01)

    return wait
