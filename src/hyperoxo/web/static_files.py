"""The files that browsers load: our scripts and styles, and the two libraries of the pages.

All are served under an address that contains a digest of all of them, so that browsers keep them
for good and still never mix versions.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

from fastapi import Request
from fastapi.responses import Response

FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_FOREVER = "public, max-age=31536000, immutable"
_LEAST = 500
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^"=;]*\sfrom\s)?"([^"]+)";', re.MULTILINE)


def _libraries() -> dict[str, Path]:
    """Return where Vue and three.js lie; the package that ships them is not imported."""
    found = importlib.util.find_spec("nicegui")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0])
    return {
        "vue.js": folder / "static" / "vue.esm-browser.prod.js",
        "three.js": folder / "elements" / "scene" / "dist" / "index.js",
    }


LIBRARIES = _libraries()
"""Files of other packages, by the name they are served under."""

NAMES = {"vue": "vue.js", "three": "three.js", "hyperoxo": "lib/index.js"}
"""Files that scripts import by a name alone."""


def _digest() -> str:
    found = hashlib.sha256(version("nicegui").encode())
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


URL = f"/static/{_digest()}"
"""Where the files are served."""


@cache
def _content(name: str) -> tuple[bytes, bytes] | None:
    """Return a file as it is, and compressed."""
    path = LIBRARIES.get(name) or FOLDER / name
    if path.suffix not in _TYPES or ".." in name or not path.is_file():
        return None
    raw = path.read_bytes()
    return raw, gzip.compress(raw, 9, mtime=0)


def answer(request: Request, digest: str, name: str) -> Response | None:
    """Return a file, or None where there is none."""
    found = _content(name)
    if found is None:
        return None
    media = _TYPES[Path(name).suffix]
    # A page of an earlier version may still ask: it gets what there is, but must not keep it.
    keep = _FOREVER if f"/static/{digest}" == URL else "no-store"
    made = compressed(request, *found, media)
    made.headers["Cache-Control"] = keep
    return made


def compressed(request: Request, raw: bytes, small: bytes, media: str) -> Response:
    """Return an answer, compressed where the browser can read that and it pays."""
    headers = {"Vary": "Accept-Encoding"}
    if len(raw) >= _LEAST and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        raw = small
    return Response(raw, media_type=media, headers=headers)


@cache
def imported(name: str) -> tuple[str, ...]:
    """Return the files that a script imports, directly or not, itself included."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found[one] = None
        if one in LIBRARIES:
            continue
        here = (FOLDER / one).parent
        for asked in _IMPORT.findall((FOLDER / one).read_text("utf-8")):
            if asked.startswith("."):
                waiting.append((here / asked).resolve().relative_to(FOLDER).as_posix())
            else:
                waiting.append(NAMES[asked])
    return tuple(found)
