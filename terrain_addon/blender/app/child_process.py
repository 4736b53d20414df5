# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of the command line in a process beside Blender, which ends with Blender."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from . import timers

PACKAGE = Path(__file__).parents[2]
"""Folder of the package, whose core runs without Blender."""
POLL = 0.3
"""Seconds between two looks at the process."""


class ChildProcess:
    """A command that runs in Blender's own Python, one at a time.

    It reads its standard input, which the system closes when Blender ends, and then ends too. All
    methods are for the main thread.

    Parameters
    ----------
    watch : called a few times a second with the exit code, None while the process runs. After an
        exit code, it is not called again
    """

    def __init__(self, watch: Callable[[int | None], None]) -> None:
        self._watch = watch
        self.popen: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._timer = self.poll  # Blender compares functions by identity

    @property
    def is_running(self) -> bool:
        """True from `start` to the call of `watch` with an exit code, or to `stop`."""
        return self.popen is not None

    @staticmethod
    def check() -> None:
        """Raise ValueError where Blender has no Python program."""
        if not os.access(sys.executable, os.X_OK):
            raise ValueError("This Blender has no Python program: use orogen in a terminal")

    def start(self, *command: str) -> None:
        """Run a command with its arguments; ValueError as from `check`."""
        self.check()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (open until the process ends)
        self.popen = subprocess.Popen(
            [sys.executable, "-E", "-s", "-m", PACKAGE.name, *command],
            cwd=PACKAGE.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        timers.start(self._timer, POLL, persistent=True)

    def finish_early(self) -> None:
        """Ask the process to end with what it has; it gets one byte on its standard input."""
        if self.popen is not None and self.popen.stdin:
            try:
                self.popen.stdin.write(b"f")
                self.popen.stdin.flush()
            except OSError:  # it has just ended
                pass

    def wait(self) -> None:
        """Wait until the process ends."""
        if self.popen is not None:
            self.popen.wait()
            self.poll()

    def stop(self) -> None:
        """End the process, if there is one, without a call of `watch`."""
        if self.popen is not None:
            self.popen.kill()
            self.popen.wait()
            if self.popen.stdin:
                self.popen.stdin.close()
        if self._errors:
            self._errors.close()
        self.popen = self._errors = None
        timers.stop(self._timer)

    def error(self, code: int) -> str:
        """Return the last line of its standard error stream, without the name of the program."""
        said = ""
        if self._errors:
            self._errors.seek(0)
            said = self._errors.read().decode("utf-8", "replace").strip()
        last = said.splitlines()[-1] if said else f"The process ended with code {code}"
        return last.removeprefix("orogen: ")

    def poll(self) -> float | None:
        """Look at the process; return seconds to the next look, None for none."""
        process = self.popen
        if process is None:
            return None
        code = process.poll()
        self._watch(code)
        if code is None:
            return POLL
        if self.popen is process:  # not yet replaced by another
            self.stop()
        return None
