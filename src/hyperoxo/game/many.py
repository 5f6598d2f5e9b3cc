"""Many positions of one game, as one array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperoxo.errors import SpecError
from hyperoxo.game.game import Game
from hyperoxo.game.position import Position
from hyperoxo.game.setup import BLOCKED, FREE


class Positions(Sequence[Position]):
    """Many positions of one game, kept as an array; each becomes a `Position` when it is taken out.

    Parameters
    ----------
    game : Game or str
        The game.
    owners : array_like
        One row a position and one column a cell: 0 free, 1..q stones, 255 blocked.

    Attributes
    ----------
    game : Game
        The game.
    owners : numpy.ndarray
        The array, uint8 ``[K, N]``, read-only.

    Examples
    --------
    >>> positions = Positions("3^2", [[1, 0, 0, 0, 2, 0, 0, 0, 0], [0] * 9])
    >>> positions[0].text, positions.plies.tolist()
    ('1...2....', [2, 0])
    """

    def __init__(self, game: Game | str, owners: ArrayLike) -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        self.owners: NDArray[np.uint8] = np.ascontiguousarray(owners, dtype=np.uint8)
        cells = self.game.board.cell_count
        if self.owners.ndim != 2 or self.owners.shape[1] != cells:
            raise SpecError(
                f"positions of {self.game} are rows of {cells} cells, "
                f"not an array of shape {self.owners.shape}"
            )
        # Kernels are compiled for one kind of array.
        self.owners = self.owners.view()
        self.owners.flags.writeable = False

    @classmethod
    def of(cls, given: Iterable[Position | Game | str] | Position | Game | str) -> Positions:
        """Collect positions of one game.

        Parameters
        ----------
        given : Position, Game or str, or iterable of these
            Positions of one and the same game, or the game, for its start.

        Returns
        -------
        Positions
            All of them, in the order given.

        Raises
        ------
        SpecError
            If there are none, or they belong to several games.

        Examples
        --------
        >>> len(Positions.of([Game("3^2").start()]))
        1
        """
        if isinstance(given, Positions):
            return given
        each = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
        positions = [one if isinstance(one, Position) else Game(one).start() for one in each]
        games = dict.fromkeys(position.game for position in positions)
        if len(games) != 1:
            raise SpecError(f"positions of one game are needed, not of {len(games)}")
        cells = b"".join([position.owners for position in positions])
        return cls(next(iter(games)), np.frombuffer(cells, np.uint8).reshape(len(positions), -1))

    @property
    def plies(self) -> NDArray[np.int64]:
        """Stones in each position, int64 ``[K]``."""
        stones: NDArray[np.int64] = ((self.owners != FREE) & (self.owners != BLOCKED)).sum(axis=1)
        return stones

    def __len__(self) -> int:
        return len(self.owners)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice | NDArray[np.integer] | NDArray[np.bool_]) -> Positions: ...
    def __getitem__(
        self, index: int | slice | NDArray[np.integer] | NDArray[np.bool_]
    ) -> Position | Positions:
        if isinstance(index, slice | np.ndarray):
            return Positions(self.game, self.owners[index])
        return Position.from_owners(self.game, self.owners[index].tobytes())
