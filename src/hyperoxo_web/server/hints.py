"""Hints: a strong move with its line; verdicts on moves in puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hyperoxo.agents import agent, default_opponent
from hyperoxo.agents.proof import proved_move
from hyperoxo.agents.scored import in_turn
from hyperoxo.board import cells_beyond
from hyperoxo.game import FREE, Position, completing_cells
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch, begun_by, immediate_wins

_SECONDS = 0.3
_NODES = 100_000
_PUZZLE_NODES = 200_000
_IDLE = "That makes no threat. Try another cell."
_OPEN = "That threat is answered, and no forced win is left. Try another cell."
_LATE = "The other side completes a line first."


@dataclass(frozen=True)
class Hint:
    """A move with the number of its line, or None, and one sentence."""

    cell: int
    line: int | None
    words: str


def hint(position: Position) -> Hint:
    """Return a hint for the player to move; the game must not be over."""
    # From certain to plausible; the first that applies is the hint.
    game, mover = position.game, position.to_move
    # 1. A completed line: the mover's own first, then those of rivals in the order of their turns,
    #    since the first of them to move would complete it.
    reached = game.convention.reaching_wins
    for player in in_turn(position) if reached else ():
        if cells := completing_cells(position, player):
            line = _line(position, cells[0], player)
            if player == mover:
                win = " and win" if game.target == 1 else ""
                return Hint(cells[0], line, f"Complete this line{win}.")
            name = BoardStyle.of(game.players).name(player)
            return Hint(cells[0], line, f"{name} completes this line next: stop it.")
    # 2. A forced win by threats, the shortest, so that following hints makes progress.
    if THREATS.accepts(game):
        found = ThreatSearch(game).forced_win(position, node_limit=_NODES, shortest=True)
        if found.status == "win":
            cell, count = found.line[0], len(found.line) // 2
            words = f"Threaten this line and win by force: {count} threats, then your line."
            if count == 1:
                words = "Threaten two lines at once: only one of them can be stopped."
            return Hint(cell, _line(position, cell, mover), words)
    # 3. A stored proof; then 4. a short search, explained by the lines that its move changes.
    if (proved := proved_move(position)) is not None:
        words = "The stored proof plays here and wins against every answer."
        return Hint(proved[0], _line(position, proved[0], mover), words)
    usual = default_opponent(game)
    searched = agent(usual, seconds=_SECONDS) if usual == "expert" else agent(usual, ties="lowest")
    return _advised(position, searched.choose(position, 0))


def _advised(position: Position, cell: int) -> Hint:
    """Explain the move of a search by its line with most stones of one player."""
    game, mover = position.game, position.to_move
    if not game.convention.reaching_wins:
        return Hint(cell, None, "A quick search finds this the safest cell.")
    known = {player: _line(position, cell, player) for player in in_turn(position)}
    lines = {player: line for player, line in known.items() if line is not None}
    if not lines:
        return Hint(cell, None, "A quick search finds this the strongest cell.")
    counts = {player: _stones(position, line, player) for player, line in lines.items()}
    player = max(lines, key=lambda one: (counts[one], one == mover))
    line, stones = lines[player], counts[player]
    name, size = BoardStyle.of(game.players).name(player), len(game.board.line(line))
    if player == mover:
        return Hint(cell, line, f"Build this line: you then have {stones + 1} of {size} on it.")
    return Hint(cell, line, f"Close this line, on which {name} has {stones} of {size}.")


def _line(position: Position, cell: int, player: int) -> int | None:
    """Return the open line of a player through a cell with most of the player's stones."""
    lines = position.game.board.lines_through(cell).tolist()
    open_lines = [line for line in lines if _stones(position, line, player) >= 0]
    return max(open_lines, key=lambda line: _stones(position, line, player), default=None)


def _stones(position: Position, line: int, player: int) -> int:
    """Count the stones of a player on a line; -1 if it cannot be theirs alone."""
    board = position.game.board
    owners, near = (
        [position.owners[cell] for cell in cells]
        for cells in (board.line(line).tolist(), cells_beyond(board, line))
    )
    is_open = {FREE, player}.issuperset(owners) and player not in near
    return owners.count(player) if is_open else -1


@dataclass(frozen=True)
class PuzzleStep:
    """The outcome of a move in a puzzle."""

    verdict: str
    reply: int | None = None
    why: str = ""


def answer(position: Position, cell: int) -> PuzzleStep:
    """Judge the attacker's next move in a puzzle, and answer it."""
    attacker = position.to_move
    after = position.play(cell)
    if after.is_over:
        won = after.outcome is not None and attacker in after.outcome.winners
        return PuzzleStep("solved") if won else PuzzleStep("wrong", why="The board is full.")
    limited = partial(ThreatSearch(position.game).forced_win, node_limit=_PUZZLE_NODES)
    found = begun_by(position, cell, limited)
    if found.status == "win":
        return PuzzleStep("right", found.line[1])
    if immediate_wins(after):
        return PuzzleStep("wrong", why=_LATE)
    return PuzzleStep("wrong", why=_OPEN if found.immediate else _IDLE)
