"""Text style of boards: icons, names and colours of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from hyperoxo.errors import SpecError
from hyperoxo.game import LETTERS
from hyperoxo.notation import Record
from hyperoxo.notation.stones import ICONS, NAMES

ASCII_ICONS = LETTERS
"""Icons of players 1 to 8 on ASCII terminals."""

COLOURS = (
    "#2f7fc1",
    "#d9541e",
    "#1f9d76",
    "#b0841a",
    "#b565a7",
    "#3fa7bf",
    "#8a8f98",
    "#c9a800",
)
"""Middle tones, readable on light and dark ground and apart for colour-blind eyes."""

NARROWEST = 16
_WIDEST_ICON = 2


@dataclass(frozen=True)
class BoardStyle:
    """Text style of a board; more icons than players are allowed, as saved games keep them."""

    icons: tuple[str, ...]
    free: str = "·"
    blocked: str = "▒"
    numbers: bool = False
    width: int = 80

    @classmethod
    def of(
        cls,
        players: int,
        *,
        ascii_only: bool = False,
        icons: Sequence[str] | None = None,
        numbers: bool = False,
        width: int = 80,
    ) -> BoardStyle:
        """Make the look of a game."""
        free, blocked = (".", "#") if ascii_only else ("·", "▒")
        chosen = tuple(icons) if icons else ASCII_ICONS if ascii_only else ICONS
        if icons:
            _check_icons(chosen, players)
        used = chosen if icons else chosen[:players]
        return cls(used, free, blocked, numbers, max(width, NARROWEST))

    def icon(self, player: int) -> str:
        """Return the stone of `player`, 1-based."""
        return self.icons[player - 1]

    def name(self, player: int) -> str:
        """Return the name of `player`: Cross, Ring, ..., or the icon itself."""
        return NAMES.get(self.icon(player), self.icon(player))

    def title(self, player: int) -> str:
        """Return the name and the icon of `player`."""
        return " ".join(dict.fromkeys((self.name(player), self.icon(player))))

    def colour(self, player: int) -> str:
        """Return the colour of `player`, as ``#rrggbb``."""
        return COLOURS[player - 1]

    def with_icons(self, players: int, icons: Sequence[str] = ()) -> BoardStyle:
        """Return the same look with other icons, or the usual ones if none are given."""
        return replace(self, icons=BoardStyle.of(players, ascii_only=self.plain, icons=icons).icons)

    @property
    def plain(self) -> bool:
        """True if it is for terminals that know ASCII only."""
        return self.free == "."


def style_of(record: Record, style: BoardStyle) -> BoardStyle:
    """Return a look with the icons of a record, if it has any that can be drawn."""
    players = record.game.players
    icons = record.icons
    if style.plain and any(not icon.isascii() for icon in icons[:players]):
        icons = ()
    try:
        return style.with_icons(players, icons)
    except SpecError:
        return style.with_icons(players)


def _check_icons(icons: tuple[str, ...], players: int) -> None:
    if len(icons) < players:
        raise SpecError(f"{players} players need {players} icons, not {len(icons)}")
    for icon in icons[:players]:
        if not icon.isprintable() or not 1 <= cell_len(icon) <= _WIDEST_ICON or icon.isspace():
            raise SpecError(f"icon '{icon}' must be one or two columns wide")
        if icon in (".", "·", "#", "▒"):
            raise SpecError(f"icon '{icon}' is the sign of a free or blocked cell")
    if len({*icons[:players]}) < players:
        raise SpecError("two players have the same icon")
