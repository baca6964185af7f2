"""A quiz → two pages of HTML that need nothing beside them: the sheet, and the key for staff."""

from __future__ import annotations

from typing import Any

from autograder.outputs.quiz.quiz import Quiz

_TEMPLATES = "autograder.outputs.quiz", "templates"


def sheet_html(quiz: Quiz) -> str:
    """The page for students; no mistake and no check comes near its template."""
    return _rendered("quiz.html.jinja", quiz, tasks=[item.task for item in quiz.items])


def key_html(quiz: Quiz) -> str:
    """The page for staff."""
    return _rendered("quiz-key.html.jinja", quiz, items=quiz.items)


def _rendered(template: str, quiz: Quiz, **more: Any) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(*_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    imports = sorted({line for item in quiz.items for line in item.task.printed.imports})
    return environment.get_template(template).render(
        title=quiz.title, seed=quiz.seed, minutes=quiz.minutes, imports=imports, **more
    )
