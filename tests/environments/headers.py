# SPDX-License-Identifier: GPL-3.0-or-later
"""FastNoiseLite's own C++ header, which a test compiles our code with.

It comes from the sources of the binding that the noise is compared with, which have the header of
https://github.com/Auburn/FastNoiseLite (MIT licence).
"""

import hashlib
import io
import tarfile
import urllib.request
from pathlib import Path

URL = (
    "https://files.pythonhosted.org/packages/f9/2e/"
    "c975e8f5a1a5fa598b3eb4e64e2e7ab0fc8049c08811f16ef6bfd9696beb/pyfastnoiselite-0.0.5.tar.gz"
)
SHA256 = "1e2835087b978475be6a412e76c2fabc25039d1089579cd88d1c85ca6cf9d114"
MEMBER = "pyfastnoiselite-0.0.5/ext/FastNoise/Cpp/FastNoiseLite.h"


def fetch(folder: Path) -> str | None:
    """Put the header into a folder; return why that failed, or None.

    A machine that reaches PyPI through a mirror alone can do without: the test is then skipped.
    """
    try:
        with urllib.request.urlopen(URL, timeout=60) as answer:
            content = answer.read()
        if hashlib.sha256(content).hexdigest() != SHA256:
            return f"{URL} has other contents than expected"
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            header = archive.extractfile(MEMBER)
            assert header is not None
            folder.mkdir(exist_ok=True)
            (folder / Path(MEMBER).name).write_bytes(header.read())
    except (OSError, KeyError, tarfile.TarError) as error:
        return str(error)
    return None
