"""Compiled batches of boards of one game, for learners that need many games.

A `Batch` plays a step on every board in one call and writes the results into arrays that the
caller owns. For one or a few boards the overhead of a call is more than its work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperoxo.adapters.running import ILLEGAL_MOVES
from hyperoxo.agents.options import choice_option
from hyperoxo.errors import IllegalMoveError, SpecError
from hyperoxo.game import BLOCKED, Game, Position, Requires, restricts
from hyperoxo.kernels import batch as kernels
from hyperoxo.kernels.state import CELLS, PLAYERS, S_OWNER, STATE_SIZE
from hyperoxo.solvers.arrays import COMPILED, above_of, tables_of

__all__ = ["NOWHERE", "Arrays", "Batch"]

NOWHERE = kernels.NOWHERE
"""The action of `Batch.sample` on boards whose game is over."""

_SUPPORTED = Requires("a batch", COMPILED.accepted)

MOST_CELLS = 64
"""Largest boards whose sets of cells fit into one 64-bit word."""


@dataclass(frozen=True)
class Arrays:
    """Output arrays of a step, for B boards of N cells and q players.

    Attributes
    ----------
    rewards : float32 ``[B, q]``
        Reward of the step for each player.
    done : bool ``[B]``
        Whether the game on each board is over.
    players : int32 ``[B]``
        The player to move, counted from 0.
    observations : bool ``[B, N, q]`` or None
        Stones as planes, seen by the player to move: plane 0 holds their own, plane k those of
        the player k seats after them. None leaves them out.
    masks : bool ``[B, N]`` or None
        Legal moves; none where the game is over. None leaves them out.
    """

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    players: NDArray[np.int32]
    observations: NDArray[np.bool_] | None
    masks: NDArray[np.bool_] | None

    @cached_property
    def _seen(self) -> kernels.Seen:
        nothing = np.zeros(0, np.uint8)
        planes = nothing if self.observations is None else self.observations.view(np.uint8)
        masks = nothing if self.masks is None else self.masks.view(np.uint8)
        return kernels.Seen(self.players, planes.reshape(-1), masks.reshape(-1))

    @cached_property
    def _written(self) -> tuple[Any, ...]:
        return self.rewards.reshape(-1), self.done.view(np.uint8), self._seen


class Batch:
    """Many boards of one game.

    Boards of up to 64 cells are sets of bits, larger ones and those where longer rows do not count
    line counters; all other rules and options are played on both. If a game ends and
    `auto_reset` is on, the same step starts the next one: `rewards` and `done` are those of the old
    game, all else that of the new one.

    Parameters
    ----------
    game : str or Game
        The game.
    boards : int
        Number of boards.
    seed : int or sequence of int
        Seed of the random numbers: one number, combined with the index of each board; or a
        number for each board. The boards of a smaller batch play as the first of a larger one.
    illegal : {"lose", "raise"}
        Effect of an illegal action: no stone, the game is over, the player who made it gets -1 and
        each other 1/(q-1); or `IllegalMoveError`, and no board has changed.
    auto_reset : bool
        Whether a game that ends is followed by a new one. Otherwise nothing happens on a board
        whose game is over, whatever the action, and all rewards are 0.
    random_plies : int or pair of int
        With how many random plies each game begins, or the least and the greatest number, of
        which each is as likely. A ply that would end the game is left out, with those after it.
    observations, masks : bool
        Whether `out` has them.

    Attributes
    ----------
    game : Game
        The game.
    boards, num_players, num_actions : int
        Numbers of boards, of players q, and of cells N. An action is a cell.
    out : Arrays
        Default output arrays of `reset` and `step`.

    Raises
    ------
    SpecError
        If an argument makes no sense.

    Examples
    --------
    >>> batch = Batch("3^2:players=3", boards=1000, seed=7)
    >>> seen = batch.reset()
    >>> seen.observations.shape, seen.masks.shape
    ((1000, 9, 3), (1000, 9))
    >>> ended = 0
    >>> for _ in range(100):
    ...     seen = batch.step(batch.sample())
    ...     ended += int(seen.done.sum())
    >>> ended > 10_000, abs(float(seen.rewards.sum())) < 1e-3
    (True, True)
    """

    def __init__(
        self,
        game: str | Game,
        boards: int,
        *,
        seed: int | ArrayLike = 0,
        illegal: str = "lose",
        auto_reset: bool = True,
        random_plies: int | tuple[int, int] = 0,
        observations: bool = True,
        masks: bool = True,
    ) -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        _SUPPORTED.check(self.game)
        if boards < 1:
            raise SpecError(f"a batch has at least 1 board, not {boards}")
        plies = random_plies if isinstance(random_plies, tuple) else (random_plies, random_plies)
        if not 0 <= plies[0] <= plies[1] <= self.game.cells:
            raise SpecError(f"random_plies must be 0 to {self.game.cells}, not {random_plies}")
        self.boards = int(boards)
        self.num_players, self.num_actions = self.game.players, self.game.board.cell_count
        self._raises = choice_option("illegal", illegal, ILLEGAL_MOVES) == "raise"
        random = np.empty((self.boards, 2), np.uint64)
        self._opening = kernels.Opening(random, *plies, bool(auto_reset))
        self._sampled = np.empty(self.boards, np.int64)
        self._small = self.num_actions <= MOST_CELLS and not self.game.exact
        loops = kernels.SMALL if self._small else kernels.LARGE
        self._begin, self._step, self._illegal, self._sample = loops
        if self._small:
            self._rules = _small_rules(self.game, self.boards)
        else:
            t = tables_of(self.game)
            states = np.zeros((self.boards, t[STATE_SIZE]), np.int32)
            self._rules = t, states, np.zeros(self.game.cells, np.int32)
        left_out = {"observations": observations, "masks": masks}
        self.out = self.arrays(**{name: None for name, wanted in left_out.items() if not wanted})
        self.reset(seed=seed)

    def arrays(self, **own: NDArray[Any] | None) -> Arrays:
        """Return new arrays to write into, with those given by name in place of new ones.

        So a step writes directly into a part of a larger array, such as
        ``batch.arrays(observations=storage[t])``.

        Parameters
        ----------
        **own : array or None
            Any of the attributes of `Arrays`, contiguous; None for no `observations` or `masks`.

        Raises
        ------
        SpecError
            If an array has another shape or type, or cannot be written.
        """
        cells = (self.boards, self.num_actions)
        kinds: dict[str, tuple[tuple[int, ...], type]] = {
            "rewards": ((self.boards, self.num_players), np.float32),
            "done": ((self.boards,), np.bool_),
            "players": ((self.boards,), np.int32),
            "observations": ((*cells, self.num_players), np.bool_),
            "masks": (cells, np.bool_),
        }
        if unknown := own.keys() - kinds.keys():
            raise SpecError(f"a step does not write '{min(unknown)}', only {', '.join(kinds)}")
        arrays = {}
        for name, (shape, kind) in kinds.items():
            array: Any = own[name] if name in own else np.zeros(shape, kind)
            arrays[name] = array
            if array is None and name in ("observations", "masks"):
                continue
            fits = isinstance(array, np.ndarray) and (array.shape, array.dtype) == (shape, kind)
            if not (fits and array.flags.c_contiguous and array.flags.writeable):
                raise SpecError(
                    f"{name} must be a contiguous, writeable array of {kind.__name__} {list(shape)}"
                )
        return Arrays(**arrays)

    def reset(self, out: Arrays | None = None, *, seed: int | ArrayLike | None = None) -> Arrays:
        """Start a new game on every board.

        Parameters
        ----------
        out : Arrays, optional
            Output arrays, instead of `self.out`.
        seed : int or sequence of int, optional
            As for the batch; without it the random numbers go on from where they are.

        Returns
        -------
        Arrays
            The output arrays.
        """
        out = self.out if out is None else out
        if seed is not None:
            seeds = np.asarray(seed)
            if seeds.dtype.kind not in "iu" or seeds.shape not in ((), (self.boards,)):
                raise SpecError(f"seed must be a whole number, or {self.boards} of them")
            # One seed: streams by the place of the board. A seed for each: place 0, so that a board
            # alone plays the same with it.
            numbers = np.arange(self.boards) * (seeds.ndim == 0)
            each = np.broadcast_to(seeds, self.boards).astype(np.uint64)
            kernels.seed_boards(each, numbers, self._opening.random)
        out.rewards[:] = 0
        out.done[:] = False
        self._begin(*self._rules, self._opening, out._seen)
        return out

    def step(self, actions: NDArray[np.integer[Any]], out: Arrays | None = None) -> Arrays:
        """Play an action on every board.

        Parameters
        ----------
        actions : array of integers ``[B]``
            A cell for each board. Other types than int64 are copied to it first.
        out : Arrays, optional
            Output arrays, instead of `self.out`.

        Returns
        -------
        Arrays
            The output arrays.

        Raises
        ------
        SpecError
            If the actions are not integers, or not one for each board.
        IllegalMoveError
            If an action is illegal, with ``illegal="raise"``.

        Examples
        --------
        >>> import numpy as np
        >>> batch = Batch("3^2", boards=2)
        >>> for cells in ([0, 0], [3, 3], [1, 1], [4, 3]):
        ...     seen = batch.step(np.array(cells))
        >>> seen.done.tolist(), seen.rewards.tolist(), seen.players.tolist()
        ([False, True], [[0.0, 0.0], [1.0, -1.0]], [0, 0])
        """
        out = self.out if out is None else out
        given: Any = actions
        whole = isinstance(given, np.ndarray) and given.dtype.kind in "iu"
        if not whole or given.shape != (self.boards,):
            raise SpecError(f"actions must be an array of {self.boards} whole numbers")
        actions = np.ascontiguousarray(given, np.int64)
        # All boards are checked before any of them changes.
        if self._raises and (board := int(self._illegal(*self._rules[:3], actions))) >= 0:
            try:
                self.position(board).play(int(actions[board]))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"board {board}: {error}") from None
        self._step(*self._rules, self._opening, actions, *out._written)
        return out

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Choose a random legal move on every board, each as likely; -1 where the game is over.

        Parameters
        ----------
        out : array of int64 ``[B]``, optional
            Output array; otherwise the same array with every call.

        Returns
        -------
        array of int64 ``[B]``
            The output array.

        Examples
        --------
        >>> batch = Batch("1^1", boards=4, auto_reset=False)
        >>> _ = batch.step(batch.sample())
        >>> batch.sample().tolist()
        [-1, -1, -1, -1]
        """
        out = self._sampled if out is None else out
        if out.dtype != np.int64 or out.shape != (self.boards,) or not out.flags.c_contiguous:
            raise SpecError(f"actions are written into an array of {self.boards} int64")
        self._sample(*self._rules[:3], self._opening.random, out)
        return out

    def position(self, board: int) -> Position:
        """Return the position on one board, counted from 0; its moves are not known.

        Examples
        --------
        >>> import numpy as np
        >>> batch = Batch("3^2", boards=2)
        >>> _ = batch.step(np.array([4, 0]))
        >>> batch.position(1).text
        '1........'
        """
        if not 0 <= board < self.boards:
            raise SpecError(f"there is no board {board}; boards are 0 to {self.boards - 1}")
        t, first, words, *_ = self._rules
        cells, players = t[CELLS], t[PLAYERS]
        if self._small:
            # Words of a board: plies, end, taken cells; sets of stones and counts of lines by
            # player. `taken` is ``[q, N]``, 0 or 1.
            stones = words.reshape(-1, 3 + 2 * players)[board, 3 : 3 + players, None]
            taken = stones >> np.arange(cells, dtype=np.uint64) & np.uint64(1)
            owners = taken.T.astype(np.uint8) @ np.arange(1, players + 1, dtype=np.uint8)
        else:
            owners = first[board, t[S_OWNER] :][:cells].astype(np.uint8)
        owners[list(self.game.blocked)] = BLOCKED
        return Position.from_owners(self.game, owners.tobytes(), reached=True)


def _small_rules(game: Game, boards: int) -> tuple[Any, ...]:
    """Return the arguments of the bitboard kernels: tables, sets, boards and lines."""
    # `parts`: the numbers `S_PLAYABLE`, ..., `S_HALF` of the kernels, then the opening cells
    # by ply (0 if unrestricted). `lines` ``[N, width]``: the lines through each cell as bit sets;
    # the last column counts the unused entries before it.
    board = game.board
    cells = board.cell_count
    above = above_of(game)
    floor = (1 << 64) - 1 if game.below is None else _set_of(np.flatnonzero(game.below < 0))
    lifted = np.flatnonzero(above >= 0)
    distance = int(above[lifted[0]] - lifted[0]) if len(lifted) else 0
    width = int(board.degrees.max()) + 1
    half = 1 << ((cells - 1).bit_length() - 1) if cells > 1 else 0
    opening = _set_of(game.opening or ())
    openings = [opening * restricts(game, ply) for ply in range(game.cells + 1)]
    parts = (_set_of(board.playable), floor, distance, width, half, *openings)
    lines = np.zeros((cells, width), np.uint64)
    for cell in range(cells):
        through = board.lines_through(cell)
        lines[cell, : len(through)] = [_set_of(board.line(line)) for line in through]
        lines[cell, -1] = width - 1 - len(through)
    words = np.zeros(boards * (3 + 2 * game.players), np.uint64)
    return tables_of(game), np.array(parts, np.uint64), words, lines.reshape(-1)


def _set_of(cells: Any) -> int:
    return sum(1 << int(cell) for cell in cells)
