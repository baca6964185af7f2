"""Calls that are the exercise, such as torch's own attention: looked for in the text of a
submission before any of it runs, by a worker that only reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autograder import wire
from autograder.grading import phrases
from autograder.manifest import Manifest, Question
from autograder.sandbox import Sandbox, StudentRaised, WorkerEnded, WorkerLimits

SECONDS = 10.0


class Forbidden:
    """What the files of one submission use that a question forbids.

    Args:
        files: of the submission, by module.
    """

    def __init__(self, manifest: Manifest, sandbox: Sandbox, files: Mapping[str, str]) -> None:
        self._manifest = manifest
        self._sandbox = sandbox
        self._files = files
        self._uses: wire.Value = None
        self._unread = False

    def words_for(self, question: Question) -> str:
        """What is wrong with the files of a question, for the student; "" where nothing is.

        Raises:
            SandboxRefused: no worker could be had, which is ours.
        """
        if not question.forbidden or question.module not in self._files:
            return ""
        if self._uses is None and not self._unread:
            self._read()
        if self._unread:
            return phrases.UNREADABLE
        for module in self._reached(question.module):
            for name, line in self._named(module):
                if name in question.forbidden:
                    return phrases.forbidden(name, f"{module}.py", line)
        return ""

    def _read(self) -> None:
        names = sorted({name for one in self._manifest.questions for name in one.forbidden})
        limits = self._manifest.limits
        worker = self._sandbox.spawn(WorkerLimits(limits.memory_mb, limits.cpu_seconds))
        try:
            self._uses = worker.parse(self._files, names, SECONDS)
            self._unread = not isinstance(self._uses, dict)
        except (StudentRaised, WorkerEnded):
            self._unread = True
        finally:
            worker.release()

    def _entry(self, module: str, key: str) -> list[wire.Value]:
        """A list that the worker gave; empty where it is none."""
        entry = self._uses.get(module)
        found = entry.get(key) if isinstance(entry, dict) else None
        return found if isinstance(found, list) else []

    def _reached(self, module: str) -> Iterator[str]:
        """A file, and those that it imports, directly or not."""
        waiting, seen = [module], {module}
        while waiting:
            yield waiting[0]
            for other in self._entry(waiting.pop(0), "imports"):
                if isinstance(other, str) and other in self._files and other not in seen:
                    seen.add(other)
                    waiting.append(other)

    def _named(self, module: str) -> Iterator[tuple[str, int]]:
        for use in self._entry(module, "uses"):
            if isinstance(use, list) and list(map(type, use)) == [str, int]:
                yield use[0], use[1]
