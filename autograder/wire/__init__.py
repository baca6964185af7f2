"""Values ⇄ bytes between the grading process and a worker: scalars, text, containers and arrays
with a size cap. No pickle, no `__reduce__`, no class of anyone's is ever looked up by name.

A frame is a 16-byte prefix, a MessagePack head and the arrays' raw bytes.
"""

from autograder.wire.frames import ChannelClosed, Deadline, DeadlinePassed, pending, receive, send
from autograder.wire.messages import (
    Arguments,
    Ask,
    Call,
    Done,
    Frame,
    Hello,
    Load,
    NotServed,
    Raised,
    Reply,
    Served,
    Where,
    decode_arguments,
    decode_done,
    decode_reply,
    decode_request,
    encode,
    encode_ask,
    encode_call,
    encode_done,
    encode_served,
)
from autograder.wire.tensors import dtype_of, is_tensor, like, to_numpy, torch_here, width_of
from autograder.wire.values import FOREIGN_KINDS, Foreign, Value, WireError, decode_values

__all__ = [
    "FOREIGN_KINDS",
    "Arguments",
    "Ask",
    "Call",
    "ChannelClosed",
    "Deadline",
    "DeadlinePassed",
    "Done",
    "Foreign",
    "Frame",
    "Hello",
    "Load",
    "NotServed",
    "Raised",
    "Reply",
    "Served",
    "Value",
    "Where",
    "WireError",
    "decode_arguments",
    "decode_done",
    "decode_reply",
    "decode_request",
    "decode_values",
    "dtype_of",
    "encode",
    "encode_ask",
    "encode_call",
    "encode_done",
    "encode_served",
    "is_tensor",
    "like",
    "pending",
    "receive",
    "send",
    "to_numpy",
    "torch_here",
    "width_of",
]
