"""Windows over the game: a new game, a file's name, the list of keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table as Grid
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option as Choice

from hyperoxo.agents import LEVELS, opponents
from hyperoxo.board.registry import KINDS
from hyperoxo.display import number_of
from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.game import MAX_PLAYERS, Game
from hyperoxo.game.describe import describe_rules
from hyperoxo.game.spec import OPTIONS, Option
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.presets import PRESETS
from hyperoxo.play.session import HUMAN, LEVEL, Session, seats_for
from hyperoxo.terminal.tui.board import BoardView
from hyperoxo.terminal.tui.layout import SIZES, layout_of

FILE_HINT = "The ending tells the notation: .oxo .pgn .json .sgf. Esc leaves."


class TickBox(Checkbox):
    """A box with a tick or nothing in it: a cross would look like a stone."""

    BUTTON_INNER = "✓"


class TextDialog(ModalScreen[str | None]):
    """Prompts for text, such as a file name; the result is None if the user cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(self, title: str, proposed: str = "", hint: str = FILE_HINT) -> None:
        super().__init__()
        self._title, self._proposed, self._hint = title, proposed, hint

    def compose(self) -> ComposeResult:
        """Make the window."""
        with Vertical(classes="dialog small"):
            yield Label(self._title, classes="title")
            example = "game.pgn" if self._hint == FILE_HINT else ""
            yield Input(self._proposed, placeholder=example, id="file")
            yield Label(self._hint, classes="dim")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the typed text."""
        self.dismiss(event.value.strip())


class LevelDialog(ModalScreen[Session | None]):
    """Asks for the level of the opponent; answers with the game against it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Usual level")]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        """Make the window."""
        levels = OptionList(*(Choice(f"{one.title}: {one.about}", one.spec) for one in LEVELS))
        levels.highlighted = levels.get_option_index(LEVEL)
        with Vertical(classes="dialog wide"):
            yield Label("Choose your opponent", classes="title")
            yield levels

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        first, rng = self._session.position, self._session.rng
        self.dismiss(Session(first, seats_for(first.game, level=event.option_id or LEVEL), rng))


class HelpDialog(ModalScreen[None]):
    """Lists the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss(None)", "Close")
    ]

    def compose(self) -> ComposeResult:
        """Make the window."""
        rows: dict[str, list[str]] = {}
        for one in Binding.make_bindings([*BoardView.BINDINGS, *self.app.BINDINGS]):
            keys = rows.setdefault(one.tooltip or one.description, [])
            keys.append(self.app.get_key_display(one))
        grid = Grid.grid(padding=(0, 3, 0, 0))
        for meaning, keys in rows.items():
            grid.add_row(", ".join(keys), meaning)
        grid.add_row("tab", "To the list of moves; Enter there jumps")
        with VerticalScroll(classes="dialog", can_focus=True):
            yield Label("Keys", classes="title")
            yield Static(grid)


MOST_CELLS = 5000
"""Boards with more cells are not drawn here."""

_OWN = "own"
_SIZES = KINDS["hypercube"].fields
_OFFERED = [option for option in OPTIONS if option.name != "players"]
_TICKED = ("flag", "axis", "axes")
_ROWS = ((3, ("number",)), (4, _TICKED), (2, ("word", "numbers", "count", "cells", "opening")))
"""Forms of options that share rows, and how many share one."""
_BY_NAME = {option.name: option for option in OPTIONS}


def _options_of(spec: str) -> dict[str, str]:
    """Return the options of a spec with their values as spelled, "" for a bare name."""
    parts = (one.partition("=") for one in spec.partition(":")[2].split(",") if one)
    return {name: value for name, _, value in parts}


def respelled(spec: str, name: str, value: str | None) -> str:
    """Return a spec with an option changed: None to take it away, "" for its bare name."""
    values = _options_of(spec)
    values.pop(name, None)
    if value is not None:
        values[name] = value
    order = dict.fromkeys(one for one in (*_BY_NAME, *values) if one in values)
    texts = ",".join(f"{one}={values[one]}" if values[one] else one for one in order)
    return spec.partition(":")[0] + (f":{texts}" if texts else "")


def _field(option: Option) -> ComposeResult:
    """Make the box of an option that needs no value, or the label and the field of another."""
    field, number = f"field-{option.name}", option.form == "number"
    if option.form in _TICKED:
        yield TickBox(option.label, id=field, compact=True, classes="option", tooltip=option.about)
        return
    usual = "" if option.default is None else str(option.default)
    examples = " ".join(text for text, _ in option.words + option.examples)
    yield Label(option.label, classes="short")
    yield Input(
        id=field,
        placeholder=examples or usual,
        type="integer" if number else "text",
        compact=True,
        classes="number option" if number else "text option",
        tooltip=option.about,
    )


def check_drawable(game: Game) -> None:
    """Refuse a board that is too large for a screen."""
    if game.board.cell_count > MOST_CELLS:
        raise LimitError(
            f"{game} has {game.board.cell_count:,} cells, more than the {MOST_CELLS:,} that fit "
            "on a screen; 'oxo play' takes any"
        )


class NewGameDialog(ModalScreen[Session | None]):
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
            # 1. Known games, and the sizes of an n^d board.
            yield Label("New game", classes="title")
            yield Select(
                [(f"{one.name} - {one.about}", one.spec) for one in PRESETS],
                prompt="A known game",
                id="preset",
                compact=True,
            )
            with Horizontal(classes="row"):
                for field in _SIZES:
                    yield Label(field.label, classes="short")
                    yield Input(
                        str(field.value),
                        id=f"field-{field.name}",
                        type="integer",
                        compact=True,
                        classes="number size",
                    )
            # 2. Options in rows, by their forms.
            for length, forms in _ROWS:
                options = [one for one in _OFFERED if one.form in forms]
                for start in range(0, len(options), length):
                    with Horizontal(classes="row"):
                        for option in options[start : start + length]:
                            yield from _field(option)
            with Horizontal(classes="row"):
                # 3. Players, and the spec: fields change it, and it changes no field.
                yield Label("Players", classes="short")
                yield Select(
                    [(str(count), count) for count in range(2, MAX_PLAYERS + 1)],
                    value=2,
                    allow_blank=False,
                    id="field-players",
                    classes="option",
                    compact=True,
                )
                yield Label("Spelled", classes="short")
                yield Input(self._spec, id="field-spec", compact=True)
            yield Label("", id="about", classes="dim")
            # 4. A row for every possible seat; `_check_spec` hides those of no player.
            with Vertical(id="field-seats"):
                for player in range(1, MAX_PLAYERS + 1):
                    yield self._seat_row(player)
            with Horizontal(classes="row"):
                yield Button("Start", variant="primary", id="start")
                yield Button("Cancel", id="cancel", action="screen.dismiss(None)")

    def _seat_row(self, player: int) -> Horizontal:
        style = BoardStyle.of(MAX_PLAYERS)
        return Horizontal(
            Label(Text(f"{style.icon(player)} {style.name(player)}"), classes="seat-name"),
            Select(
                [("Person", HUMAN), *opponents(), ("Own spec", _OWN)],
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
        # Filling fields in must not count as changes by a person, which would spell the game again.
        with self.prevent(Input.Changed, Checkbox.Changed, Select.Changed):
            self.query_one("#field-spec", Input).value = spec
            try:
                game = Game(spec)
            except HyperoxoError:
                return
            if match := re.fullmatch(KINDS["hypercube"].pattern, spec.partition(":")[0]):
                for field, size in zip(_SIZES, match.groups(), strict=True):
                    self.query_one(f"#field-{field.name}", Input).value = size
            values = _options_of(spec)
            for option in _OFFERED:
                widget, text = self.query_one(f"#field-{option.name}"), values.get(option.name)
                if isinstance(widget, Checkbox):
                    widget.value = text is not None
                elif isinstance(widget, Input):
                    widget.value = text or ""
            self.query_one("#field-players", Select).value = game.players
            chosen = list(seats) if len(seats) == game.players else seats_for(game)
            for player, seat in enumerate(chosen, start=1):
                self._show_seat(player, seat)
        self._check_spec()

    def _show_seat(self, player: int, seat: str) -> None:
        known = seat in [HUMAN, *(spec for _, spec in opponents())]
        self.query_one(f"#seat{player}", Select).value = seat if known else _OWN
        own = self.query_one(f"#own{player}", Input)
        own.value = "" if known else seat
        own.display = not known

    @on(Select.Changed, "#preset")
    def _preset(self, event: Select.Changed) -> None:
        if event.value != Select.NULL:
            self._take(str(event.value), ())

    @on(Input.Changed, ".size")
    def _sized(self) -> None:
        sizes = [self.query_one(f"#field-{field.name}", Input).value.strip() for field in _SIZES]
        _, colon, tail = self.query_one("#field-spec", Input).value.partition(":")
        self._show_spec(KINDS["hypercube"].template.format(*sizes) + colon + tail)

    @on(Input.Changed, ".option")
    @on(Checkbox.Changed, ".option")
    @on(Select.Changed, ".option")
    def _changed(self, event: Input.Changed | Checkbox.Changed | Select.Changed) -> None:
        """Spell the game with the option that has changed."""
        name = str(event.control.id).removeprefix("field-")
        value: str | None = "" if event.value is True else str(event.value).strip()
        # Usual values are not spelled.
        if value in (str(_BY_NAME[name].default), "False") or event.value == "":
            value = None
        self._show_spec(respelled(self.query_one("#field-spec", Input).value, name, value))

    def _show_spec(self, spec: str) -> None:
        with self.prevent(Input.Changed):
            self.query_one("#field-spec", Input).value = spec
        self._check_spec()

    @on(Select.Changed, ".seat Select")
    def _seated(self, event: Select.Changed) -> None:
        player = str(event.select.id).removeprefix("seat")
        own = self.query_one(f"#own{player}", Input)
        own.display = event.value == _OWN
        if own.display:
            own.focus()

    @on(Input.Changed, "#field-spec")
    def _check_spec(self) -> None:
        """Describe the spec, or its error, and show a field for each seat."""
        about = self.query_one("#about", Label)
        about.set_class(False, "wrong")
        try:
            game = self._game()
        except HyperoxoError as error:
            self._refuse(error)
            return
        counts = f"{number_of(game.cells, 'cell')}, {number_of(game.board.line_count, 'line')}"
        size = layout_of(game, SIZES[-1])
        needed = f"{counts}, {size.width} by {size.height} characters at least."
        about.update(" ".join([needed, *describe_rules(game)]))
        for player in range(1, MAX_PLAYERS + 1):
            self.query_one(f"#row{player}").display = player <= game.players

    def _refuse(self, error: HyperoxoError) -> None:
        """Show an error of the game or its seats."""
        about = self.query_one("#about", Label)
        about.update(Text(str(error)))
        about.set_class(True, "wrong")

    def _game(self) -> Game:
        game = Game(self.query_one("#field-spec", Input).value.strip())
        check_drawable(game)
        return game

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_begin(self) -> None:
        """Begin the game, or show the error."""
        try:
            game = self._game()
            session = Session(game.start(), [self._seat(n) for n in range(1, game.players + 1)])
        except HyperoxoError as error:
            self._refuse(error)
            return
        self.dismiss(session)

    def _seat(self, player: int) -> str:
        chosen = self.query_one(f"#seat{player}", Select).value
        if chosen == _OWN:
            return self.query_one(f"#own{player}", Input).value.strip()
        return str(chosen)
