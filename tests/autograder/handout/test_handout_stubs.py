"""Solution → stub, and whether the stubs that stand are fresh."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
import textwrap

import pytest

from autograder.errors import CourseError
from autograder.handout import check_handout, cut_stub, stale_problems, write_handout


def cut(solution: str, step: int = 3) -> str:
    return cut_stub(textwrap.dedent(solution), step, "solutions/small/step3.py")


def test_a_block_becomes_the_error_that_names_step_and_function(sample):
    """Signature, docstring and imports stay; the work is gone, and its comments with it."""
    text = (sample.handout / "step1_scaling.py").read_text(encoding="utf-8")

    assert text == textwrap.dedent('''\
        """Step 1: scaling."""

        import math


        def scale_scores(scores, d_k):
            """Divide by √d_k.

            Args:
                scores: (..., n_q, n_k).
            """
            raise NotImplementedError("step 1: scale_scores")
        ''')


def test_calling_a_stub_raises_the_error_that_names_the_step(sample):
    """A student who has written nothing reads which step is missing, not a None."""
    namespace = runpy.run_path(str(sample.handout / "step1_scaling.py"))

    with pytest.raises(NotImplementedError, match=r"^step 1: scale_scores$"):
        namespace["scale_scores"](1.0, 4)


def test_the_error_names_the_outermost_function_or_the_method():
    """A block inside a helper belongs to the function that students know by name."""
    stub = cut("""
        class Block:
            class Inner:
                async def forward(self, x):
                    # BEGIN SOLUTION
                    return x
                    # END SOLUTION

        def outer():
            def helper():
                # BEGIN SOLUTION
                return 1
                # END SOLUTION
            return helper
    """)

    assert '        raise NotImplementedError("step 3: Block.Inner.forward")' in stub
    assert '        raise NotImplementedError("step 3: outer")' in stub


def test_only_an_ellipsis_that_is_a_statement_of_a_function_is_replaced():
    """Dots in a docstring, annotation, slice, assignment or class body mean themselves."""
    kept = textwrap.dedent('''\
        from typing import Protocol

        class Layer(Protocol):
            def __call__(self, x: tuple[float, ...]) -> float: ...

        class Empty:
            ...

        def rows(x):
            """Take x[..., 0].

            ...
            """
            y = ...
            first = x[..., 0]
    ''')
    block = "    # BEGIN SOLUTION\n    return first\n    # END SOLUTION\n"

    stub = cut_stub(kept + block, 3, "step3.py")

    assert stub == kept + '    raise NotImplementedError("step 3: rows")\n'


def test_markers_of_every_kind_are_cut_as_otter_cuts_them():
    """A marked line leaves its target, a block without prompt leaves nothing, a prompt stays."""
    stub = cut('''
        def f(x):
            y = x + 1  # SOLUTION
            # BEGIN SOLUTION NO PROMPT
            z = y * 2
            # END SOLUTION
            w = z  # SOLUTION NO PROMPT
            """ # BEGIN PROMPT
            z = None  # your turn
            """ # END PROMPT
            return z  # SOLUTION
    ''')

    assert stub == textwrap.dedent("""\
        def f(x):
            y = ...
            z = None  # your turn
            raise NotImplementedError("step 3: f")
        """)


def test_neighbouring_prompts_raise_once():
    """Three marked lines in a row are one thing to do."""
    stub = cut("""
        def f(x):
            print(x)  # SOLUTION
            print(x, x)  # SOLUTION
            return x  # SOLUTION
    """)

    assert stub.count("NotImplementedError") == 1


def test_blank_lines_are_tidied():
    """What was cut leaves no hole: two blank lines at most, one inside a function, one newline."""
    stub = cut("""


        import math
        # BEGIN SOLUTION NO PROMPT


        import numpy
        # END SOLUTION



        def f(x):
            a = 1

            # BEGIN SOLUTION NO PROMPT
            b = 2
            # END SOLUTION

            return a


    """)

    assert stub == "import math\n\n\ndef f(x):\n    a = 1\n\n    return a\n"


@pytest.mark.parametrize(
    ("solution", "says"),
    [
        ("def f():\n    return 1\n", "no solution marker"),
        ("def f(:\n    # BEGIN SOLUTION\n", "not valid Python, line 1"),
        ("def f():\n    # BEGIN SOLUTION\n    return 1\n", r"py:2: .*without `# END SOLUTION`"),
        ("def f():\n    return 1\n    # END SOLUTION\n", r"py:3: .*without `# BEGIN SOLUTION`"),
        (
            "# BEGIN SOLUTION\nx = 1\n# BEGIN SOLUTION\ny = 1\n# END SOLUTION\n",
            "py:3: .*block inside the block of line 1",
        ),
        ("def f():\n    x = (  # SOLUTION\n        1\n    )\n", "stub cut from it is not valid"),
        ("x = 1  # SOLUTION\n#begin solution\ny = 2\n#end solution\n", "#begin solution"),
        ("x = 1  # SOLUTION\ny = 2  # BEGIN SOLUTION\n", "# BEGIN SOLUTION"),
    ],
)
def test_a_solution_that_cannot_be_cut_is_named_with_the_fix(solution, says):
    """Never a traceback, and never a stub that holds what a misspelt marker failed to cut."""
    with pytest.raises(CourseError, match=says) as caught:
        cut_stub(solution, 3, "solutions/small/step3.py")

    assert caught.value.where.startswith("solutions/small/step3.py")
    assert caught.value.fix
    assert caught.value.undone == "No stub was written."


def test_without_otter_the_error_prints_the_command_to_type(monkeypatch):
    """otter is an extra: a missing one is said, with what to type."""
    monkeypatch.setitem(sys.modules, "otter.assign.solutions", None)

    with pytest.raises(CourseError, match=r"pip install 'attention-autograder\[otter\]'"):
        cut("x = 1  # SOLUTION\n")


def test_importing_the_room_does_not_import_otter():
    """otter takes a second to import, and grading never needs it."""
    code = "import autograder.handout, sys; sys.exit('otter' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_only_stubs_that_changed_are_written(sample):
    """A second run touches nothing; a changed solution rewrites its own stub only."""
    again = write_handout(sample.handout, sample.solutions, sample.files)
    solution = sample.solutions / "step2_softmax.py"
    solution.write_text(solution.read_text("utf-8").replace("Each row", "Every row"), "utf-8")

    changed = write_handout(sample.handout, sample.solutions, sample.files)

    assert (again, changed) == ([], ["step2_softmax.py"])


def test_when_one_solution_cannot_be_cut_no_stub_is_written(sample):
    """A handout is never half new."""
    for name in ("step1_scaling.py", "step2_softmax.py"):
        (sample.handout / name).unlink()
    (sample.solutions / "step2_softmax.py").write_text("x = 1\n", "utf-8")

    with pytest.raises(CourseError, match="no solution marker"):
        write_handout(sample.handout, sample.solutions, sample.files)

    assert not (sample.handout / "step1_scaling.py").exists()


@pytest.mark.parametrize("damage", ["missing", "not text"])
def test_a_solution_that_cannot_be_read_is_named(sample, damage):
    """The instructor reads which file, not a traceback."""
    path = sample.solutions / "step1_scaling.py"
    path.unlink() if damage == "missing" else path.write_bytes(b"\xff\xfe")

    with pytest.raises(CourseError, match="step1_scaling"):
        check_handout(sample.handout, sample.solutions, sample.files)


def test_a_fresh_handout_has_no_problem(sample):
    """Silence means fresh and free of solutions."""
    assert check_handout(sample.handout, sample.solutions, sample.files) == []


def test_line_ends_of_windows_are_not_stale(sample):
    """git under Windows checks out CRLF; that is no edit."""
    path = sample.handout / "step1_scaling.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert stale_problems(sample.handout, sample.solutions, sample.files) == []
    assert write_handout(sample.handout, sample.solutions, sample.files) == []


def test_a_missing_an_edited_and_a_left_over_stub_are_each_reported(sample):
    """Where, what and the command to type, for each of the ways a handout ages."""
    (sample.handout / "step1_scaling.py").unlink()
    edited = sample.handout / "step2_softmax.py"
    edited.write_text(
        edited.read_text("utf-8").replace("import numpy as np", "import math"), "utf-8"
    )
    (sample.handout / "step3_output.py").write_text("", "utf-8")

    missing, stale, left_over = stale_problems(sample.handout, sample.solutions, sample.files)

    assert "no stub" in missing.what
    assert missing.fix == "run `autograder handout small`."
    assert stale.where == f"{edited}:3"
    assert "no step" in left_over.what


def test_a_stub_that_links_to_its_solution_is_replaced(sample):
    """A link would hand the solution out; a file takes its place and the target is spared."""
    stub, solution = sample.handout / "step1_scaling.py", sample.solutions / "step1_scaling.py"
    before = solution.read_bytes()
    stub.unlink()
    stub.symlink_to(solution)

    assert write_handout(sample.handout, sample.solutions, sample.files) == ["step1_scaling.py"]
    assert not stub.is_symlink()
    assert solution.read_bytes() == before


def test_stubs_are_valid_python(sample):
    """Every stub parses, and ends in one newline."""
    for _, name in sample.files:
        text = (sample.handout / name).read_text("utf-8")
        ast.parse(text)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
