"""Reachability of a position that was set up: a legal order of its moves.

Except by `exact`, lines are only ever gained, so an order of moves is legal if the position
before the last move is not over, the first moves keep to the opening and stones do not float.
Without gravity that leaves counting; with gravity the columns fix part of the order,
and taking stones back one by one looks for a legal order of the rest. So it does where
longer rows do not count and a player may have lost a line since.
"""

from __future__ import annotations

from collections import Counter

from hyperoxo.board import line_owners
from hyperoxo.display import number_of
from hyperoxo.errors import NotationError
from hyperoxo.game.game import Game

FREE = 0
BLOCKED = 255

_SEARCH_LIMIT = 200_000


def spelled(owners: bytes) -> str:
    """Write the owners of the cells, legal or not, as one character each."""
    return "".join(
        "." if owner == FREE else "#" if owner == BLOCKED else str(owner) for owner in owners
    )


def restricts(game: Game, ply: int) -> bool:
    """True if the opening restriction applies to the move made with `ply` stones on the board."""
    return ply < game.opening_plies and game.turns.mover(ply) == game.first


def check_setup(game: Game, owners: bytes) -> tuple[int, ...]:
    """Check that legal play of `game` can lead to `owners`."""
    _check_cells(game, owners)
    stones = [cell for cell, owner in enumerate(owners) if owner not in (FREE, BLOCKED)]
    for player in range(1, game.players + 1):
        has, due = owners.count(player), game.turns.made(player, len(stones))
        if has != due:
            raise NotationError(
                f"position: player {player} has {has} of {len(stones)} stones, not {due}"
            )
    scores = scores_of(game, owners)
    last = _last_moves(game, owners, stones, scores)
    longer = game.exact and line_owners(game.board, owners, longer=True).any()
    if game.below is not None or longer:
        _find_order(game, owners, stones, last)
    elif (
        game.opening is not None
        and last
        and not any(_keeps_opening_with(game, game.opening, owners, cell) for cell in last)
    ):
        raise NotationError(
            f"position: player {game.first} did not keep to the opening restriction"
        )
    return scores


def _check_cells(game: Game, owners: bytes) -> None:
    if len(owners) != (count := game.board.cell_count):
        raise NotationError(f"position has {number_of(len(owners), 'cell')}, the board {count}")
    blocked, below = set(game.blocked), game.below
    for cell, owner in enumerate(owners):
        if (owner == BLOCKED) != (cell in blocked):
            state = "is" if cell in blocked else "is not"
            raise NotationError(f"position: cell {cell} {state} blocked in this game")
        if owner > game.players and owner != BLOCKED:
            raise NotationError(f"position: cell {cell} holds a stone of player {owner}")
        if below is not None and owner not in (FREE, BLOCKED):
            under = int(below[cell])
            if under >= 0 and owners[under] == FREE:
                raise NotationError(f"position: the stone on cell {cell} rests on nothing")


def scores_of(game: Game, owners: bytes | bytearray, without: int | None = None) -> tuple[int, ...]:
    """Count the lines of each player, leaving out the stone on `without`."""
    if without is not None:
        owners = owners[:without] + bytes((FREE,)) + owners[without + 1 :]
    owned = line_owners(game.board, owners).tolist()
    return tuple(owned.count(player) for player in range(1, game.players + 1))


def _over(game: Game, scores: tuple[int, ...]) -> int:
    """Return the player who has reached the target, 0 where none has."""
    return abs(game.convention.result(scores, game.target, full=False))


def _last_moves(game: Game, owners: bytes, stones: list[int], scores: tuple[int, ...]) -> list[int]:
    """Stones that may have been played last: without each of them the game was not over."""
    if not stones:
        return []
    mover = game.turns.mover(len(stones) - 1)
    others = tuple(0 if player == mover else score for player, score in enumerate(scores, 1))
    if over := _over(game, others):
        raise NotationError(
            f"position: the game was over before its last move (player {over} had "
            "reached the target)"
        )
    candidates = [cell for cell in stones if owners[cell] == mover]
    # By `exact` taking a stone back can also complete a line, that of a row that was too long.
    if _over(game, scores) or game.exact:
        candidates = [
            cell for cell in candidates if not _over(game, scores_of(game, owners, without=cell))
        ]
    if not candidates:
        raise NotationError("position: the game was over before its last move")
    return candidates


def _keeps_opening_with(game: Game, opening: frozenset[int], owners: bytes, last: int) -> bool:
    """Return True if some order of moves without gravity keeps the opening and ends at `last`."""
    # The first player's stones on opening cells (`inside` of those `before` the last) may come
    # first. So it is enough that there are as many of them as restricted moves, or that all
    # opening cells can be taken by the time they are used up, when the restriction lapses.
    first, turns = game.first, game.turns
    before = [cell for cell, owner in enumerate(owners) if owner == first and cell != last]
    inside = sum(cell in opening for cell in before)
    filled = all(owners[cell] != FREE and cell != last for cell in opening)
    taken = Counter(owners[cell] for cell in opening if owners[cell] not in (FREE, first))

    def lapsed(moves: int) -> bool:
        """Return True if all opening cells may be taken after `moves` moves of the first."""
        ply = turns.ply_of(moves)
        others = all(stones <= turns.made(player, ply) for player, stones in taken.items())
        return filled and inside <= moves and others

    if inside < min(game.opening_moves, len(before)) and not lapsed(inside):
        return False
    if owners[last] != first or len(before) >= game.opening_moves:
        return True
    return last in opening or lapsed(len(before))


def _find_order(game: Game, owners: bytes, stones: list[int], last: list[int]) -> None:
    """Take stones back from the top of the columns until the board is empty."""
    # Depth-first with an explicit stack. `trail` holds the stones taken back, each with the choices
    # not yet tried beside it; `failed` the boards from which the empty one is out of reach, so
    # that each is explored once, in whatever order its stones were taken back.
    below = game.below
    above = {} if below is None else {int(below[at]): at for at in stones if below[at] >= 0}
    board = bytearray(owners)
    failed: set[bytes] = set()
    trail: list[tuple[int, list[int]]] = []
    left = len(stones)
    choices = [cell for cell in _tops(game, board, above, stones, left) if cell in last]
    while left:
        if choices:
            cell = choices.pop()
            trail.append((cell, choices))
            board[cell] = FREE
            left -= 1
            choices = [] if bytes(board) in failed else _tops(game, board, above, stones, left)
            continue
        failed.add(bytes(board))
        if len(failed) > _SEARCH_LIMIT:
            raise NotationError(
                f"position: no legal order of moves found among {_SEARCH_LIMIT:,}; "
                "give it as moves:..."
            )
        if not trail:
            raise NotationError("position: no legal order of moves leads there")
        cell, choices = trail.pop()
        board[cell] = owners[cell]
        left += 1


def _tops(
    game: Game, board: bytearray, above: dict[int, int], stones: list[int], left: int
) -> list[int]:
    """Stones that can be taken back while `left` stones remain: on top, of the last mover."""
    if left == 0:
        return []
    mover = game.turns.mover(left - 1)
    tops = [
        cell
        for cell in stones
        if board[cell] == mover and (cell not in above or board[above[cell]] == FREE)
    ]
    if game.exact:
        tops = [cell for cell in tops if not _over(game, scores_of(game, board, without=cell))]
    if game.opening is not None:
        # The last ones are tried first, so that opening cells stay for the opening moves.
        tops.sort(key=game.opening.__contains__, reverse=True)
    if not restricts(game, left - 1):
        return tops
    return [cell for cell in tops if _keeps_opening(game, board, cell)]


def _keeps_opening(game: Game, board: bytearray, cell: int) -> bool:
    """Return True if `cell` was a legal opening move, `board` still holding its stone."""
    opening = game.opening or frozenset()
    if cell in opening:
        return True
    below = game.below
    return not any(
        board[other] == FREE
        and (
            below is None
            or (below[other] != cell and (below[other] < 0 or board[below[other]] != FREE))
        )
        for other in opening
    )
