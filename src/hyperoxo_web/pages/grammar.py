"""The table by which pages read and write game specs: `python -m hyperoxo_web.pages.grammar`."""

from __future__ import annotations

import json
from pathlib import Path

from hyperoxo.files import replace_file
from hyperoxo.game.spec import grammar

PATH = Path(__file__).with_name("static") / "lib" / "grammar.js"


def script() -> str:
    """Return the script's text."""
    text = json.dumps(grammar(), indent=1, ensure_ascii=False)
    return f"// Made by `python -m hyperoxo_web.pages.grammar`.\nexport const GRAMMAR = {text};\n"


if __name__ == "__main__":
    replace_file(PATH, script().encode())
