# SPDX-License-Identifier: GPL-3.0-or-later
"""Where commands report to: results on stdout; progress, warnings and errors on stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from . import streams

REDRAW = 0.1
"""Seconds between two states of the line on a terminal."""
LINE, LONGEST = 0.1, 60.0
"""In a log: share of the work between two lines, and most seconds without one."""
LEAST = 1.0
"""Seconds between two lines in a log, and before the time left is estimated."""
UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))


class Console:
    """What one run of a command reports.

    Parameters
    ----------
    program : stands before warnings and errors
    as_json : stdout is for the result in JSON alone; what else would be there goes to stderr
    """

    def __init__(self, program: str, as_json: bool = False) -> None:
        self.program, self.as_json = program, as_json
        self._progress: Progress | None = None
        self._unsaid: OSError | None = None

    def progress(self, total: float = 0.0, unit: str = "") -> Progress:
        """Start to report progress; ``total`` of the units is the rate counted in."""
        self.close()
        self._progress = Progress(sys.stderr, total, unit)
        return self._progress

    def say(self, text: str) -> None:
        """Print a line of the result that is known before its end.

        The work goes on if it cannot be printed; :meth:`result` tells of it.
        """
        self._clear()
        if self.as_json:
            streams.print_note(text)
            return
        try:
            streams.print_result(text)
        except OSError as error:
            self._unsaid = error

    def warn(self, text: str) -> None:
        """Print a warning or an error."""
        self._clear()
        streams.print_note(f"{self.program}: {text}")

    def result(self, text: str, data: Mapping[str, Any]) -> None:
        """Print the result, with which the run ends; OSError if not all of it could be."""
        self.close()
        shown = json.dumps(data, indent=2, allow_nan=False) if self.as_json else text
        if shown:
            streams.print_result(shown)
        if self._unsaid is not None:
            raise self._unsaid

    def close(self) -> None:
        """Clear the line of the progress."""
        self._clear()
        self._progress = None

    def _clear(self) -> None:
        if self._progress is not None:
            self._progress.clear()


class Progress:
    """The progress of a run: a line that changes on a terminal, lines in a log.

    A short run leaves no lines in a log.

    Parameters
    ----------
    stream : where to
    total, unit : what the rate is counted in, such as 1e6 ``points``
    """

    def __init__(self, stream: IO[str], total: float = 0.0, unit: str = "") -> None:
        self._stream, self._total, self._unit = stream, total, unit
        self._terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._start = self._then = time.monotonic()
        self._share, self._width = 0.0, 0

    def __call__(self, share: float, text: str = "") -> None:
        """Report the share that is done, 0 to 1, and what is being done."""
        now = time.monotonic()
        if self._is_due(share, now):
            line = self._line(share, text, now - self._start)
            self._then, self._share = now, share
            if self._terminal:
                self._draw(line)
            else:
                streams.print_note(line, self._stream)

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _is_due(self, share: float, now: float) -> bool:
        passed = now - self._then
        if self._terminal:
            return passed >= REDRAW
        return passed >= LONGEST or (passed >= LEAST and share - self._share >= LINE)

    def _line(self, share: float, text: str, seconds: float) -> str:
        parts = [f"{100 * share:3.0f} %"]
        if self._total and seconds:
            parts.append(f"{count(self._total * share / seconds)} {self._unit}/s")
        if share > 0 and seconds >= LEAST:
            parts.append(f"{duration(seconds * (1 - share) / share)} left")
        return ", ".join([*parts, text] if text else parts)

    def _draw(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]  # a line that wraps is not cleared
        self._write("\r" + line.ljust(self._width))
        self._width = len(line)

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone takes nothing from the work
            self._stream.write(text)
            self._stream.flush()


def count(number: float) -> str:
    """Format a number in three digits: ``1.25 M``."""
    size, letter = next((unit for unit in UNITS if number >= unit[0]), (1.0, ""))
    return f"{number / size:.3g}{letter}"


def duration(seconds: float) -> str:
    """Format a duration as exactly as an estimate deserves."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
