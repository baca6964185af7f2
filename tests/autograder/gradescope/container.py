"""A simulated Gradescope: builds the image of an autograder zip, and grades submissions in it.

It imitates, on a Linux machine where this runs as root and without Docker: the zip unpacked to
/autograder/source and its setup.sh run once; then, for each submission, a container of its own
over that image (a layer that takes what is written, namespaces, Docker's default capabilities and
system calls) where /autograder/run_autograder runs as root in /autograder.

It cannot imitate: Gradescope's base image and its Python (see clean_root), its harness, the
half of a CPU, the limit on disk, AppArmor. While grading there is no network but the loopback;
Gradescope has one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .clean_root import build_root, local_package_folders, network_variables, what_is_missing
from .running import ContainerError, Ended, run

__all__ = ["ContainerError", "Graded", "Image", "build_root", "what_is_missing"]

HOSTNAME = "gradescope"
HOSTS = f"127.0.0.1\tlocalhost\n127.0.1.1\t{HOSTNAME}\n"
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOSTNAME": HOSTNAME,
    "HOME": "/root",
}
BUILD = """
bash /autograder/source/setup.sh && apt-get clean &&
rm -rf /var/lib/apt/lists/* /tmp/* /var/tmp/*
"""
BUILD_SECONDS = 1800
METADATA: dict[str, Any] = {
    "id": 123456,
    "created_at": "2025-03-01T12:00:00.000000-08:00",
    "assignment": {
        "due_date": "2025-03-02T23:59:00.000000-08:00",
        "group_size": 1,
        "group_submission": False,
        "id": 654321,
        "course_id": 24680,
        "late_due_date": None,
        "release_date": "2025-02-01T00:00:00.000000-08:00",
        "title": "Self-attention",
        "total_points": "100.0",
    },
    "submission_method": "upload",
    "users": [{"email": "student@example.edu", "id": 1357, "name": "Sample Student"}],
    "previous_submissions": [],
}


@dataclass(frozen=True)
class Graded(Ended):
    """What grading one submission left.

    `autograder` is what the container wrote under /autograder, and what was put there for it:
    source/ is missing in it as far as nothing in it was changed.
    """

    results: bytes | None  # of results.json
    autograder: Path


@dataclass(frozen=True)
class Image:
    """A built image; its root is written to by nobody any more.

    What containers write lies beside it, on a file system that can carry a layer: ext4, xfs or
    tmpfs, but no layer itself. TMPDIR chooses another one for pytest's folders.
    """

    root: Path
    output: str  # of setup.sh
    seconds: float  # that setup.sh took

    @classmethod
    def build(cls, root: Path, zip_path: Path) -> Image:
        """Copy a clean root, unpack the zip into it and run its setup.sh, with the host's network.

        Raises:
            ContainerError: the zip has no such script, or setup.sh failed: its last lines.
        """
        image = _folder_beside(root, "image-") / "root"
        subprocess.run(["cp", "-a", "--reflink=auto", root, image], check=True)
        for name in ("source", "submission", "results"):
            (image / "autograder" / name).mkdir(parents=True)
        source = image / "autograder/source"
        _unzip(zip_path, source)
        for name in ("setup.sh", "run_autograder"):
            if not (source / name).is_file():
                raise ContainerError(f"{zip_path.name} has no {name} at its root")
        shutil.copyfile(source / "run_autograder", image / "autograder/run_autograder")
        (image / "autograder/run_autograder").chmod(0o755)
        order = {
            **_order(image, ["/bin/bash", "-c", BUILD]),
            "changes": None,
            "shown": local_package_folders(),
            "network": True,
            "environment": ENVIRONMENT | network_variables(),
        }
        ended = run(order, seconds=BUILD_SECONDS)
        if ended.status or ended.timed_out:
            last = "\n".join(ended.output.splitlines()[-30:])
            raise ContainerError(f"setup.sh: exit status {ended.status}\n{last}")
        return cls(image, ended.output, ended.seconds)

    def grade(
        self,
        submission: Path | Mapping[str, bytes],
        *,
        landlock: bool = True,
        metadata: Mapping[str, Any] | None = None,
        seconds: float = 600,
        memory_mb: int | None = None,
        kill_when: Callable[[Path], bool] | None = None,
    ) -> Graded:
        """Run run_autograder on one submission, in a container of its own; threads may.

        Args:
            submission: a folder, a zip, one file, or names and contents.
            landlock: False for a kernel without it.
            metadata: what differs from METADATA.
            seconds: after so many everything in the container is killed.
            memory_mb: the container's limit.
            kill_when: asked every few hundredths of a second with the host's path of what is
                written to /autograder; a yes kills everything in the container.
        """
        changes = _folder_beside(self.root, "graded-")
        for name in ("root/autograder/results", "root/etc", "work", "seen"):
            (changes / name).mkdir(parents=True)
        (changes / "root/etc/hosts").write_text(HOSTS)
        autograder = changes / "root/autograder"
        _put(submission, autograder / "submission")
        told = json.dumps({**METADATA, **(metadata or {})})
        (autograder / "submission_metadata.json").write_text(told)
        order = {
            **_order(self.root, ["/autograder/run_autograder"]),
            "changes": str(changes),
            "landlock": landlock,
        }
        ended = run(
            order,
            seconds=seconds,
            memory_mb=memory_mb,
            kill_when=lambda: kill_when is not None and kill_when(autograder),
        )
        results = autograder / "results/results.json"
        inside = results.resolve().is_relative_to(autograder.resolve())  # a link may lead out
        content = results.read_bytes() if inside and results.is_file() else None
        return Graded(**vars(ended), results=content, autograder=autograder)


def _order(image: Path, command: list[str]) -> dict[str, object]:
    """What holds for every container; what differs is put over it."""
    return {
        "image": str(image),
        "shown": [],
        "hostname": HOSTNAME,
        "network": False,
        "landlock": True,
        "command": command,
        "environment": ENVIRONMENT,
        "folder": "/autograder",
    }


def _folder_beside(folder: Path, prefix: str) -> Path:
    made = Path(tempfile.mkdtemp(prefix=prefix, dir=folder.parent))
    made.chmod(0o755)
    return made


def _put(submission: Path | Mapping[str, bytes], folder: Path) -> None:
    """Fill submission/."""
    if not isinstance(submission, Path):
        folder.mkdir()
        for name, content in submission.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    elif submission.is_dir():
        shutil.copytree(submission, folder, symlinks=True)
    elif zipfile.is_zipfile(submission):
        folder.mkdir()
        _unzip(submission, folder)
    else:
        folder.mkdir()
        shutil.copy(submission, folder)


def _unzip(archive: Path, folder: Path) -> None:
    """Unpack with the modes that the archive names, as unzip does; zipfile forgets them."""
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            path = Path(opened.extract(member, folder))
            mode = member.external_attr >> 16 & 0o777
            if mode:
                path.chmod(mode)
