"""Zips that no student's tool makes: names, links, bombs, and bytes that contradict each other."""

from __future__ import annotations

import functools
import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

from .attack import Attack, Places
from .making import BESIDE, ELSE, EVIL, MISSING, RIGHT, SOFTMAX, made

ZIPS: list[Attack] = []
zipped = functools.partial(made, ZIPS, suffix=".zip", spoils=MISSING)
refused = functools.partial(made, ZIPS, "nothing", suffix=".zip", spoils=ELSE)
RIGHT_STEP = (RIGHT / SOFTMAX).read_bytes()
Member = tuple[str | zipfile.ZipInfo, str | bytes]
DAMAGED = f"{SOFTMAX} is damaged inside the zip"
NO_ZIP = "is no zip, or is damaged or cut short"


def beside(*members: Member) -> bytes:
    """A zip with these members, after one right file."""
    return pack([(BESIDE, (RIGHT / BESIDE).read_bytes()), *members])


def pack(members: list[Member]) -> bytes:
    """A zip with these members, in order."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # the same name twice
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def changed(data: bytes, name: str, change: Callable[[bytearray, int], None]) -> bytes:
    """A zip with the entry of a name changed in the table of contents.

    Args:
        change: given the bytes, and where its entry begins.
    """
    written = bytearray(data)
    at = written.rindex(b"PK\1\2", 0, written.rindex(name.encode()))
    change(written, at)
    return bytes(written)


@zipped("its step", "their names point out of the zip")
def t_zip_climbs_out(path: Path, places: Places) -> None:
    """Members named to land on graders, on a neighbour, in the home folder and in the results."""
    course = places.course_folder
    names = [
        "../a_right/step4_softmax.py",
        "../../out/results/t_zip_climbs_out.json",
        f"{course}/tests/self_attention/test_step4_softmax.py",
        "..\\..\\step4_softmax.py",
        "C:\\Windows\\step4_softmax.py",
        "c:step4_softmax.py",
        "src/../../step4_softmax.py",
        "~/.config/usercustomize.py",
    ]
    path.write_bytes(beside((SOFTMAX, RIGHT_STEP), *((name, EVIL) for name in names)))


@refused(f"{SOFTMAX} is a link or a special file")
def r_zip_of_links(path: Path, places: Places) -> None:
    """A member that says it is a link to the reference, one a device, one a pipe."""
    members: list[Member] = []
    target = str(places.course_folder / "solutions/self_attention" / SOFTMAX)
    for name, kind, text in (
        (SOFTMAX, stat.S_IFLNK, target),
        ("data.txt", stat.S_IFCHR, ""),
        ("more.txt", stat.S_IFIFO, ""),
    ):
        info = zipfile.ZipInfo(name)
        info.external_attr = (kind | 0o777) << 16
        members.append((info, text))
    path.write_bytes(pack(members))


@refused(f"{SOFTMAX} is larger than 256 KiB")
def d_zip_bomb(path: Path, places: Places) -> None:
    """A member of some kilobytes that becomes many megabytes."""
    path.write_bytes(pack([(SOFTMAX, b"#" * (64 << 20))]))


@refused(DAMAGED)
def d_zip_bomb_that_lies(path: Path, places: Places) -> None:
    """The same, and its table of contents says that it is small."""

    def lie(data: bytearray, at: int) -> None:
        data[at + 24 : at + 28] = struct.pack("<L", 1_000)

    data = pack([(SOFTMAX, b"#" * (20 << 20))])
    path.write_bytes(changed(data, SOFTMAX, lie))


@refused("None of the assignment's files was handed in")
def d_zip_in_zips(path: Path, places: Places) -> None:
    """Zips in zips in zips, the right files in the innermost, and ten bombs beside it."""
    bomb = pack([("bomb.txt", b"\0" * (8 << 20))])
    data = beside()
    for depth in range(8):
        bombs = [(f"{depth}{number}.zip", bomb) for number in range(10)] if depth < 7 else []
        data = pack([("inner.zip", data), *bombs])
    path.write_bytes(data)


@refused(DAMAGED)
def d_zip_of_one_member_many_times(path: Path, places: Places) -> None:
    """Two members in the table of contents that lie on the bytes of one, as large bombs do."""
    data = pack([("a.py", b"#" * 9), (SOFTMAX, b"#" * (1 << 20))])
    entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    own = {info.filename: info.header_offset for info in entries}

    def overlap(written: bytearray, at: int) -> None:
        written[at + 42 : at + 46] = struct.pack("<L", own["a.py"])

    path.write_bytes(changed(data, SOFTMAX, overlap))


@zipped("nothing", f"{SOFTMAX} is in the zip 3 times")
def t_zip_with_one_name_thrice(path: Path, places: Places) -> None:
    """A wrong and a right step under one name, and the right one once more as `./name`."""
    again = [(f"./{SOFTMAX}", RIGHT_STEP), (f".//{SOFTMAX}", RIGHT_STEP)]
    path.write_bytes(beside((SOFTMAX, EVIL), *again))


@refused(f"{SOFTMAX} is locked with a password")
def d_zip_with_a_password(path: Path, places: Places) -> None:
    """A member that says it is encrypted, so that whoever reads it is asked for a password."""

    def lock(data: bytearray, at: int) -> None:
        data[at + 8] |= 1

    path.write_bytes(changed(pack([(SOFTMAX, RIGHT_STEP)]), SOFTMAX, lock))


@refused(f"{SOFTMAX} is compressed in a way that is not read here")
def d_zip_of_another_compression(path: Path, places: Places) -> None:
    """A member said to be compressed by a method that takes gigabytes to begin with."""

    def lzma(data: bytearray, at: int) -> None:
        data[at + 10 : at + 12] = struct.pack("<H", zipfile.ZIP_LZMA)

    path.write_bytes(changed(pack([(SOFTMAX, RIGHT_STEP)]), SOFTMAX, lzma))


@refused(NO_ZIP)
def d_zip_without_its_end(path: Path, places: Places) -> None:
    """A zip that was cut short, with a table of contents of a billion entries."""
    data = beside((SOFTMAX, RIGHT_STEP))[:-22]
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 0)
    path.write_bytes(data + end)


@refused(NO_ZIP)
def d_zip64_of_exabytes(path: Path, places: Places) -> None:
    """The long form of a zip, with sizes and places of exabytes."""
    huge = (1 << 63) - 1
    data = beside((SOFTMAX, RIGHT_STEP))[:-22]
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, huge, huge, huge, huge)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(data), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", *[0xFFFF] * 4, *[0xFFFFFFFF] * 2, 0)
    path.write_bytes(data + record + locator + end)


@zipped("nothing", "their names point out of the zip", f"{SOFTMAX} is missing")
def t_zip_with_cut_names(path: Path, places: Places) -> None:
    """Names with a NUL, which some tools cut there, and with signs that others take for folders."""
    data = beside((f"{SOFTMAX}#evil", EVIL), (f"src\\{SOFTMAX}", EVIL))
    path.write_bytes(data.replace(f"{SOFTMAX}#evil".encode(), f"{SOFTMAX}\0evil".encode()))


@refused("more than 2,000 files")
def d_zip_of_thousands(path: Path, places: Places) -> None:
    """Right files among thousands of members without a byte."""
    path.write_bytes(beside(*((f"{n}.txt", b"") for n in range(2_001))))
