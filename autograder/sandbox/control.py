"""What the grading process and the base process say to each other; no value of a student's here."""

from __future__ import annotations

import msgspec

FIRST_UID = 61_000
UIDS_A_BASE = 63  # workers that may live at once; one uid more ends what they leave behind
UID_BLOCKS = 64
MESSAGE_BYTES = 65_536


class Settings(msgspec.Struct, frozen=True):
    """How the base process is to confine its workers."""

    without: tuple[str, ...] = ()  # layers to leave out: for negative controls and measurements
    secrets_private: bool = False  # no other user can reach the course's files
    packages: tuple[str, ...] = ("numpy",)
    gpu: bool = False  # each worker has one


class WorkerLimits(msgspec.Struct, frozen=True, tag="spawn"):
    """Asks for one worker under these limits."""

    memory_mb: int  # on top of what the base process maps
    cpu_seconds: int


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The base process has imported what it needs; every worker will have exactly these layers."""

    layers: list[str]


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The base process, or a worker, could not start; `why` is for the instructor."""

    why: str


class Started(msgspec.Struct, frozen=True, tag="started"):
    """A worker runs; its pidfd comes with this message."""

    pid: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A worker is gone, and so is every process it may have left behind."""

    status: int  # its exit code, or minus the signal that ended it
    cpu_seconds: float
    peak_mb: int


Answer = Ready | Failed | Started | Ended

encode = msgspec.msgpack.Encoder().encode
decode_spawn = msgspec.msgpack.Decoder(WorkerLimits).decode
decode_answer = msgspec.msgpack.Decoder(Answer).decode
