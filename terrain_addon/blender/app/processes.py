# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that work for Blender beside it."""

import subprocess
from typing import IO, Any


def stop(process: "subprocess.Popen[Any] | None", errors: IO[Any] | None) -> None:
    """End a process, if there is one, and close the file of its messages."""
    if process is not None:
        process.kill()
        process.wait()
        if process.stdin:
            process.stdin.close()
    if errors:
        errors.close()
