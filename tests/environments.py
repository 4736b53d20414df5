# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a program in one of the project's pinned environments; uv makes it where it is missing.

python3 tests/environments.py NAME PROGRAM [ARGUMENT...]
python3 tests/environments.py --skipped                  list the environments skipped here

NAME is core, core-oldest, checks, blender-4.2, blender-4.5, blender-5.2, or blender for the
newest of these that this machine has a Python for. The pins are in tests/requirements.
"""

import ctypes
import fcntl
import hashlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Python 3.11 or newer is needed: make PYTHON=/path/to/python3.13 ...")

UV = "0.13.8"
ANY = ("3.13", "3.12", "3.11")
PYTHONS = {
    "core": ANY,
    "checks": ANY,
    "core-oldest": ("3.11",),
    "blender-4.2": ("3.11",),
    "blender-4.5": ("3.11",),
    "blender-5.2": ("3.13",),
}
REQUIREMENTS = Path(__file__).parent / "requirements"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "orogen"
CI = os.environ.get("CI") == "true"

# Libraries that `import bpy` and its off-screen drawing load, and the Debian package of each.
LIBRARIES = {
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
# FastNoiseLite.h (MIT license, https://github.com/Auburn/FastNoiseLite), from the sources of its
# Python binding: a test compiles the exported code with it.
HEADER_URL = (
    "https://files.pythonhosted.org/packages/f9/2e/"
    "c975e8f5a1a5fa598b3eb4e64e2e7ab0fc8049c08811f16ef6bfd9696beb/pyfastnoiselite-0.0.5.tar.gz"
)
HEADER_SHA256 = "1e2835087b978475be6a412e76c2fabc25039d1089579cd88d1c85ca6cf9d114"
HEADER = "pyfastnoiselite-0.0.5/ext/FastNoise/Cpp/FastNoiseLite.h"


def main(arguments: list[str]) -> None:
    name, *command = arguments or [""]
    if name == "--skipped":
        for other in PYTHONS:
            if not _environment(other).is_dir() and not _find_python(other):
                print(f"SKIPPED: {_missing_python(other)}")
        return
    if name == "blender":
        releases = [other for other in reversed(PYTHONS) if other.startswith("blender")]
        usable = next(filter(_find_python, releases), None)
        name = usable or sys.exit(_missing_python(releases[0]))
    if name not in PYTHONS or not command:
        sys.exit(__doc__)
    _run(name, command)


def _run(name: str, command: list[str]) -> None:
    """Replace this process by a program of an environment, such as `python` or `pytest`.

    A Blender release whose Python is missing is skipped with a loud line, so that the rest of a
    test run can go on. CI tests every release, so there it is an error.
    """
    folder = _environment(name)
    with _lock(folder):
        if not _is_complete(folder):
            python = _find_python(name)
            if python is None and (CI or PYTHONS[name] is ANY):
                sys.exit(_missing_python(name))
            if python is None:
                print(f"\n{'=' * 80}\nSKIPPED: {_missing_python(name)}\n{'=' * 80}\n", flush=True)
                return
            _make(name, python, folder)
    programs = folder / "bin"
    os.environ["PATH"] = os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath)))
    os.environ["PYTHONNOUSERSITE"] = "1"
    try:
        os.execv(programs / command[0], command)
    except FileNotFoundError:
        sys.exit(f"The environment {name} has no program {command[0]!r}")


def _environment(name: str) -> Path:
    """Return the folder of an environment, named after its pins."""
    pins = f"{requirements(name)}\n{HEADER_SHA256}"
    return CACHE / "envs" / f"{name}-{hashlib.sha256(pins.encode()).hexdigest()[:12]}"


def requirements(name: str) -> str:
    """Return the pins of an environment, one per line, those of included files too."""
    lines = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(
        requirements(line[3:].removesuffix(".txt")) if line.startswith("-r ") else line
        for line in lines
        if not line.startswith("#")
    )


def _make(name: str, python: str, folder: Path) -> None:
    """Make an environment; the stamp `complete` is written last."""
    _say(f"Making the environment {name} with {python} in {folder}")
    if "bpy==" in requirements(name):
        _require([package for library, package in LIBRARIES.items() if not _loads(library)])
    shutil.rmtree(folder, ignore_errors=True)
    uv = _uv()
    _call(uv, "venv", "--quiet", "--no-project", "--python", python, folder)
    sources, env = _pip_settings(uv.with_name("python"))
    sync = (uv, "pip", "sync", "--quiet", "--only-binary", ":all:", *sources)
    _call(*sync, "--python", folder, REQUIREMENTS / f"{name}.txt", env=env)
    if "bpy==" in requirements(name):
        # Ends without Python's own shutdown, in which some releases of bpy crash.
        _call(folder / "bin" / "python", "-c", "import bpy, os; os._exit(0)")
    if "pyfastnoiselite==" in requirements(name) and (trouble := _fetch_header(folder / "include")):
        _say(f"FastNoiseLite.h is missing, so nothing will be compiled with it: {trouble}")
    (folder / "complete").touch()


def _is_complete(folder: Path) -> bool:
    return (folder / "complete").exists() and (folder / "bin" / "python").exists()


def _uv() -> Path:
    """Return the pinned uv, installed by pip into an environment of its own."""
    folder = CACHE / f"uv-{UV}"
    uv = folder / "bin" / "uv"
    with _lock(folder):
        if not _is_complete(folder):
            # Debian's Python has ensurepip in a package of its own.
            pythons = [sys.executable, *(f"{bin}/python3" for bin in _pyenv_folders())]
            usable = [one for one in pythons if _output(one, "-c", "import ensurepip") is not None]
            if not usable:
                _require([f"python3.{sys.version_info.minor}-venv"])
            shutil.rmtree(folder, ignore_errors=True)
            _call((usable or pythons)[0], "-m", "venv", folder)
            pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-qq")
            _call(*pip, "install", "--only-binary", ":all:", f"uv=={UV}")
            (folder / "complete").touch()
    return uv


def _find_python(name: str) -> str | None:
    """Return an interpreter for an environment, from PATH or pyenv's folder; None without one."""
    env = {"PATH": os.pathsep.join((os.environ.get("PATH", os.defpath), *_pyenv_folders()))}
    for version in PYTHONS[name]:
        if found := _output(_uv(), "python", "find", "--system", "--no-project", version, env=env):
            return found.strip()
    return None


def _pyenv_folders() -> list[str]:
    root = os.environ.get("PYENV_ROOT") or _output("pyenv", "root") or "~/.pyenv"
    return sorted(map(str, Path(root.strip()).expanduser().glob("versions/3.1[1-9]*/bin")))[::-1]


def _missing_python(name: str) -> str:
    return f"{name} needs Python {' or '.join(PYTHONS[name])}, which neither PATH nor pyenv has"


def _pip_settings(python: Path) -> tuple[list[str], dict[str, str]]:
    """Return pip's package sources as arguments and environment variables of uv."""
    settings: dict[str, str] = {}
    for line in reversed((_output(python, "-m", "pip", "config", "list") or "").splitlines()):
        key, _, value = line.partition("=")
        settings[key.rpartition(".")[2]] = value.strip("'\"").replace("\\n", " ")
    options = {
        "index-url": "--default-index",
        "extra-index-url": "--extra-index-url",
        "find-links": "--find-links",
        "trusted-host": "--allow-insecure-host",
    }
    arguments = ["--index-strategy", "unsafe-best-match"]  # as pip: all sources are equal
    for key, option in options.items():
        arguments += [part for url in settings.get(key, "").split() for part in (option, url)]
    names = {"cert": "SSL_CERT_FILE", "proxy": "ALL_PROXY", "default-timeout": "UV_HTTP_TIMEOUT"}
    return arguments, {name: settings[key] for key, name in names.items() if key in settings}


def _require(packages: list[str]) -> None:
    """Install Debian packages in CI as root; elsewhere end with the line that does it."""
    if not packages:
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    if not CI or os.geteuid():
        sudo = "sudo " if os.geteuid() else ""
        line = f"{sudo}apt-get update && {sudo}{shlex.join(install)}"
        sys.exit(f"System packages are missing. On Debian, this installs them:\n  {line}")
    for command in (["apt-get", "update"], install):
        _call(*command, env={"DEBIAN_FRONTEND": "noninteractive"})


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _fetch_header(folder: Path) -> str | None:
    """Put the header into a folder; return why that failed, or None."""
    try:
        with urllib.request.urlopen(HEADER_URL, timeout=60) as answer:
            content = answer.read()
        if hashlib.sha256(content).hexdigest() != HEADER_SHA256:
            return f"{HEADER_URL} has other contents than expected"
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            header = archive.extractfile(HEADER)
            assert header is not None
            folder.mkdir(exist_ok=True)
            (folder / Path(HEADER).name).write_bytes(header.read())
    except (OSError, KeyError, tarfile.TarError) as error:
        return str(error)
    return None


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Keep two runs from making the same folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _call(*command: str | Path, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, stdout=sys.stderr, check=False, env=os.environ | (env or {}))
    if done.returncode:
        sys.exit(f"Failed (exit code {done.returncode}): {shlex.join(map(str, command))}")


def _output(*command: str | Path, env: dict[str, str] | None = None) -> str | None:
    """Return what a command prints; None if it cannot run or fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | (env or {})
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    # Only the Pythons that are on this machine: nothing downloads another one.
    os.environ |= {"UV_PYTHON_DOWNLOADS": "never", "UV_PYTHON_PREFERENCE": "only-system"}
    main(sys.argv[1:])
