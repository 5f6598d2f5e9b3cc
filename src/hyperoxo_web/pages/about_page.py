"""What this is, how to play, and where to read more."""

from __future__ import annotations

from html import escape

from hyperoxo import __version__
from hyperoxo_web.pages.shell import words

_TEXT = """
# The game

A board has cells and lines. Players take turns to put a stone on a free cell; a player who
owns a full line wins. On n^d the cells are all d-tuples of n numbers, and a line is n cells in a
row, along an axis or along a diagonal of any kind: 3^2 is the classic, 4^3 is Qubic, 3^4 is
the tesseract.

Up to eight players, several lines to win, misère, gravity, blocked cells and restricted
openings go together in any way.

# The table

Press a cell of the flat board or of the board in space. Drag the board in space to turn it;
Ctrl and the wheel, two fingers, or the signs in its corner zoom.

Pointing at a cell shows its lines: the brighter cells lie on lines that one player alone
could still fill. A seat shows its lines when it is pressed.

Looking back changes nothing: press a move in the list, or Backspace. Play another move
there, and it becomes a branch. The key ? lists all keys.

# Playing at a distance

Links shows one link a seat. Anyone with the link of a seat can play it, so give it to that
person only. The address in the bar is for watching. Among people, going back, swapping
seats and a draw need everybody's consent.

# Values

W 5 wins in five moves of either side, this one included; L 4 loses in four, = is a draw.
These are proved: by a table, a theorem, exact search or a chain of threats. W ≤9 is proved
as well, but best play may be shorter. Plain numbers are what a search tree makes of it, in
per cent of the points: estimates, and no more.

With three or more players a value is what the player to move can force against all the
others together.
"""
_LINKS = (
    ("/api/docs", "The HTTP interface"),
    ("/api/openapi.json", "The same for programs"),
)


def about_page() -> str:
    """Return the page."""
    parts = [
        "<h1>hyperoxo</h1>",
        f"<p>Tic-tac-toe on boards of any side and any dimension. Version {__version__}.</p>",
    ]
    for paragraph in _TEXT.strip().split("\n\n"):
        tag = "h2" if paragraph.startswith("# ") else "p"
        parts.append(f"<{tag}>{escape(paragraph.removeprefix('# '))}</{tag}>")
    links = "".join(f'<li><a href="{path}">{name}</a></li>' for path, name in _LINKS)
    parts.append(f"<h2>For programs</h2><ul>{links}</ul>")
    content = f'<div class="page prose">{"".join(parts)}</div>'
    return words("/about", "About", content, ["about"])
