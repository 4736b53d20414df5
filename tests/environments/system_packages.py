# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian packages that Blender's Python module needs beside its wheel."""

import ctypes
import os
import shlex
import subprocess
import sys

# The shared libraries that `import bpy` and its off-screen drawing load, and who brings them.
_PACKAGE_OF_LIBRARY = {
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXt.so.6": "libxt6",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libEGL.so.1": "libegl1",
    "libEGL_mesa.so.0": "libegl-mesa0",
    "libgomp.so.1": "libgomp1",
}


def missing_libraries() -> list[str]:
    """Return the Debian packages whose shared libraries cannot be loaded here."""
    if not sys.platform.startswith("linux"):
        return []
    return [package for library, package in _PACKAGE_OF_LIBRARY.items() if not _loads(library)]


def require(packages: list[str]) -> None:
    """Install `packages` where this is a CI run as root, else end with the line that does.

    Raises
    ------
    SystemExit
        Packages are missing and this is not CI, or apt-get could not install them.
    """
    if not packages:
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    if os.environ.get("CI") != "true" or os.geteuid() != 0:
        sys.exit(f"System packages are missing. On Debian this installs them:\n  {_line(install)}")
    for command in (["apt-get", "update"], install):
        print("+", shlex.join(command), file=sys.stderr, flush=True)
        done = subprocess.run(
            command,
            stdout=sys.stderr,
            check=False,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        )
        if done.returncode:
            sys.exit(f"Failed: {shlex.join(command)}")


def _line(install: list[str]) -> str:
    sudo = "" if os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get update && {sudo}{shlex.join(install)}"


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
