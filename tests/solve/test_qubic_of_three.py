"""Three-player Qubic: two players together beat the first, replayed to every end.

The search only suggests the coalition's moves. That they work is checked here by the
readable rules alone: the first player tries every legal move at each of his turns, and every
end must be a win of player 2 or 3.
"""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.kernels.coalition import order_moves
from hyperoxo.position import Position
from hyperoxo.rules import Game
from hyperoxo.solve.arrays import state_of, tables_of
from hyperoxo.solve.coalition_search import DRAW, forcing

GAME = Game("4^3:players=3")
LINES = GAME.board.lines.tolist()


def completing(position: Position, player: int) -> set[int]:
    found = set()
    for line in LINES:
        owners = [position.owners[cell] for cell in line]
        if owners.count(player) == 3 and owners.count(0) == 1:
            found.add(line[owners.index(0)])
    return found


def coalition_move(position: Position, seat: int) -> int:
    """A completing cell; else one that leaves the partner's; else what the search suggests."""
    own = completing(position, position.to_move)
    if own:
        return min(own)
    after = position.to_move % 3 + 1
    if after != seat and (partners := completing(position, after)):
        return next(cell for cell in position.legal_moves if cell not in partners)
    out = np.empty(64, np.int32)
    count = order_moves(tables_of(GAME), state_of(position), seat - 1, DRAW, 0, out)
    for cell in out[:count].tolist():
        if forcing(position.play(cell), seat, DRAW).forced is False:
            return int(cell)
    raise AssertionError(f"no move of the coalition is known in {position.text}")


@pytest.mark.slow
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_seat_can_force_even_a_draw(seat: int) -> None:
    seen: set[bytes] = set()
    waiting = [GAME.start()]
    ends = 0
    while waiting:
        position = waiting.pop()
        form = GAME.symmetry.canonical(position.owners).tobytes()
        if form in seen:
            continue
        seen.add(form)
        if position.outcome is not None:
            assert position.outcome.winner not in (None, seat)
            ends += 1
        elif position.to_move == seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
        else:
            waiting.append(position.play(coalition_move(position, seat)))
    assert ends > 10_000
