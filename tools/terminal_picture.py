#!/usr/bin/env python3
"""Draw the terminal application as an SVG picture: a game of Qubic with its analysis.

Usage: tools/terminal_picture.py PICTURE

PICTURE is the .svg file to make. The font is left to the viewer.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import hyperoxo as ox
from hyperoxo.play.session import Session
from hyperoxo.terminal.tui.app import HyperoxoApp

MOVES = (0, 21, 3, 22, 12, 63, 15)
SIZE = (118, 40)


async def picture(path: Path) -> None:
    """Play the moves, let the analysis finish, and keep what the screen shows."""
    session = Session(ox.Game("4^3").start(), ["human", "human"])
    for cell in MOVES:
        session.play(cell)
    app = HyperoxoApp(session, seed=1, theme="light", analysis_seconds=3)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        while not (found := session.analyses.get(session.node)) or not found.finished:
            await pilot.pause(0.1)
        await pilot.pause(0.3)
        drawn = app.export_screenshot(title="oxo tui 4^3")
    # Text stays text, and nothing is asked of the network.
    drawn = re.sub(r"@font-face\s*\{.*?\}", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"<!--.*?-->", "", drawn, flags=re.DOTALL)
    path.write_text(drawn.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(picture(Path(sys.argv[1])))
