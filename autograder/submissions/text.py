"""Bytes that should be Python source → text; it is not parsed."""

from __future__ import annotations

import codecs

from autograder.submissions.refusal import Refused

_MARKS = (  # in this order: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_AS_UTF8 = "Save it as UTF-8 text and hand it in again."


def decode(name: str, data: bytes) -> tuple[str, str]:
    """The text with `\\n` at every line's end, and a note where it was not UTF-8 ("" otherwise).

    Args:
        name: the file's name as it may be shown.

    Raises:
        Refused: it is no text, or holds NUL characters, which no Python source may.
    """
    encoding = next((known for mark, known in _MARKS if data.startswith(mark)), "UTF-8")
    try:
        text = data.decode("utf-8-sig" if encoding == "UTF-8" else encoding)
    except UnicodeDecodeError:
        raise Refused(f"{name} is not {encoding} text. {_AS_UTF8}") from None
    if "\0" in text:
        raise Refused(f"{name} holds NUL characters, as a file does that is no text. {_AS_UTF8}")
    note = "" if encoding == "UTF-8" else f"{name} was {encoding}; read all the same."
    return text.replace("\r\n", "\n").replace("\r", "\n"), note
