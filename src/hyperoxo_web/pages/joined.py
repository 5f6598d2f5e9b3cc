"""Scripts of a folder joined into one.

Browsers need as long for each file that they ask for as for reading a thousand lines. In one file
all names stand side by side, so no two scripts may use the same one: a browser would refuse the
whole, and a test does. Only forms of `import` and `export` that are listed here are understood.
"""

from __future__ import annotations

import re
from pathlib import Path

LIBRARY = "lib.js"
"""What the pages import: the scripts of the folder `lib`."""

SPACE = "space.js"
"""The view in space, which loads three.js: the scripts of the folder `space`."""

_TAKEN = re.compile(r'^import \{([^}]*)\} from "(\./|\.\./lib/)([\w.]+)";\n', re.MULTILINE)
_GIVEN = re.compile(r"^export (?=(?:async )?(?:const|let|class|function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def without_comments(script: str) -> str:
    """Return a script without the lines that are comments alone, a sixth of what is sent."""
    return _COMMENT.sub("", script)


def joined(folder: Path, name: str) -> str:
    """Return the scripts of the folder of that name, each after those that it needs itself."""
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
