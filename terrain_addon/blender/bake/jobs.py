# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake while the window stays awake: a worker makes the pixels, a timer stores the images.

What is asked for while something is being baked waits for its turn. An image is made when the one
before it is stored: there are never the pixels of two.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.numerics import user_message
from ..app.registration import handlers_factory
from ..app.status import redraw
from ..app.worker import POLL, Job, Result, Worker
from .order import Order


@dataclass
class _State:
    worker: Worker = field(default_factory=Worker)
    count: int = 0
    orders: deque[Order] = field(default_factory=deque)
    """The first is at work"""
    asked: bool = False
    """Whether its next image is being made"""
    messages: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """By the session_uid of the terrain's mesh: how its last bake ended, whether it failed"""


_state = _State()


def start(order: Order) -> None:
    """Bake in the background, after what is being baked; :func:`message` tells how it ended."""
    _state.messages.pop(order.mesh, None)
    _state.orders.append(order)
    _ask()
    if not bpy.app.timers.is_registered(_poll):
        bpy.app.timers.register(_poll, first_interval=POLL, persistent=True)


def is_busy() -> bool:
    """Whether something is being baked."""
    return bool(_state.orders)


def waiting() -> int:
    """How many bakes wait until the one at work is done."""
    return max(len(_state.orders) - 1, 0)


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1) and what is at work, None when nothing is being baked.

    What is at work is a layer, or which image of how many.
    """
    worker = _state.worker
    return (worker.share, worker.text) if is_busy() else None


def message(mesh: bpy.types.Mesh) -> tuple[str, bool]:
    """How the last bake of a terrain ended, and whether that was a failure; "" for no news."""
    return _state.messages.get(mesh.session_uid, ("", False))


def cancel() -> None:
    """Drop all bakes; images that are stored already stay."""
    _state.worker.cancel()
    for order in reversed(_state.orders):  # the one at work has the last word
        _tell(order, order.stopped())
        _remember(order)
    _clear()
    redraw()


def finish() -> None:
    """Wait for all bakes and store them."""
    while is_busy():
        _state.worker.join()
        _poll()


def _clear() -> None:
    _state.orders.clear()
    _state.asked = False


def _ask() -> None:
    """Let the worker make the next image, if there is one and it is idle."""
    if not _state.orders or _state.asked:
        return
    _state.count += 1  # each one counts: a newer one does not replace an older one
    order = _state.orders[0]
    _state.asked = True
    _state.worker.ask(Job(_state.count, order, order.make))


def _tell(order: Order, text: str, *, failed: bool = False) -> None:
    _state.messages[order.mesh] = text, failed


def _poll() -> float | None:
    """Timer: store what is done, go on with the next and show the progress."""
    _receive()
    _ask()
    redraw(progress())
    return POLL if is_busy() else None


def _receive() -> None:
    for result in _state.worker.results():
        if is_busy() and result.job.goal is _state.orders[0]:  # else it was cancelled
            _state.asked = False
            _end(_state.orders[0], result)


def _end(order: Order, result: Result) -> None:
    """Store an image, or tell why there is none."""
    error = result.error or _store(order, result.made)
    if error:
        _tell(order, order.failed(error), failed=True)
    elif order.is_done:
        _tell(order, str(order))
    if error or order.is_done:
        _state.orders.popleft()
        _remember(order)


def _store(order: Order, made: Any) -> str:
    """Store an image; what went wrong, "" for nothing."""
    try:
        order.store(made)
    except (ValueError, OSError, MemoryError) as error:
        return user_message(error)
    return ""


def _remember(order: Order) -> None:
    """Make what an order stored one step of the undo history: else the next undo would take it."""
    if order.changed_file and not bpy.app.background:
        bpy.ops.ed.undo_push(message=order.title)


@persistent
def _on_undo(*_: Any) -> None:
    """Undo takes away what is no step yet: the order at work begins again with its images."""
    if _state.orders and _state.orders[0].changed_file:
        _state.worker.cancel()
        _state.orders[0] = _state.orders[0].again()
        _state.asked = False


@persistent
def _on_load(*_: Any) -> None:
    """Images belong to the file that they were baked in."""
    _clear()
    _state.messages.clear()
    _state.worker.cancel()
    _state.worker.join()
    _state.worker.results()


register, _remove_handlers = handlers_factory(
    {"load_pre": _on_load, "undo_post": _on_undo, "redo_post": _on_undo}
)


def unregister() -> None:
    _remove_handlers()
    _on_load()
    if bpy.app.timers.is_registered(_poll):
        bpy.app.timers.unregister(_poll)
