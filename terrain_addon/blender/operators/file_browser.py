# SPDX-License-Identifier: GPL-3.0-or-later
"""Base classes of operators that ask for files in the file browser."""

from pathlib import Path
from typing import Any, cast

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty

from .base import UNSEEN, Result


class FileBrowser:
    """Base of operators that open the file browser before they run."""

    filter_folder: BoolProperty(
        name="Folders", description="Show folders", default=True, options=UNSEEN
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        cast(Any, context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    def chosen_file(self) -> Path:
        """Return the file that was chosen; ValueError if none was, as when a script calls this."""
        filepath: str = getattr(self, "filepath")  # noqa: B009  # each operator describes its own
        if not filepath:
            raise ValueError("Choose a file")
        return Path(bpy.path.abspath(filepath))


class ImageBrowser(FileBrowser):
    """Base of operators that ask for an image."""

    filter_image: BoolProperty(
        name="Images", description="Show images", default=True, options=UNSEEN
    )


class FilesBrowser(FileBrowser):
    """Base of operators that ask for files of one folder, which may also be dropped."""

    directory: StringProperty(
        name="Folder", description="Folder of the files", subtype="DIR_PATH", options=UNSEEN
    )
    files: CollectionProperty(
        name="Files",
        description="Files that are read together",
        type=bpy.types.OperatorFileListElement,
        options=UNSEEN,
    )

    @property
    def is_dropped(self) -> bool:
        """True if the user dropped files into the viewport."""
        return bool(self.directory and self.files)

    def chosen(self) -> list[Path]:
        """Return the files that were chosen; none before one was."""
        folder = Path(bpy.path.abspath(self.directory))
        if names := [file.name for file in self.files if file.name]:
            return [folder / name for name in names]
        filepath: str = getattr(self, "filepath")  # noqa: B009
        return [Path(bpy.path.abspath(filepath))] if filepath else []
