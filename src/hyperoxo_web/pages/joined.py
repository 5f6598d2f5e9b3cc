"""Scripts of the library joined into one.

Browsers need as long for each file that they ask for as for reading a thousand lines. In one file
all names stand side by side, so no two scripts may use the same one: a browser would refuse the
whole, and a test does. Only forms of `import` and `export` that are listed here are understood.
"""

from __future__ import annotations

import re
from pathlib import Path

LIBRARY = "lib/index.js"
"""What the pages import."""

_TAKEN = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_PASSED = re.compile(r'^export (?:\*|\{[^}]*\}) from "\./([\w.]+)";\n', re.MULTILINE)
_GIVEN = re.compile(r"^export (?=(?:async )?(?:const|let|class|function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def without_comments(script: str) -> str:
    """Return a script without the lines that are comments alone, a sixth of what is sent."""
    return _COMMENT.sub("", script)


def _parts(folder: Path, name: str, found: dict[str, str]) -> dict[str, str]:
    """Return a script and those that it imports, each after those that it needs itself."""
    text = (folder / name).read_text("utf-8")
    here = name.rpartition("/")[0]
    for other in (*(take[1] for take in _TAKEN.findall(text)), *_PASSED.findall(text)):
        if f"{here}/{other}" not in found:
            _parts(folder, f"{here}/{other}", found)
    found[name] = text
    return found


def joined(folder: Path, name: str) -> str:
    """Return a script with those that it imports; what the library holds is taken from there."""
    library = _parts(folder, LIBRARY, {})
    parts = library if name in library else _parts(folder, name, {})
    elsewhere: dict[str, None] = {}
    given: list[str] = []
    texts = []
    for part, text in parts.items():
        if parts is not library and part in library:
            continue
        for names, other in _TAKEN.findall(text):
            if parts is not library and f"{name.rpartition('/')[0]}/{other}" in library:
                elsewhere.update(dict.fromkeys(re.findall(r"\w+", names)))
            if " as " in names:
                raise ValueError(f"{part} imports {names.strip()} by another name")
        plain = _PASSED.sub("", _TAKEN.sub("", text))
        given += _GIVEN.findall(plain)
        plain = _GIVEN.sub("", plain)
        if other := _OTHER.search(plain):
            raise ValueError(f"{part} has a line that cannot be joined: {other[0]}")
        texts.append(plain)
    first = f'import {{ {", ".join(elsewhere)} }} from "hyperoxo";\n' if elsewhere else ""
    return f"{first}{''.join(texts)}export {{ {', '.join(given)} }};\n"
