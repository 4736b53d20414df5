# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases in a process of their own: one that crashes or hangs is a failure, and the next follow."""

import faulthandler
import os
import signal
import sys
import tempfile
import traceback
from collections import Counter
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.soak.records import Record, now

SAVE_EVERY = 30.0  # seconds
HANGS = 900.0
"""Seconds after which a case hangs. Far above what any takes on a busy machine."""
SPAWN = get_context("spawn")


def run(record: Record, first: int, count: int) -> Record:
    """Run cases from a seed on, whatever becomes of them, and write the record."""
    record.first, record.last = first, first - 1
    start = saved = now()
    worker = Worker(record, first, count) if count > 0 else None
    while worker:
        message = worker.message()
        record.seconds = now() - start
        if message is None:
            worker = worker.after_its_end(record)
        else:
            take(record, message)
        if now() - saved > SAVE_EVERY:
            record.write()
            saved = now()
    if count > 0:
        record.write()
    print(record, flush=True)
    return record


def take(record: Record, message: dict[str, Any]) -> None:
    """Put what a worker said into a record."""
    record.about |= message.get("about", {})
    record.counts.update(message.get("counts", {}))
    if "failure" in message:
        record.fail(message["seed"], message["failure"], message.get("count", 1))
    record.last = max(record.last, message.get("last", record.last))


class Worker:
    """A process that runs the cases from ``first`` to before ``stop``, and where it is."""

    def __init__(self, record: Record, first: int, count: int) -> None:
        self.stop = first + count
        self.seed = first
        self._ended = False
        self._folder = tempfile.TemporaryDirectory(
            prefix="orogen-soak-", ignore_cleanup_errors=True
        )
        self._pipe, theirs = SPAWN.Pipe(duplex=False)
        arguments = (theirs, record.name, record.variant, first, count, self._folder.name)
        self._process = SPAWN.Process(target=serve, args=arguments)
        self._process.start()
        theirs.close()

    def message(self) -> dict[str, Any] | None:
        """Return what it says next; None if it has ended or hangs."""
        if not self._pipe.poll(HANGS):
            os.kill(self._process.pid or 0, signal.SIGABRT)  # faulthandler writes where it was
            return None
        try:
            message = self._pipe.recv()
        except EOFError:
            return None
        self.seed = message.get("next", self.seed)
        self._ended = self._ended or "ended" in message
        return message

    def after_its_end(self, record: Record) -> "Worker | None":
        """Return a worker for the cases after the one that ended this one; None if it was done."""
        self._process.join(10)
        self._process.kill()
        self._process.join()
        log = (Path(self._folder.name) / "log").read_text(encoding="utf-8", errors="replace")
        self._folder.cleanup()
        if self._ended:
            return None
        how = f"the process ended with {self._process.exitcode}"
        record.fail(self.seed, f"{log[-3000:]}\n{how}")
        record.last = self.seed
        left = self.stop - self.seed - 1
        return Worker(record, self.seed + 1, left) if left > 0 else None


def subject(name: str) -> Any:
    """Return the module of a subject: of this folder, or by its full name."""
    return import_module(name if "." in name else f"tests.soak.{name}")


def serve(pipe: Connection, name: str, variant: str, first: int, count: int, place: str) -> None:
    """Run cases and send what they found; in the worker."""
    folder = Path(place)
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    faulthandler.enable()
    os.environ["BLENDER_USER_RESOURCES"] = str(folder / "profile")
    # Of a parent that imported bpy: its folder of scripts holds a package bpy too.
    sys.path[:] = [one for one in sys.path if f"{os.sep}bpy{os.sep}" not in one]
    last = first + count - 1
    try:
        with subject(name).cases(variant, folder) as case:
            pipe.send({"about": _blender()})
            for seed in range(first, first + count):
                pipe.send({"next": seed})
                counts: Counter[str] = Counter()
                message: dict[str, Any] = {"last": seed}
                try:
                    case(seed, counts)
                except Exception:
                    message |= {"seed": seed, "failure": traceback.format_exc()}
                pipe.send(message | {"counts": counts})
                os.ftruncate(log, 0)
    except Exception:  # what holds for all cases together
        pipe.send({"seed": first, "count": count, "last": last, "failure": traceback.format_exc()})
    pipe.send({"ended": True})
    pipe.close()
    sys.stdout.flush()
    os._exit(0)  # Python's own shutdown crashes in some releases of bpy


def _blender() -> dict[str, str]:
    bpy: Any = sys.modules.get("bpy")
    return {"blender": bpy.app.version_string} if bpy else {}
