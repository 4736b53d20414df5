# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard output and error that may be closed, full, or unable to encode a text."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

BROKEN_PIPE = 141
"""Exit code of a program that writes to a pipe without a reader: 128 and the number of SIGPIPE."""


class ReaderGone(Exception):
    """The program that reads the output ended, as `head` does."""


def prepare() -> None:
    """Make the standard streams able to take any text.

    Characters that the encoding lacks, as with redirected output on Windows, are escaped. The
    descriptor of a closed stream leads to the null device, so that no file that is opened later
    takes its place; printing to a closed standard output fails, and notes are dropped.
    """
    for name, flags in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        stream: Any = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
        if name != "stdin" and hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")


def watch_stdin(received: Callable[[], None] = lambda: None) -> None:
    """End the process when standard input closes, which the system does when its writer ends.

    ``received`` is called in a thread after each byte.
    """

    def listen() -> None:
        while os.read(0, 1):  # sys.stdin has a lock that Python would wait for at its end
            received()
        os._exit(130)

    threading.Thread(target=listen, daemon=True).start()


def print_result(text: str) -> None:
    """Print to standard output, at once.

    Raises
    ------
    ReaderGone
        The reader of the pipe ended.
    OSError
        Nothing can be written, for example as the disk is full.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OSError(_not_printed(error)) from None


def print_note(text: str, stream: IO[str] | None = None) -> None:
    """Print to a stream, by default standard error; a note that cannot be printed is dropped."""
    with suppress(OSError, ValueError):
        print(text, file=stream or sys.stderr, flush=True)


def finish(code: int, program: str) -> int:
    """Flush the standard streams, and return the exit code: a success only if it was printed.

    What cannot be written is dropped. Otherwise Python would try again at its end, and replace the
    exit code by 120.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = code or BROKEN_PIPE
        _drop(sys.stdout)
    except OSError as error:
        if not code:
            print_note(f"{program}: {_not_printed(error)}")
        code = code or 1
        _drop(sys.stdout)
    try:
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)
    return code


def _not_printed(error: OSError) -> str:
    """Return a message about standard output that cannot be written."""
    reason = "it is closed" if error.errno == errno.EBADF else error.strerror or error
    return f"The result cannot be printed to standard output: {reason}"


def _drop(stream: IO[str]) -> None:
    """Lead a stream to the null device, with what it has not written yet."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()
