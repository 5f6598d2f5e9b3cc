"""The window where a new game is set up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, Select

from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.play.look import Look
from hyperoxo.play.presets import OPPONENTS, PRESETS
from hyperoxo.play.session import HUMAN, seats_for
from hyperoxo.play.words import number_of, rules_sentences
from hyperoxo.rules import Game
from hyperoxo.terminal.tui.layout import SIZES, layout_of
from hyperoxo.terminal.tui.table import Table

__all__ = ["MOST_CELLS", "NewGameDialog", "check_drawable", "spelled"]

MOST_CELLS = 5000
"""Boards with more cells are not drawn here."""

_MOST_PLAYERS = 8
_OWN = "own"


def spelled(
    side: str,
    dim: str,
    players: int,
    target: str,
    *,
    misere: bool,
    gravity: bool,
    centre: bool,
    opening: str,
) -> str:
    """Spell the game that the fields of the window stand for."""
    options = []
    if players != 2:
        options.append(f"players={players}")
    if target.strip() not in ("", "1"):
        options.append(f"target={target.strip()}")
    options += [word for word, on in (("misere", misere), ("gravity", gravity)) if on]
    if centre:
        options.append("blocked=centre")
    if opening:
        options.append(f"opening={opening}")
    tail = ":" + ",".join(options) if options else ""
    return f"{side.strip()}^{dim.strip()}{tail}"


def check_drawable(game: Game) -> None:
    """Refuse a board that is too large for a screen."""
    if game.board.cell_count > MOST_CELLS:
        raise LimitError(
            f"{game} has {game.board.cell_count:,} cells, more than the {MOST_CELLS:,} that fit "
            "on a screen; 'oxo play' takes any"
        )


class NewGameDialog(ModalScreen[Table | None]):
    """Board, rules and seats of a new game; the spec can be typed as well."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel"),
        Binding("ctrl+s", "begin", "Start"),
    ]

    def __init__(self, spec: str, seats: Sequence[str]) -> None:
        super().__init__()
        self._spec, self._seats = spec, list(seats)

    def compose(self) -> ComposeResult:
        """Make the window."""
        with VerticalScroll(classes="dialog wide"):
            yield Label("New game", classes="title")
            yield Select(
                [(f"{one.name} - {one.about}", one.spec) for one in PRESETS],
                prompt="A known game",
                id="preset",
                compact=True,
            )
            with Horizontal(classes="row"):
                yield Label("Side", classes="short")
                yield Input("3", id="field-side", type="integer", compact=True, classes="number")
                yield Label("Dimension", classes="short")
                yield Input("2", id="field-dim", type="integer", compact=True, classes="number")
                yield Label("Lines to win", classes="short")
                yield Input("1", id="field-target", type="integer", compact=True, classes="number")
            with Horizontal(classes="row"):
                yield Checkbox("Misère", id="misere", compact=True)
                yield Checkbox("Gravity", id="gravity", compact=True)
                yield Checkbox("Centre blocked", id="centre", compact=True)
                yield Checkbox("First move poor", id="poor", compact=True)
            with Horizontal(classes="row"):
                yield Label("Players", classes="short")
                yield Select(
                    [(str(count), count) for count in range(2, _MOST_PLAYERS + 1)],
                    value=2,
                    allow_blank=False,
                    id="players",
                    compact=True,
                )
                yield Label("Spelled", classes="short")
                yield Input(self._spec, id="field-spec", compact=True)
            yield Label("", id="about", classes="dim")
            with Vertical(id="field-seats"):
                for player in range(1, _MOST_PLAYERS + 1):
                    yield self._seat_row(player)
            with Horizontal(classes="row"):
                yield Button("Start", variant="primary", id="start")
                yield Button("Cancel", id="cancel")

    def _seat_row(self, player: int) -> Horizontal:
        look = Look.of(_MOST_PLAYERS)
        return Horizontal(
            Label(f"{look.icon(player)} {look.name(player)}", classes="seat-name"),
            Select(
                [*OPPONENTS, ("Own spec", _OWN)],
                allow_blank=False,
                id=f"seat{player}",
                value=HUMAN,
                compact=True,
            ),
            Input(placeholder="mcts:seconds=2", id=f"own{player}", classes="own", compact=True),
            classes="row seat",
            id=f"row{player}",
        )

    def on_mount(self) -> None:
        """Fill the fields in from the game there is."""
        self._take(self._spec, self._seats)
        self.query_one("#preset").focus()

    def _take(self, spec: str, seats: Sequence[str]) -> None:
        """Show a game in all fields."""
        with self.prevent(Input.Changed, Checkbox.Changed, Select.Changed):
            self.query_one("#field-spec", Input).value = spec
            try:
                game = Game(spec)
            except HyperoxoError:
                return
            if game.board.side is not None:
                self.query_one("#field-side", Input).value = str(game.board.side)
                self.query_one("#field-dim", Input).value = str(game.board.dim)
            self.query_one("#field-target", Input).value = str(game.target)
            self.query_one("#misere", Checkbox).value = game.misere
            self.query_one("#gravity", Checkbox).value = game.gravity is not None
            self.query_one("#centre", Checkbox).value = "centre" in spec
            self.query_one("#poor", Checkbox).value = "opening=poor" in spec
            self.query_one("#players", Select).value = game.players
            chosen = list(seats) if len(seats) == game.players else seats_for(game)
            for player, seat in enumerate(chosen, start=1):
                self._show_seat(player, seat)
        self._look_at_spec()

    def _show_seat(self, player: int, seat: str) -> None:
        known = seat in [spec for _, spec in OPPONENTS]
        self.query_one(f"#seat{player}", Select).value = seat if known else _OWN
        own = self.query_one(f"#own{player}", Input)
        own.value = "" if known else seat
        own.display = not known

    @on(Select.Changed, "#preset")
    def _preset(self, event: Select.Changed) -> None:
        if event.value != Select.NULL:
            self._take(str(event.value), ())

    @on(Input.Changed, "#field-side,#field-dim,#field-target")
    @on(Checkbox.Changed)
    @on(Select.Changed, "#players")
    def _changed(self) -> None:
        """Spell the game that the fields show."""
        spec = spelled(
            self.query_one("#field-side", Input).value,
            self.query_one("#field-dim", Input).value,
            self._players,
            self.query_one("#field-target", Input).value,
            misere=self.query_one("#misere", Checkbox).value,
            gravity=self.query_one("#gravity", Checkbox).value,
            centre=self.query_one("#centre", Checkbox).value,
            opening="poor" if self.query_one("#poor", Checkbox).value else "",
        )
        with self.prevent(Input.Changed):
            self.query_one("#field-spec", Input).value = spec
        self._look_at_spec()

    @on(Input.Changed, "#field-spec")
    def _typed(self) -> None:
        self._look_at_spec()

    @on(Select.Changed, ".seat Select")
    def _seated(self, event: Select.Changed) -> None:
        player = str(event.select.id).removeprefix("seat")
        own = self.query_one(f"#own{player}", Input)
        own.display = event.value == _OWN
        if own.display:
            own.focus()

    @property
    def _players(self) -> int:
        value = self.query_one("#players", Select).value
        return value if isinstance(value, int) else 2

    def _look_at_spec(self) -> None:
        """Say what the spec means, or what is wrong with it, and show as many seats."""
        about = self.query_one("#about", Label)
        about.set_class(False, "wrong")
        try:
            game = self._game()
        except HyperoxoError as error:
            about.update(str(error))
            about.set_class(True, "wrong")
            return
        counts = f"{number_of(game.cells, 'cell')}, {number_of(game.board.line_count, 'line')}"
        size = layout_of(game, SIZES[-1])
        about.update(
            ". ".join([f"{counts}, {size.width} by {size.height} characters at least"])
            + ". "
            + " ".join(rules_sentences(game))
        )
        for player in range(1, _MOST_PLAYERS + 1):
            self.query_one(f"#row{player}").display = player <= game.players

    def _game(self) -> Game:
        game = Game(self.query_one("#field-spec", Input).value.strip())
        check_drawable(game)
        return game

    @on(Button.Pressed, "#cancel")
    def _cancel(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_begin(self) -> None:
        """Begin the game, or say what is wrong."""
        try:
            game = self._game()
            table = Table.new(game.start(), [self._seat(n) for n in range(1, game.players + 1)])
        except HyperoxoError as error:
            about = self.query_one("#about", Label)
            about.update(str(error))
            about.set_class(True, "wrong")
            return
        self.dismiss(table)

    def _seat(self, player: int) -> str:
        chosen = self.query_one(f"#seat{player}", Select).value
        if chosen == _OWN:
            return self.query_one(f"#own{player}", Input).value.strip()
        return str(chosen)
