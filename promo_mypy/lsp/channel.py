"""Send messages between the server and a worker: each pickled, behind its length."""

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

#: The length of a message, before it.
LENGTH: Final = struct.Struct("!Q")


def packed(message: object) -> bytes:
    """A message with its length."""
    content = pickle.dumps(message)
    return LENGTH.pack(len(content)) + content


def unpacked(content: bytes) -> Any:
    """A message without its length. Only the two ends of a pipe that the server made talk to each other."""
    return pickle.loads(content)


def received(stream: BinaryIO) -> Iterator[Any]:
    """The messages that come until the other end closes the pipe."""
    while len(head := stream.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        content = stream.read(length)
        if len(content) < length:
            return
        yield unpacked(content)
