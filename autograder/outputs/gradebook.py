"""Results → the text of grades.csv, for a gradebook or a spreadsheet; computes no points."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from autograder.manifest import Manifest
from autograder.markdown import number
from autograder.outputs.why import no_verdict
from autograder.results import Result, Submitter
from autograder.text import one_line

GRADES_ENCODING = "utf-8-sig"  # with the mark by which Excel knows UTF-8
_CELL = 1_000  # characters
# The wide forms count as well; and a semicolon ends a cell wherever a comma ends whole numbers.
_FORMULA = re.compile("(^|;\\s*)(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])")
_BREAKS = frozenset("\t\r\n")
_BEFORE = ("submission", "name", "sid", "email", "score", "max_score")
_AFTER = ("follow_through", "broken", "notes")


def grades_csv(results: Iterable[Result], manifest: Manifest) -> str:
    """One row a submitter, in the order of the submissions' ids, then as they are listed.

    A submission without submitters has one row with empty names. What has no score (something in
    it is broken, or could not run here) has an empty cell, and `broken` says what. A text that a
    spreadsheet would take for a formula gets an apostrophe before it. Write the file in
    `GRADES_ENCODING`.

    Returns:
        CSV with a header; columns submission, name, sid, email, score, max_score, each enabled
        question, follow_through, broken, notes.
    """
    questions = [question.name for question in manifest.enabled_questions]
    taken = {*_BEFORE, *_AFTER}
    columns = [f"question_{name}" if name in taken else name for name in questions]
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_BEFORE, *columns, *_AFTER])
    rows = [(result.submission, row) for result in results for row in _rows(result, questions)]
    writer.writerows(row for _, row in sorted(rows, key=lambda one: one[0]))
    return file.getvalue()


def _rows(result: Result, questions: Sequence[str]) -> Iterator[list[str]]:
    scores = {question.name: question.score for question in result.questions}
    followed = [question.name for question in result.questions if question.follow_through]
    ungraded = no_verdict(result)
    for person in result.submitters or [Submitter()]:
        yield [
            *(_text(one) for one in (result.submission, person.name, person.sid, person.email)),
            _points(None if ungraded else result.score),
            number(result.max_score),
            *(_points(scores.get(name)) for name in questions),
            *(_text("; ".join(several)) for several in (followed, ungraded)),
            _text("; ".join(result.notes).replace(".; ", ". ")),
        ]


def _points(score: float | None) -> str:
    return "" if score is None else number(score)


def _text(text: str) -> str:
    """One cell of text that no spreadsheet runs."""
    cell = _FORMULA.sub(r"\1'", one_line(text, _CELL))
    is_cut = text[:1] in _BREAKS and not cell.startswith("'")
    return f"'{cell}" if cell and is_cut else cell
