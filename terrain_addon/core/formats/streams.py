# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of bytes: parts of files, and what they hold when it is decompressed.

A block of a file may be far larger than the memory that is free, and a few bytes may expand to a
thousand times as many. Readers therefore take what they need next, and no more.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol

PIECE = 1 << 16
"""Compressed bytes that are read together."""


class Stream(Protocol):
    """A source of bytes that are read in order."""

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end."""
        ...


class Section:
    """Some bytes of a file, as far as it has them.

    Damaged files name places that the system refuses to seek to.
    """

    def __init__(self, file: IO[bytes], place: int, size: int) -> None:
        inside = place <= os.fstat(file.fileno()).st_size
        self._file, self._place, self._left = file, place, size if inside else 0

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end."""
        if not self._left:
            return b""
        self._file.seek(self._place)
        data = self._file.read(min(count, self._left))
        self._place += len(data)
        self._left -= len(data)
        return data


class Inflated:
    """The decompressed bytes of a Deflate stream.

    Parameters
    ----------
    read : returns up to so many of the next compressed bytes; none at the end

    Examples
    --------
    >>> import io
    >>> stream = Inflated(io.BytesIO(zlib.compress(bytes(range(9)))).read)
    >>> list(stream.read(4)), list(stream.read(9))
    ([0, 1, 2, 3], [4, 5, 6, 7, 8])
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._zlib = read, zlib.decompressobj()

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end; zlib.error for damage."""
        found: list[bytes] = []
        while count and not self._zlib.eof:
            data = self._zlib.unconsumed_tail or self._read(PIECE)
            made = self._zlib.decompress(data, count)
            if not (data or made):
                break
            found.append(made)
            count -= len(made)
        return b"".join(found)


class Unpacked:
    """The decompressed bytes of a stream of ZSTD.

    Parameters
    ----------
    read : returns up to so many of the next compressed bytes; none at the end
    unpacker : a ``ZstdDecompressor`` of Python 3.14
    """

    def __init__(self, read: Callable[[int], bytes], unpacker: Any) -> None:
        self._read, self._zstd = read, unpacker

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end; ZstdError for damage."""
        parts: list[bytes] = []
        while count and not self._zstd.eof:
            data = self._read(PIECE) if self._zstd.needs_input else b""
            part = self._zstd.decompress(data, count)
            if not (data or part):
                break
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


class Joined:
    """Bytes that are made some at a time.

    Examples
    --------
    >>> stream = Joined(iter([b"ab", b"cde"]))
    >>> stream.read(3), stream.read(3)
    (b'abc', b'de')
    """

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts, self._rest = parts, memoryview(b"")

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end."""
        out = bytearray()
        while len(out) < count:
            if not self._rest:
                part = next(self._parts, None)
                if part is None:
                    break
                self._rest = memoryview(part)
            missing = count - len(out)
            out += self._rest[:missing]
            self._rest = self._rest[missing:]
        return bytes(out)
