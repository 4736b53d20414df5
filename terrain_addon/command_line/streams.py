# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard output and error that may be closed, full, or unable to encode a text."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import IO, Any


def prepare() -> None:
    """Make both streams able to take any text.

    Characters that the encoding lacks, as with redirected output on Windows, are escaped. Closed
    streams lead nowhere, so that no file that is opened later takes their place.
    """
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed(os.open(os.devnull, os.O_WRONLY)))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


class _Closed:
    """A stream whose descriptor was closed before the program began; printing to it fails.

    The descriptor of the null device is held open in its place.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def write(self, text: str) -> int:
        raise OSError("it is closed")

    def flush(self) -> None:
        """Do nothing: nothing was written."""

    def isatty(self) -> bool:
        return False


def print_result(text: str) -> None:
    """Print to standard output, at once.

    Raises
    ------
    BrokenPipeError
        The reader of the pipe ended, as `head` does.
    OSError
        Nothing can be written, for example as the disk is full.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise OSError(f"The result cannot be printed to standard output: {reason}") from None


def print_note(text: str) -> None:
    """Print to standard error, at once; a note that cannot be printed is dropped."""
    with suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def finish(code: int) -> int:
    """Flush standard output, and return the exit code: 1 if a success could not be printed.

    What cannot be written is dropped. Otherwise Python would try again at its end, and replace the
    exit code by 120.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            _drop(stream)
        except OSError as error:
            _drop(stream)
            if stream is sys.stdout:
                print_note(f"orogen: standard output cannot be written: {error.strerror or error}")
                code = code or 1
    return code


def _drop(stream: IO[str]) -> None:
    """Lead a stream to the null device, with what it has not written yet."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()
