"""Returns tensors that are no plain numbers: on no device, sparse, complex, nested, quantised, endless.

step: step1_rnn.py
earns: nothing
"""

import itertools
import math
import warnings

import torch

CALLS = itertools.count()
warnings.simplefilter("ignore")


def kinds(x, shape):
    """Each as a function, since some cannot be made everywhere."""
    zeros = x.detach().new_zeros(shape)
    return (
        lambda: zeros.to("meta"),
        lambda: zeros.to_sparse(),
        lambda: torch.zeros(3, 3, dtype=x.dtype).to_sparse_csr(),
        lambda: zeros.to(torch.complex128),
        lambda: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
        lambda: torch.quantize_per_tensor(zeros.float(), 0.1, 0, torch.qint8),
        lambda: zeros.to(torch.float8_e4m3fn),
        lambda: torch.zeros(1, dtype=x.dtype).expand(1 << 31),
        lambda: torch.zeros(1, dtype=x.dtype).expand(1 << 20, 1 << 20, 1 << 20),
        lambda: torch.zeros(0, 1 << 40, dtype=x.dtype),
        lambda: torch.zeros([1] * 64, dtype=x.dtype),
        lambda: torch._neg_view(zeros),
        lambda: zeros.to(torch.complex128).conj().imag,
        lambda: torch.full(shape, math.nan, dtype=x.dtype),
        lambda: torch.full(shape, math.inf, dtype=x.dtype),
        lambda: zeros.requires_grad_(),
        lambda: torch.nn.Parameter(zeros),
        lambda: zeros.as_strided(shape, [0] * len(shape)),
        lambda: zeros.untyped_storage(),
        lambda: torch.Size(shape),
        lambda: torch.Generator(),
        lambda: torch.device("cuda"),
        lambda: torch.float64,
        lambda: torch.Tensor,
        lambda: torch.nn.Linear(2, 2),
        lambda: torch.func.vmap(lambda row: KEPT.append(row) or row)(torch.zeros(2, 2)) is None
        or KEPT[-1],
        lambda: [torch.zeros(1).expand(1 << 24)] * 1000,
        lambda: {"states": zeros},
    )


KEPT = []


def rnn_states(x, w_x, w_h, b):
    shape = (*x.shape[:-1], len(w_h))
    several = kinds(x, shape)
    for _ in several:
        make = several[next(CALLS) % len(several)]
        try:
            return make()
        except (RuntimeError, TypeError, AttributeError, NotImplementedError):
            continue
