"""The bundled class, graded by the real program."""

from __future__ import annotations


def test_the_bundled_class_has_its_expected_grades(bundled_run):
    """Every example loses what it is called after, and nothing else; no check is ours to mend."""
    said, _ = bundled_run.process.communicate(timeout=120)

    expected = (bundled_run.examples / "expected-grades.csv").read_text(encoding="utf-8-sig")
    got = (bundled_run.out / "grades.csv").read_text(encoding="utf-8-sig")
    assert bundled_run.process.returncode == 0, said
    assert got.splitlines() == expected.splitlines()
