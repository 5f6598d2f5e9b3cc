"""Static files: our scripts and styles, bundled, and the two libraries of the pages.

All are served under an address with a digest of all of them: browsers cache them forever and
never mix versions. Each request costs some milliseconds, so the scripts of the library are
bundled into one file, and the style sheets of a page as well.

A bundle is one module scope, so no two scripts may define the same name: a browser would refuse
the whole, and a test does. Only the forms of `import` and `export` matched here are supported.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

from fastapi import Request
from fastapi.responses import Response

LIBRARY = "lib.js"
"""Bundle of the folder `lib`, imported by the pages."""

SPACE = "space.js"
"""Bundle of the folder `space`: the view in space, which loads three.js."""

_TAKEN = re.compile(r'^import \{([^}]*)\} from "(\./|\.\./lib/)([\w.]+)";\n', re.MULTILINE)
_GIVEN = re.compile(r"^export (?=(?:async )?(?:const|let|class|function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)

FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_FOREVER = "public, max-age=31536000, immutable"
_LEAST = 500
_MOST = 8  # sheets of a page
_IMPORT = re.compile(r'^import (?:\* as \w+|\{[^}]*\}) from "(\w+)";$', re.MULTILINE)


def _libraries() -> dict[str, Path]:
    """Return the files of Vue and three.js, without importing the package that ships them."""
    found = importlib.util.find_spec("nicegui")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0])
    return {
        "vue.js": folder / "static" / "vue.esm-browser.prod.js",
        "three.js": folder / "elements" / "scene" / "dist" / "index.js",
    }


LIBRARIES = _libraries()
"""Files of other packages, by their served names."""

NAMES = {"vue": "vue.js", "three": "three.js", "hyperoxo": LIBRARY, "space": SPACE}
"""Import map: bare module names and their files."""


_OURS = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}
"""Our files by name: no path is ever made of what a client asks for."""


def _digest() -> str:
    # The files of other packages are those of this version.
    found = hashlib.sha256(version("nicegui").encode())
    for name, path in sorted(_OURS.items()):
        found.update(name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


URL = f"/static/{_digest()}"
"""Address of the files."""


def without_comments(script: str) -> str:
    """Return a script without its comment lines, a sixth of its size."""
    return _COMMENT.sub("", script)


def joined(folder: Path, name: str) -> str:
    """Bundle the scripts of a folder, each after its dependencies."""
    # A depth-first walk of the imports (`texts` is in topological order). Imports inside the bundle
    # and the word `export` are removed; names from the other bundle become one import at its
    # head, and all exported names one export at its end. Any other form is an error.
    texts: dict[str, str] = {}
    library: dict[str, None] = {}
    given: list[str] = []

    def add(path: Path) -> None:
        text = path.read_text("utf-8")
        for names, where, other in _TAKEN.findall(text):
            if " as " in names:
                raise ValueError(f"{path.name} imports {names.strip()} by another name")
            if where != "./":
                library.update(dict.fromkeys(re.findall(r"\w+", names)))
            elif other not in texts:
                add(path.with_name(other))
        plain = _TAKEN.sub("", text)
        given.extend(_GIVEN.findall(plain))
        texts[path.name] = plain = _GIVEN.sub("", plain)
        if found := _OTHER.search(plain):
            raise ValueError(f"{path.name} has a line that cannot be joined: {found[0]}")

    for path in sorted((folder / name.removesuffix(".js")).glob("*.js")):
        if path.name not in texts:
            add(path)
    first = f'import {{ {", ".join(library)} }} from "hyperoxo";\n' if library else ""
    return f"{first}{''.join(texts.values())}export {{ {', '.join(given)} }};\n"


# Bounded, since a client may ask for any combination of sheets.
@lru_cache(maxsize=200)
def _content(name: str) -> tuple[bytes, bytes] | None:
    """Return a file, plain and gzipped."""
    path = LIBRARIES.get(name) or _OURS.get(name)
    if name.endswith(".css"):
        sheets = [_OURS.get(f"{one}.css") for one in name.removesuffix(".css").split("+")]
        found = [sheet for sheet in sheets if sheet is not None]
        if len(sheets) > _MOST or len(found) < len(sheets):
            return None
        raw = b"".join(sheet.read_bytes() for sheet in found)
    elif name in (LIBRARY, SPACE):
        raw = without_comments(joined(FOLDER, name)).encode()
    elif path is None or path.suffix not in _TYPES:
        return None
    elif path.suffix == ".js" and name not in LIBRARIES:
        raw = without_comments(path.read_text("utf-8")).encode()
    else:
        raw = path.read_bytes()
    # Without a time in the header, equal files have equal bytes.
    return raw, gzip.compress(raw, 9, mtime=0)


def sheet(names: Iterable[str]) -> str:
    """Return the URL of a bundle of style sheets."""
    return f"{URL}/{'+'.join(names)}.css"


def answer(request: Request, digest: str, name: str) -> Response | None:
    """Return a file, or None where there is none."""
    found = _content(name)
    if found is None:
        return None
    media = _TYPES[Path(name).suffix]
    # A page of an earlier version may still request a file: it gets the present one, uncached.
    keep = _FOREVER if f"/static/{digest}" == URL else "no-store"
    made = compressed(request, *found, media)
    made.headers["Cache-Control"] = keep
    return made


def compressed(request: Request, raw: bytes, small: bytes, media: str) -> Response:
    """Return a response, gzipped if the browser accepts that and the file is large enough."""
    headers = {"Vary": "Accept-Encoding"}
    if len(raw) >= _LEAST and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        raw = small
    return Response(raw, media_type=media, headers=headers)


@cache
def imported(script: str) -> tuple[str, ...]:
    """Return the files to preload for a page's script, itself included."""
    asked = _IMPORT.findall((FOLDER / script).read_text("utf-8"))
    return (*(NAMES[name] for name in asked), script)
