"""A game record: the moves, the players, and the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from hyperoxo.display import Drawn
from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import ALL_RULES, Game, Position, Requires, outcome_of
from hyperoxo.game.reading import replay

SPEC = re.compile(r"(?!0|\S*,[-0])[0-9]+[\^,{]")
"""Beginning of a game spec; 1,0,2 is a row of stones."""

Remark = Callable[[str], object]
"""Callback for remarks on the interpretation of an ambiguous file."""


def unheard(_: str) -> None:
    """Ignore a remark."""


_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}")
_FIELD = re.compile(r"Game|Setup|Result|Resigned|Player[1-8]|Icon[0-9]+")


@dataclass(frozen=True)
class Record(Drawn):
    r"""One game, legal by construction: its moves are replayed when it is made.

    Line ends in its texts become ``\n``.

    Attributes
    ----------
    game : Game
        The game played.
    moves : tuple of int
        Cells in the order played, since the start or the setup.
    setup : str or None
        Position the game started from, one character per cell; None for the empty board.
    players : tuple of str
        Names of the players in turn order, or empty.
    icons : tuple of str
        Symbols of the players' stones, or empty. There may be more icons than players.
    free_icon : str or None
        Symbol of a free cell.
    result : str or None
        Players who won joined by ``+``, ``=`` for a draw, None for an unfinished game. It is
        filled in where the moves or a resignation decide it; otherwise it is what the
        players agreed on.
    resigned : int or None
        Player who gave up; all others win.
    tags : tuple of (str, str)
        Further facts by name, in order: ``(("Event", "Club evening"),)``.
    comments : tuple of (int, str)
        Remarks by the number of moves before them, 0 before the first move.

    Raises
    ------
    NotationError
        If a move is illegal, the result contradicts the moves, or a field makes no sense.

    Examples
    --------
    >>> record = Record(Game("3^2"), (4, 0, 3, 1, 5))
    >>> record.result
    '1'
    >>> record.position.text
    '22.111...'
    >>> Record(Game("3^2"), (4, 0), resigned=1).result
    '2'
    >>> Record(Game("3^2"), (4, 4))
    Traceback (most recent call last):
    ...
    hyperoxo.errors.NotationError: move 2: cell 4 is taken
    """

    game: Game
    moves: tuple[int, ...] = ()
    setup: str | None = None
    players: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    free_icon: str | None = None
    result: str | None = None
    resigned: int | None = None
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        # Texts first, then the setup in its canonical text, then the moves by replaying them, and
        # last the result, which must agree with the final position.
        self._set("moves", tuple(self.moves))
        self._set("players", tuple(_clean("a player's name", name) for name in self.players))
        self._set("icons", tuple(_clean("an icon", icon) for icon in self.icons))
        if self.free_icon is not None:
            self._set("free_icon", _clean("an icon", self.free_icon))
        self._set("tags", _clean_tags(self.tags))
        if not any(self.players):
            self._set("players", ())
        if self.players and len(self.players) != self.game.players:
            raise NotationError(f"names for {len(self.players)} of {self.game.players} players")
        if self.icons and len(self.icons) < self.game.players:
            raise NotationError(f"icons for {len(self.icons)} of {self.game.players} players")
        self._set("comments", _clean_comments(self.comments, len(self.moves)))
        if self.setup is not None:
            self._set("setup", self.start.text if self.start.setup is not None else None)
        self._set("moves", self.position.history)
        self._fix_result()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _fix_result(self) -> None:
        resigned, players, outcome = self.resigned, self.game.players, self.position.outcome
        if resigned is not None:
            if type(resigned) is not int or not 1 <= resigned <= players:
                raise NotationError(
                    f"no player {resigned!r} can resign; players are 1 to {players}"
                )
            if outcome is not None:
                raise NotationError(f"player {resigned} cannot resign; the game is over")
        outcome = outcome or outcome_of(-(resigned or 0), players)
        if outcome is None:
            self._check_agreed_result()
            return
        decided = outcome.result
        if self.result not in (None, decided):
            raise NotationError(f"result is {self.result!r}, but the game ended in '{decided}'")
        self._set("result", decided)

    def _check_agreed_result(self) -> None:
        if self.result in (None, "="):
            return
        players = range(1, self.game.players + 1)
        words = str(self.result).split("+")
        winners = [player for player in players if str(player) in words]
        if words != [str(player) for player in winners] or len(winners) == len(players):
            raise NotationError(
                f"result {self.result!r} is neither '=' nor players who won, as in '1' or '1+3'"
            )

    @classmethod
    def of(
        cls,
        position: Position,
        *,
        players: Iterable[str] = (),
        icons: Iterable[str] = (),
        free_icon: str | None = None,
        result: str | None = None,
        resigned: int | None = None,
        tags: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
    ) -> Record:
        """Make the record of the play that led to `position`.

        Parameters
        ----------
        position : Position
            Its game, setup and history are recorded.
        players, icons, free_icon, result, resigned
            As the attributes.
        tags : mapping of str to str, optional
            Further facts by name.
        comments : mapping of int to str, optional
            Remarks by number of moves.

        Returns
        -------
        Record
            The record; ``Record.of(p).position == p``.

        Examples
        --------
        >>> position = Game("3^2").start().play(4)
        >>> Record.of(position, players=["Ada", "Bob"], comments={1: "the centre"}).comments
        ((1, 'the centre'),)
        """
        setup = position.undo(len(position.history)).text if position.setup is not None else None
        return cls(
            position.game,
            position.history,
            setup,
            tuple(players),
            tuple(icons),
            free_icon,
            result,
            resigned,
            tuple((tags or {}).items()),
            tuple((comments or {}).items()),
        )

    @cached_property
    def start(self) -> Position:
        """Position before the first recorded move."""
        setup: object = self.setup
        if setup is None:
            return self.game.start()
        if not isinstance(setup, str) or setup.startswith("moves:"):
            raise NotationError("setup must be one character per cell")
        try:
            return self.game.position(setup)
        except NotationError as error:
            raise NotationError(f"setup: {error}") from None

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()

    @cached_property
    def position(self) -> Position:
        """Position after the last recorded move."""
        return self.positions()[-1]

    def positions(self) -> list[Position]:
        """Return every position of the game, the start first.

        Returns
        -------
        list of Position
            One more than there are moves.

        Examples
        --------
        >>> [position.to_move for position in Record(Game("3^2"), (4, 0)).positions()]
        [1, 2, 1]
        """
        return replay(self.start, self.moves, lambda _, cell: cell)

    def tag(self, name: str) -> str | None:
        """Return the value of a tag, or None if there is none of that name.

        Parameters
        ----------
        name : str
            Name of the tag.

        Returns
        -------
        str or None
            Its value.
        """
        return dict(self.tags).get(name)


Part = TypeVar("Part")


def read_each(
    what: str, parts: Iterable[tuple[int, Part]], read: Callable[[Part], Record]
) -> list[Record]:
    """Read every part of a file; an error names the part by its number."""
    found = []
    for number, part in parts:
        try:
            found.append(read(part))
        except NotationError as error:
            raise NotationError(f"{what} {number}: {error}") from None
    return found


def read_parts(what: str, parts: list[Part], read: Callable[[Part], Record]) -> list[Record]:
    """Read the parts of a file; an error names the part by its number if there are several."""
    if len(parts) == 1:
        return [read(parts[0])]
    return read_each(what, enumerate(parts, start=1), read)


def rows_of(text: str) -> Iterator[tuple[int, str]]:
    """Number the lines of some text; empty ones and those after ``#`` and a blank are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("# "):
            yield number, line


def read_game(spec: str | None = None, where: str = "", **settings: Any) -> Game:
    """Make a game from a spec or settings; errors begin with `where`."""
    try:
        return Game(spec, **settings)
    except HyperoxoError as error:
        raise NotationError(f"{where}{error}") from None


def agreed_game(named: Game | None, asked: Game | str | None, where: str = "text") -> Game | None:
    """Return the game named in the text or requested by the caller; they must agree."""
    asked = Game(asked) if isinstance(asked, str) else asked
    if named is not None and asked is not None and named != asked:
        raise NotationError(f"the {where} says that the game is {named}, not {asked}")
    return named or asked


def taken_game(words: list[str], asked: Game | str | None) -> Game | None:
    """Remove a leading game spec from words; it must agree with the requested game."""
    spec = bool(words) and SPEC.match(words[0]) is not None
    return agreed_game(read_game(words.pop(0)) if spec else None, asked)


def planar(game: Game, what: str, most: int) -> tuple[int, int]:
    """Return rows and columns of a game for two, at most `most` of them."""
    shape = game.board.shape
    if shape is None or len(shape) != 2:
        raise NotationError(f"{what} holds games on planar boards only, not {str(game)[:60]}")
    if game.players != 2:
        raise NotationError(f"{what} holds games for two players, not for {game.players}")
    Requires(what, ALL_RULES).check(game)
    rows, columns = shape
    if max(shape) > most:
        raise NotationError(f"{what} holds boards up to {most} x {most}, not {columns} x {rows}")
    return rows, columns


def check_only_moves(record: Record, what: str) -> None:
    """Refuse a record with more than moves from the empty board, for notations of moves alone."""
    if record.setup is not None:
        raise NotationError(f"{what} begins on the empty board and holds no setup")
    if record.result is not None and not record.position.is_over:
        raise NotationError(f"{what} holds no result but that of the moves")


def ordered_icons(icons: dict[int, str]) -> tuple[tuple[str, ...], str | None]:
    """Return the icons of players 1, 2, ... and that of a free cell, from icons by number."""
    free = icons.pop(0, None)
    if sorted(icons) != list(range(1, len(icons) + 1)):
        raise NotationError("icons must be numbered 1, 2, 3, ... without a gap")
    return tuple(icons[number] for number in sorted(icons)), free


def joined(comments: dict[int, list[str]]) -> tuple[tuple[int, str], ...]:
    """Join the comments after each move by new lines."""
    return tuple((ply, "\n".join(texts)) for ply, texts in comments.items())


def _clean(what: str, text: object) -> str:
    if not isinstance(text, str):
        raise NotationError(f"{what} must be text, not {text!r}")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise NotationError(f"{what} holds half a character (a lone surrogate)")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _clean_tags(tags: Iterable[tuple[Any, Any]]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for name, value in tags:
        if not isinstance(name, str) or not _TAG.fullmatch(name):
            raise NotationError(f"tag name {name!r:.60} is not one word of letters and digits")
        if _FIELD.fullmatch(name):
            raise NotationError(f"tag '{name}' is a field of the record itself")
        if name in found:
            raise NotationError(f"tag '{name}' is given twice")
        found[name] = _clean(f"tag '{name}'", value)
    return tuple(found.items())


def _clean_comments(comments: Iterable[tuple[Any, Any]], moves: int) -> tuple[tuple[int, str], ...]:
    found: dict[int, str] = {}
    for ply, text in comments:
        if type(ply) is not int or not 0 <= ply <= moves:
            raise NotationError(f"a comment follows move {ply!r} of {moves}")
        if ply in found:
            raise NotationError(f"two comments follow move {ply}")
        found[ply] = _clean("a comment", text)
    return tuple(sorted(found.items()))
