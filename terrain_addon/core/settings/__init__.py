# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared settings, registries of kinds, strict JSON, and atomic file writes."""

from .array_files import save_array
from .atomic_files import check_place, replaced
from .atomic_folders import replaced_folder, sync
from .input_files import check_regular
from .owned_files import remove_file
from .params import NOT_ZERO, USUAL_LENGTH, Setting, Settings, param, settings_of
from .pending_file import PendingFile
from .work_folder import work_folder
from .write_errors import NotWritten

__all__ = [
    "NOT_ZERO",
    "USUAL_LENGTH",
    "NotWritten",
    "PendingFile",
    "Setting",
    "Settings",
    "check_place",
    "check_regular",
    "param",
    "remove_file",
    "replaced",
    "replaced_folder",
    "save_array",
    "settings_of",
    "sync",
    "work_folder",
]
