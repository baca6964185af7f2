"""Reads hidden tests and references by every reader that torch has, and writes by every writer.

step: step2_attention.py
earns: nothing
"""

import os
import re

import torch

HIDDEN = "COURSE_FOLDER/tests/attention_vs_recurrence/test_step2_attention.py"
OTHERS = (
    "COURSE_FOLDER/solutions/attention_vs_recurrence/step2_attention.py",
    "SUBMISSIONS_FOLDER/a_right/step1_rnn.py",
    "OUT_FOLDER/results/somebody.json",
)
LITTER = "/tmp/litter_of_torch"
MODULE = "OUT_FOLDER/litter.so"


def mapped(path):
    size = 4096
    return bytes(torch.from_file(path, size=size, dtype=torch.uint8).tolist())


def as_storage(path):
    return bytes(torch.UntypedStorage.from_file(path, False, 4096).tolist())


READERS = {
    "map": mapped,
    "storage": as_storage,
    "load": lambda path: torch.load(path, weights_only=False),
    "map a pickle": lambda path: torch.load(path, mmap=True, weights_only=False),
    "jit": torch.jit.load,
    "reader": lambda path: torch._C.PyTorchFileReader(path).get_all_records(),
    "library": torch.ops.load_library,
    "classes": torch.classes.load_library,
    "package": lambda path: torch.package.PackageImporter(path),
    "hub": lambda path: torch.hub.load(os.path.dirname(path), "x", source="local"),
}
WRITERS = {
    "save": lambda path: torch.save(torch.ones(4), path),
    "map": lambda path: torch.from_file(path, shared=True, size=8).fill_(1),
    "writer": lambda path: torch._C.PyTorchFileWriter(path).write_end_of_file(),
    "jit": lambda path: torch.jit.script(torch.nn.Linear(2, 2)).save(path),
    "share": lambda path: torch.ones(1 << 10).share_memory_(),
    "memory file": lambda path: torch.UntypedStorage._new_using_filename_cpu(64),
    "memory descriptor": lambda path: torch.UntypedStorage._new_using_fd_cpu(64),
}


def found():
    told = set()
    for name, read in READERS.items():
        for path in (HIDDEN, *OTHERS):
            try:
                data = read(path)
                canaries = re.findall(rb"CANARY-[0-9a-f]{32}", data if type(data) is bytes else b"")
                told.add(f"GAINED: {name} {canaries}")
            except BaseException as error:
                told.add(f"{name}: {type(error).__name__}")
    for name, write in WRITERS.items():
        for path in (LITTER, MODULE, "OUT_FOLDER/results/r_torch_reads.json", "/dev/shm/litter"):
            try:
                write(path)
                told.add(f"GAINED: {name}")
            except BaseException as error:
                told.add(f"{name}: {type(error).__name__}")
    return sorted(told)


def self_attention(x, w_q, w_k, w_v):
    raise PermissionError(found())
