"""A clean Debian or Ubuntu root, with the network set up in it as the host has it.

It is the host's own release, in its smallest form: there the host's mirrors, keys and settings
fit. So it is not Gradescope's base image, which is Ubuntu 22.04 with more in it.
"""

from __future__ import annotations

import ast
import configparser
import io
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
NETWORK_VARIABLE = re.compile(
    r"\w+_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE", re.IGNORECASE
)
INDEX_FOLDER = "simple"  # its pages link to files beside it
SECONDS_TO_REACH = 20


def what_is_missing() -> str:
    """Why no clean root can be built on this machine, in words; empty when one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs root on Linux"
    for program in ("debootstrap", "apt-get", "unshare"):
        if shutil.which(program) is None:
            return f"needs {program}; try: apt-get install debootstrap"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], check=False).returncode:
        return "needs namespaces; this root may not make any"
    mirror = next(iter(_apt_lines()), (None,))[0]
    if mirror is None:
        return "needs apt's lists of packages; try: apt-get update"
    try:
        page = f"{mirror.rstrip('/')}/dists/{_codename()}/Release"
        urlopen(page, timeout=SECONDS_TO_REACH).close()
    except (URLError, TimeoutError) as error:
        return f"needs the network: {mirror}: {error}"
    return ""


def build_root(folder: Path) -> None:
    """Install the release into an empty folder, and set it up to reach what the host reaches.

    Raises:
        RuntimeError: the installation failed; its last lines are in the message.
    """
    lines = _apt_lines()
    words = ["--variant=minbase", "--include=ca-certificates", _codename(), str(folder)]
    _run("unshare", "--mount", "debootstrap", *words, lines[0][0])  # what it mounts stays there
    sources = [f"deb {' '.join(line)}\n" for line in lines]
    _write(folder, "/etc/apt/sources.list", "".join(sources))
    _write(folder, "/etc/apt/apt.conf.d/99host", _apt_settings())
    _write(folder, "/etc/pip.conf", _pip_settings())
    values = [value for _, _, value in _pip_options()] + list(network_variables().values())
    files = [path for path in _local_paths(values) if path.is_file()]
    for path in (Path("/etc/resolv.conf"), Path("/etc/hosts"), Path(CERTIFICATES), *files):
        if path.is_file():
            _write(folder, str(path), path.read_bytes())


def network_variables() -> dict[str, str]:
    """The environment variables by which programs find proxies and certificates."""
    return {name: value for name, value in os.environ.items() if NETWORK_VARIABLE.fullmatch(name)}


def local_package_folders() -> list[str]:
    """The folders of the host that pip takes packages from."""
    folders = [path for path in _local_paths(v for _, _, v in _pip_options()) if path.is_dir()]
    whole = (path.parent if path.name == INDEX_FOLDER else path for path in folders)
    return sorted({str(path) for path in whole})


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{last}")
    return done.stdout


def _write(root: Path, name: str, content: str | bytes) -> None:
    path = root / name.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # a link would be followed out of the root
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _codename() -> str:
    return platform.freedesktop_os_release()["VERSION_CODENAME"]


def _apt_lines() -> list[tuple[str, str, str]]:
    """Mirror, suite and component of each source of the distribution itself; the release first."""
    origin = platform.freedesktop_os_release()["ID"].capitalize()
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    wanted = (f"Origin: {origin}", "Created-By: Packages")
    listed = _run("apt-get", "indextargets", "--format", form, *wanted)
    lines = dict.fromkeys(tuple(line.split()) for line in listed.splitlines())
    whole = [(line[0], line[1], line[2]) for line in lines if len(line) == 3]
    return sorted(whole, key=lambda line: (line[1] != _codename(), line[2] != "main"))


def _apt_settings() -> str:
    """How the host's apt fetches: proxies, certificates, dates. No hooks."""
    settings = _run("apt-config", "dump").splitlines()
    fetching = (line for line in settings if line.startswith("Acquire::"))
    return "".join(f"{line}\n" for line in fetching if "::IndexTargets" not in line)


def _pip_options() -> list[tuple[str, str, str]]:
    """Section, name and value of all that pip is told, by files and by the environment."""
    options = []
    for line in _run(sys.executable, "-m", "pip", "config", "list").splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        options.append((section, name, str(ast.literal_eval(value))))
    return sorted(options, key=lambda option: option[0] == ":env:")  # it has the last word


def _pip_settings() -> str:
    settings = configparser.RawConfigParser()
    for section, name, value in _pip_options():
        settings.read_dict({"global" if section == ":env:" else section: {name: value}})
    text = io.StringIO()
    settings.write(text)
    return text.getvalue()


def _local_paths(values: Iterable[str]) -> list[Path]:
    """What exists on this machine among the words of these values."""
    words = (word.removeprefix("file://") for value in values for word in value.split())
    return [Path(word) for word in words if word.startswith("/") and Path(word).exists()]
