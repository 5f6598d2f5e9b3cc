"""A game: a board and the rules on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperoxo.board import Board, Symmetry
from hyperoxo.board.limits import check_set
from hyperoxo.board.registry import BoardSpec, build, check_options
from hyperoxo.display import Drawn
from hyperoxo.errors import SpecError, quoted
from hyperoxo.game.conventions import CONVENTIONS, MISERE, STRONG, Convention, Turns
from hyperoxo.game.spec import (
    MAX_PLAYERS,
    OPTIONS,
    GameSpec,
    OpeningSpec,
    format_game_spec,
    parse_game_spec,
)
from hyperoxo.game.traits import Known, Trait

if TYPE_CHECKING:
    from hyperoxo.game.position import Position

_MOST_A_TURN = 1_000
_NO_OPTIONS = GameSpec(BoardSpec("hypercube", ()))


class Game(Drawn):
    """A game: board, number of players, and the options of play.

    Games are immutable; they compare and hash by their canonical spelling, and
    ``Game(str(game)) == game``.

    Parameters
    ----------
    spec : str or Game, optional
        Game spec such as ``"4^3"``, ``"3^4:blocked=centre,target=9"`` or ``"7,6,4:gravity"``.
        Not together with `side`, `dim` and `board`; the other arguments add to it.
    side, dim : int, optional
        Size of an n^d board.
    board : Board, optional
        Any board, instead of `side` and `dim`.
    connect : int, optional
        Cells in a line of an n^d board, where they are fewer than its side.
    wrap : bool, int or iterable of int
        Axes of an n^d board along which lines continue over the edge; True for all.
    exact : bool
        Whether longer rows than a line of an n^d board do not count.
    players : int
        Number of players q, 2 to 8.
    target : int
        Full lines a player needs, at least 1.
    misere : bool
        Whether a player who reaches the target loses.
    convention : {"maker-breaker", "avoider-enforcer"}, optional
        For two players, instead of a race: player 1 as Maker wins by reaching the target and
        player 2 as Breaker otherwise, or player 1 as Avoider loses by reaching it and wins
        otherwise. Lines of player 2 do not count, and there are no draws.
    bias : iterable of int, optional
        Cells that each player takes in a turn, one each if not given.
    first : int
        The player who starts.
    first_turn : int, optional
        Cells of the first turn, where they are fewer than by the bias: 1 with a bias of two
        cells each is the order of Connect6.
    gravity : bool or int
        Axis along which stones fall towards coordinate 0; True is axis 0. Lines may not wrap
        along that axis, which needs a floor.
    blocked : int, iterable of int or "centre"
        Cells that cannot be played; lines through them do not count.
    opening : "poor", "rich", int or iterable of int, optional
        Cells where the first moves of the player who starts may go: those on the fewest
        lines, those on the most, or the given ones.
    opening_moves : int
        Number of these moves that the opening restricts, each of one cell. If none of its cells
        can be played any more, the restriction lapses for that move.

    Raises
    ------
    SpecError
        If an option is out of range or options contradict each other.
    LimitError
        If the board is too large.

    Examples
    --------
    >>> game = Game("4^3:gravity")
    >>> game.cells, game.players, game.gravity
    (64, 2, 0)
    >>> str(Game(side=3, dim=4, blocked="centre", target=9))
    '3^4:target=9,blocked=centre'
    >>> Game("3^2:opening=poor").opening == frozenset({1, 3, 5, 7})
    True
    """

    players: int
    target: int
    misere: bool
    convention: Convention
    turns: Turns
    bias: tuple[int, ...]  #: Cells that each player takes in a turn.
    first: int  #: The player who starts.
    first_turn: int | None  #: Cells of the first turn where fewer than by the bias, else None.
    gravity: int | None
    blocked: tuple[int, ...]
    opening: frozenset[int] | None
    opening_moves: int
    board: Board
    cells: int  #: Number of playable cells.
    side: int | None  #: Cells along one axis of an n^d board, else None.
    dim: int | None  #: Number of axes of an n^d board, else None.
    connect: int | None  #: Cells in a line where fewer than the side of an n^d board, else None.
    wrap: tuple[int, ...]  #: Axes along which lines continue over the edge.
    exact: bool  #: True if longer rows than a line do not count.

    # Positions are built on games, so their module fills in how a game makes them.
    _first: ClassVar[type[Position]]
    _read: ClassVar[Callable[[Game, str | ArrayLike], Position]]

    def __init__(
        self,
        spec: str | Game | None = None,
        *,
        side: int | None = None,
        dim: int | None = None,
        board: Board | None = None,
        connect: int | None = None,
        wrap: bool | int | Iterable[int] | None = None,
        exact: bool = False,
        players: int = 2,
        target: int = 1,
        misere: bool = False,
        convention: str | None = None,
        bias: Iterable[int] | None = None,
        first: int = 1,
        first_turn: int | None = None,
        gravity: bool | int | None = None,
        blocked: int | Iterable[int] | str = (),
        opening: int | Iterable[int] | str | None = None,
        opening_moves: int = 1,
    ) -> None:
        if isinstance(wrap, bool):
            wrap = () if wrap else None
        kind = "hypercube" if board is None else "another"
        named = BoardSpec(kind, (), (), connect, _numbers("wrap", wrap), exact)
        cells = _numbers("opening", opening)
        chosen = None if cells is None else OpeningSpec(cells, opening_moves)
        if isinstance(gravity, bool):
            gravity = 0 if gravity else None
        stopped, turn = _numbers("blocked", blocked), _numbers("bias", bias, once=False)
        rules = (players, target, misere, gravity, stopped, chosen, convention, turn)
        options = GameSpec(named, *rules, first, first_turn)
        sizes = None if None in (side, dim) else f"{side}^{dim}"
        ways: list[object] = [one for one in (spec, sizes, board) if one is not None]
        if len(ways) != 1 or (side is None) != (dim is None):
            raise SpecError("a game needs one of these: a spec, side and dim, or a board")
        if board is not None:
            check_options(named)
            self._set(board, options)
            return
        text = str(ways[0])
        if options != _NO_OPTIONS:  # they are written at the end of the spec
            more = format_game_spec("", options.values())
            text += more.replace(":", ",", 1) if ":" in text else more
        parsed = parse_game_spec(text)
        try:
            self._set(build(parsed.board), parsed)
        except SpecError as error:
            raise SpecError(f"bad game {quoted(text)}: {error}") from None

    def _set(self, board: Board, options: GameSpec) -> None:
        if not 2 <= options.players <= MAX_PLAYERS:
            raise SpecError(f"players must be 2 to {MAX_PLAYERS}, not {options.players}")
        if options.target < 1:
            raise SpecError(f"target must be at least 1, not {options.target}")
        convention, turns = _convention_of(options), _turns_of(options)
        if blocked := _blocked_cells(board, options.blocked):
            board = _without(board, blocked, board.names)
        axis, highest = options.gravity, len(board.shape or ()) - 1
        if axis is not None and not 0 <= axis <= highest:
            wrong = f"axis must be 0 to {highest}, not {axis}"
            raise SpecError(f"gravity {wrong if board.shape else 'needs a board with coordinates'}")
        if axis in board.wrap:
            raise SpecError(
                f"gravity along axis {axis} needs a floor, and lines that wrap along that axis "
                "leave none; wrap=AXES names the axes to wrap"
            )
        # Not by assignment, which `__setattr__` refuses.
        self.__dict__.update(
            board=board,
            cells=len(board.playable),
            side=board.side,
            dim=board.dim,
            connect=board.connect,
            wrap=board.wrap,
            exact=board.exact,
            players=int(options.players),
            target=int(options.target),
            misere=bool(options.misere),
            convention=convention,
            turns=turns,
            bias=turns.bias,
            first=turns.first,
            first_turn=turns.bias[turns.first - 1] - turns.short if turns.short else None,
            gravity=axis,
            blocked=board.blocked,
            opening=None,
            opening_moves=0,
        )
        if options.opening is not None:
            self._set_opening(options.opening)

    def _set_opening(self, opening: OpeningSpec) -> None:
        if opening.moves < 1:
            raise SpecError(f"opening must restrict at least 1 move, not {opening.moves}")
        cells = _opening_cells(self.board, opening.cells)
        landing = {int(cell) for cell in self.first_landing_cells}
        if not cells & landing:
            raise SpecError(f"opening leaves player {self.turns.first} no legal first move")
        # An opening of all cells restricts nothing: such games are equal to those without one.
        if cells < {int(cell) for cell in self.board.playable}:
            self.__dict__.update(opening=cells, opening_moves=int(opening.moves))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Game cannot be changed (attribute '{name}')")

    @cached_property
    def opening_plies(self) -> int:
        """Plies, from the start, among which are all moves that the opening restricts."""
        return 0 if self.opening is None else self.turns.ply_of(self.opening_moves - 1) + 1

    @cached_property
    def traits(self) -> frozenset[Trait]:
        """Traits of the game, exactly one of each axis."""
        return frozenset(
            (
                self.convention.trait,
                Trait.TWO_PLAYERS if self.players == 2 else Trait.SEVERAL_PLAYERS,
                Trait.ALTERNATE if self.turns.alternate else Trait.BIASED,
                Trait.PLAYER_ONE_STARTS if self.first == 1 else Trait.ANOTHER_STARTS,
                Known.FIRST_TURNS[self.turns.short > 0],
                Trait.ANY_CELL if self.gravity is None else Trait.GRAVITY,
                Trait.ONE_LINE if self.target == 1 else Trait.SEVERAL_LINES,
                Known.ROWS[self.exact],
                Known.OPENINGS[min(self.opening_moves, 2)],
            )
        )

    @cached_property
    def below(self) -> NDArray[np.int32] | None:
        """Cell under each cell, int32 ``[N]``, or None without gravity.

        -1 where a stone rests on the floor or on a blocked cell.
        """
        if self.gravity is None or self.board.shape is None:
            return None
        # Each cell's number moved up by one along the axis; the floor and blocked cells support.
        shape = self.board.shape
        numbers = np.arange(self.board.cell_count, dtype=np.int32).reshape(shape)
        below = np.roll(numbers, 1, axis=self.gravity)
        np.moveaxis(below, self.gravity, 0)[0] = -1
        flat = np.ascontiguousarray(below).ravel()
        blocked = list(self.blocked)
        flat[np.isin(flat, blocked)] = -1
        flat[blocked] = -1
        flat.flags.writeable = False
        return flat

    @cached_property
    def first_landing_cells(self) -> NDArray[np.int32]:
        """Cells where a stone may land on the empty board, opening aside, ascending."""
        playable = self.board.playable
        return playable if self.below is None else playable[self.below[playable] < 0]

    @cached_property
    def symmetry(self) -> Symmetry:
        """Permutations of the cells that preserve lines, blocked cells and gravity.

        Ignores the opening restriction.
        """
        if self.below is None:
            return self.board.symmetry
        return Symmetry(self.board, self.below)

    def start(self) -> Position:
        """Return the position before the first move.

        Examples
        --------
        >>> Game("3^2").start().play(4).text
        '....1....'
        """
        return self._first(self)

    def position(self, source: str | ArrayLike) -> Position:
        """Read a position: one character per cell, a drawn board, moves, or an array.

        Parameters
        ----------
        source : str, bytes or array_like
            A text, such as ``1.2......``, ``X.O / .X. / ..O``, ``moves:0,3,60``, ``h8h9i9`` or,
            under gravity, ``columns:4453``; or numbers shaped as the board or in one row, 0 for a
            free cell, 1 and 2 (or -1) for stones, under gravity from the top row down; or the
            `Position.owners` of another position.

        Returns
        -------
        Position
            A position that play of this game can lead to.

        Raises
        ------
        NotationError
            If the text is malformed or no play of this game leads there.

        Examples
        --------
        >>> Game("3^2").position("X.O / .X. / ..O").text
        '1.2.1...2'
        >>> Game("3^2").position("moves:4,0").to_move
        1
        >>> Game("7,6,4:gravity").position("columns:4453").history
        (3, 10, 4, 2)
        """
        return self._read(source)

    @cached_property
    def _spelling(self) -> str:
        head = self.board.spelling
        if head is None:
            rows = ("+".join(map(str, self.board.line(i))) for i in range(self.board.line_count))
            head = f"{self.board.cell_count}{{{'/'.join(rows)}}}"
        board = self.board
        values: dict[str, object] = {one.name: getattr(self, one.keyword) for one in OPTIONS}
        whole = len(board.wrap) == len(board.shape or ())
        values["wrap"] = None if not board.wrap else () if whole else board.wrap
        values["convention"] = self.convention.name if self.convention.name in CONVENTIONS else None
        values["bias"] = None if self.turns.alternate else self.bias
        if self.blocked and self.blocked == (_centre(self.board),):
            values["blocked"] = "centre"
        if self.opening is not None:
            words = (w for w in ("poor", "rich") if self.opening == _opening_cells(board, w))
            cells = next(words, tuple(sorted(self.opening)))
            values["opening"] = OpeningSpec(cells, self.opening_moves)
        return format_game_spec(head, values)

    def __str__(self) -> str:
        return self._spelling

    def _repr_svg_(self) -> str | None:
        return self.start()._repr_svg_()

    def __repr__(self) -> str:
        return f"Game({quoted(self._spelling)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._spelling == other._spelling

    def __hash__(self) -> int:
        return hash(self._spelling)


def _numbers(name: str, given: object, *, once: bool = True) -> Any:
    """Return one number or several as a tuple; None and a word as they are."""
    if given is None or isinstance(given, str):
        return given
    try:
        found = tuple(map(index, given if isinstance(given, Iterable) else (given,)))
    except TypeError:
        raise SpecError(f"{name} takes whole numbers, not {quoted(given)}") from None
    return tuple(sorted({*found})) if once else found


def _convention_of(options: GameSpec) -> Convention:
    if options.convention is None:
        return MISERE if options.misere else STRONG
    if options.convention not in CONVENTIONS:
        names = " or ".join(f"'{name}'" for name in CONVENTIONS)
        raise SpecError(f"convention must be {names}, not {quoted(options.convention, 20)}")
    if options.misere:
        raise SpecError(f"misere makes no sense with convention={options.convention}")
    if options.players != 2:
        raise SpecError(
            f"convention={options.convention} is for two players, not {options.players}"
        )
    return CONVENTIONS[options.convention]


def _turns_of(options: GameSpec) -> Turns:
    players = options.players
    bias = (1,) * players if options.bias is None else tuple(map(int, options.bias))
    if len(bias) != players:
        raise SpecError(f"bias must give {players} numbers, one per player, not {len(bias)}")
    if not all(1 <= cells <= _MOST_A_TURN for cells in bias):
        raise SpecError(f"bias must give each player 1 to {_MOST_A_TURN} cells per turn")
    if not 1 <= options.first <= players:
        raise SpecError(f"first must be a player, 1 to {players}, not {options.first}")
    most = bias[options.first - 1]
    cells = most if options.first_turn is None else int(options.first_turn)
    if not 1 <= cells <= most:
        raise SpecError(f"first-turn must be 1 to {most}, as in the bias, not {cells}")
    return Turns(int(options.first), bias, most - cells)


@lru_cache(maxsize=32)
def _without(board: Board, blocked: tuple[int, ...], _names: tuple[str, ...] | None) -> Board:
    # Boards that differ in cell names compare equal, so the names are part of the cache key.
    return board.without(blocked)


def _centre(board: Board) -> int | None:
    if board.shape is None or any(length % 2 == 0 for length in board.shape):
        return None
    # With odd sides the middle in row-major order is the middle along every axis.
    return board.cell_count // 2


def _blocked_cells(board: Board, blocked: tuple[int, ...] | str) -> tuple[int, ...]:
    if not isinstance(blocked, str):
        return blocked
    if blocked != "centre":
        raise SpecError(f"blocked must be 'centre' or cell numbers, not {quoted(blocked)}")
    centre = _centre(board)
    if centre is None:
        raise SpecError("this board has no centre cell to block")
    return (centre,)


def _opening_cells(board: Board, cells: tuple[int, ...] | str) -> frozenset[int]:
    playable = board.playable
    if isinstance(cells, str):
        if cells not in ("poor", "rich"):
            raise SpecError(f"opening must be 'poor', 'rich' or cell numbers, not {quoted(cells)}")
        degrees = board.degrees[playable]
        wanted = degrees.min() if cells == "poor" else degrees.max()
        found = playable[degrees == wanted]
        check_set(f"an opening of {len(found):,} cells", len(found))
        return frozenset(found.tolist())
    for cell in cells:
        if not 0 <= cell < board.cell_count:
            raise SpecError(f"opening: there is no cell {cell}")
        if cell in board.blocked:
            raise SpecError(f"opening: cell {cell} is blocked")
    return frozenset(int(cell) for cell in cells)
