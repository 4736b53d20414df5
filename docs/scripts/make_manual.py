# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the guide and the reference as HTML pages, which the extension's zip brings along.

    python docs/scripts/make_manual.py FOLDER

Needs markdown-it-py. The folder is terrain_addon/manual of a source tree. Links between the pages
stay between them, pictures of layers are the small ones of the menu; the rest is on the site.
"""

from __future__ import annotations

import os
import re
import sys
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCS = Path(__file__).resolve().parents[1]
LAYER_PICTURES = DOCS.parent / "terrain_addon" / "blender" / "data" / "layer_pictures"
SITE = "https://github.com/orogen-terrain/orogen"
STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 52rem; padding: 1.5rem;
  color: #222; background: #fff }
nav { font-size: 14px; line-height: 1.9; border-bottom: 1px solid #bbb; padding-bottom: .7rem }
nav a { margin-right: .9rem; white-space: nowrap }
a { color: #0b62a8 } img { max-width: 100% } code, pre { background: #eee; border-radius: 3px }
code { padding: 0 .2rem } pre { padding: .7rem; overflow-x: auto }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: .3rem .5rem;
  text-align: left; vertical-align: top }
:target { background: #fff3bf }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1d1d1d }
  a { color: #7ab8f0 } code, pre { background: #333 } :target { background: #554a10 } }
"""


def main(folder: Path) -> None:
    """Write all pages; those of an older manual are removed.

    Pages are replaced one by one, as another process may be packing them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sources = sources_of()
    for old in {*folder.glob("*.html")} - {folder / f"{path.stem}.html" for path in sources}:
        old.unlink(missing_ok=True)
    titles = {path: first_line(path).removeprefix("# ") for path in sources}
    links = (f'<a href="{path.stem}.html">{escape(title)}</a>' for path, title in titles.items())
    nav = f"<nav>{' '.join(links)}</nav>"
    for path, title in titles.items():
        head = f"<meta charset='utf-8'><title>{escape(title)}</title><style>{STYLE}</style>"
        text = f"<!DOCTYPE html><html lang='en'><head>{head}</head><body>{nav}{body(path)}</body>"
        beside = folder / f".{path.stem}.{os.getpid()}"  # the zip leaves out dot files
        beside.write_text(text + "</html>\n", encoding="utf-8")
        beside.replace(folder / f"{path.stem}.html")


def sources_of() -> list[Path]:
    """Return the pages, the tasks and the user guide first."""
    first = [DOCS / "guide" / name for name in ("tasks.md", "user-guide.md")]
    others = sorted({*(DOCS / "guide").glob("*.md")} - {*first})
    return [*first, *others, DOCS / "reference.md"]


def first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().strip()


def body(path: Path) -> str:
    """Return a page as HTML."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(path.read_text(encoding="utf-8"))
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(content.content))
    for token in tokens:
        for child in token.children or ():
            _redirect(child, path)
    return parser.renderer.render(tokens, parser.options, {})


def anchor(title: str) -> str:
    """Return the name of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _redirect(token: Token, path: Path) -> None:
    """Let a link or a picture lead to where its target is, seen from a folder of HTML pages."""
    for name in ("href", "src"):
        address = str(token.attrGet(name) or "")
        if not address or address.startswith(("http", "#", "mailto:")):
            continue
        target, mark, heading = address.partition("#")
        file = (path.parent / target).resolve()
        small = LAYER_PICTURES / f"{file.stem.removeprefix('layer_')}.png"
        if name == "src" and small.is_file():
            token.attrSet(name, f"../blender/data/layer_pictures/{small.name}")
        elif file in sources_of():
            token.attrSet(name, f"{file.stem}.html{mark}{heading}")
        else:
            kind, inside = "raw" if name == "src" else "blob", file.relative_to(DOCS.parent)
            token.attrSet(name, f"{SITE}/{kind}/main/{inside.as_posix()}{mark}{heading}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
