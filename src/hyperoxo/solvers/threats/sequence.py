"""Checker of published lines of play: quiet moves, then a forced sequence.

A *three* is a line on which all cells but one hold stones of one player and that one is free;
on 4^3 it has three stones. A *quiet* move neither wins, nor blocks a three, nor makes one. It
leaves the other side free to answer anywhere, and so makes a proof large: its *quiet depth* is the
most quiet moves of the attacker on a path. Under gravity a three counts while its free cell can be
played, as for all threats.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hyperoxo.errors import IllegalMoveError, NotationError
from hyperoxo.game import FREE, Game, Position, completing_cells
from hyperoxo.notation.sequence import parse_sequence
from hyperoxo.solvers.arrays import position_of
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch

__all__ = ["CheckedMove", "SequenceCheck", "is_quiet", "quiet_moves", "verify_sequence"]


def is_quiet(position: Position, cell: int) -> bool:
    """True if a move neither wins, nor blocks a three, nor makes a three.

    Parameters
    ----------
    position : Position
        A position of a game for two that one line wins, in normal or Maker-Breaker play.
    cell : int
        A legal move of the player to move.

    Returns
    -------
    bool
        Whether the move is quiet.

    Raises
    ------
    IllegalMoveError
        If the move is not legal.
    NotSupportedError
        If the game has no threats of this kind.

    Examples
    --------
    >>> from hyperoxo.game import Game
    >>> position = Game("4^3").position("moves:0,3,60,21")
    >>> is_quiet(position, 15)
    True
    >>> is_quiet(position.play(12).play(51), 4)  # three of 0-4-8-12
    False
    """
    THREATS.check(position.game)
    after = position.play(cell)
    mover = position.to_move
    return (
        not _has_line(after, mover)
        and cell not in completing_cells(position, 3 - mover)
        and not _makes_three(position, after, cell, mover)
    )


def quiet_moves(position: Position) -> tuple[int, ...]:
    """Return the legal moves that are quiet.

    Parameters
    ----------
    position : Position
        As for `is_quiet`.

    Returns
    -------
    tuple of int
        Cells, ascending; none when the game is over.

    Raises
    ------
    NotSupportedError
        If the game has no threats of this kind.

    Examples
    --------
    >>> from hyperoxo.game import Game
    >>> quiet_moves(Game("3^2").position("moves:0,5"))
    (7,)
    """
    return tuple(cell for cell in position.legal_moves if is_quiet(position, cell))


def _has_line(position: Position, player: int) -> bool:
    """True if a player has completed a line that counts."""
    counts = position.game.convention.counts(player)
    return counts and position.lines_owned[player - 1] > 0


def _makes_three(position: Position, after: Position, cell: int, mover: int) -> bool:
    """True if a stone gives its owner a three, or makes the free cell of one playable."""
    # A new completing cell is one. Else the stone may add a second line through a cell that
    # completed one before: look at the lines through the stone.
    playable = completing_cells(after, mover)
    if set(playable) - set(completing_cells(position, mover)):
        return True
    board, owners = position.game.board, after.owners
    for line in board.lines_through(cell):
        free = [int(other) for other in board.line(line) if owners[other] == FREE]
        stones = sum(owners[other] == mover for other in board.line(line))
        if len(free) == 1 and stones == len(board.line(line)) - 1 and free[0] in playable:
            return True
    return False


@dataclass(frozen=True)
class CheckedMove:
    """One move of a sequence, with its effect."""

    number: int
    player: int
    cell: int
    part: str
    does: str
    threatens: tuple[int, ...]
    problem: str | None


@dataclass(frozen=True)
class SequenceCheck:
    """The result of checking a sequence.

    Attributes
    ----------
    start : Position
        The position where it begins.
    moves : tuple of CheckedMove
        Every move up to the first illegal one.
    attacker : int or None
        The player of the forced sequence; None without one.
    ending : str
        ``line``, ``double threat``, or ``open``.
    threats : int
        Threat moves of the forced sequence before a completing stone.
    fewest : int or None
        Fewest threat moves of a forced win from the position where the forced sequence begins;
        None if no such win was found.
    fewest_line : tuple of int
        One shortest win: attacker and defender in turn, ending with the completing stone.
    problems : tuple of str
        Everything that is wrong; empty if the sequence holds.
    """

    start: Position
    moves: tuple[CheckedMove, ...]
    attacker: int | None
    ending: str
    threats: int
    fewest: int | None
    fewest_line: tuple[int, ...]
    problems: tuple[str, ...]
    _data = (
        "game=start.game position=start.text holds problems attacker ending length=threats "
        "shortest=fewest shortest_line=fewest_line moves"
    )
    _text = """
|moves| move={number} | player | cell | written as={part} | does | threatens={threatens:; } |
*problems wrong: {}
?holds The sequence holds: {length:#threat} of player {attacker}, up to {_end}.
?_is_shorter The shortest forced win there has {shortest:#threat}: {shortest_line:;x}
"""

    @property
    def _end(self) -> str:
        return "two threats at once" if self.ending == "double threat" else "a completed line"

    @property
    def _is_shorter(self) -> bool:
        return self.fewest is not None and (not self.holds or self.fewest < self.threats)

    @property
    def holds(self) -> bool:
        """True if every move is legal and as annotated, up to a win."""
        return not self.problems


def verify_sequence(
    start: Game | Position | str, text: str, *, node_limit: int | None = 10_000_000
) -> SequenceCheck:
    """Check a sequence ``0-3-60-21 4x8x5`` move by move.

    The moves joined by ``-`` must be legal, and those of the attacker quiet or the block of a
    three. In the part joined by ``x`` each of the attacker's moves must make a threat and leave
    the defender no line to complete, and each answer must stop a threat. It must end with a
    double threat that the defender cannot overtake, or with a completed line.

    Parameters
    ----------
    start : Game, Position or str
        Where the sequence begins; a game, or its spec, means the empty board.
    text : str
        The sequence; it may name its game.
    node_limit : int, optional
        Largest number of positions searched for a shorter forced win.

    Returns
    -------
    SequenceCheck
        The verdict on each move, and on the whole.

    Raises
    ------
    NotationError
        If the text is not a sequence, or belongs to another game.
    NotSupportedError
        If the game has no threats of this kind.

    Examples
    --------
    >>> check = verify_sequence(
    ...     "4^3", "0-3-60-21-15-51-12-63 4x8x5x10x20x40x28x44x24x16x36x52x48"
    ... )
    >>> check.holds, check.ending, check.threats, check.fewest
    (True, 'line', 6, 5)
    >>> verify_sequence("3^2", "0-1 3x4").problems
    ('move 4 (cell 4) does not stop 6', 'the sequence ends without a line or two threats')
    """
    position = position_of(start)
    THREATS.check(position.game)
    parsed = parse_sequence(text, position.game)
    if not parsed.moves:
        raise NotationError("the sequence has no moves")
    quiet = len(parsed.quiet)
    attacker = position.game.turns.mover(position.ply + quiet) if parsed.forced else None
    # 1. Play the moves, and judge each by the positions before and after it. 2. The ending. 3. A
    # shortest forced win from the beginning of the forced part, for comparison.
    path, illegal = _play(position, parsed.moves)
    moves = tuple(
        _judge(before, after, number, number > quiet, attacker)
        for number, (before, after) in enumerate(pairwise(path), start=1)
    )
    ending = _ending(path[-1], attacker) if illegal is None else "open"
    problems = [move.problem for move in moves if move.problem is not None]
    if illegal is not None:
        problems.append(illegal)
    elif attacker is None:
        problems.append("the sequence has no forced part")
    elif ending == "open":
        problems.append("the sequence ends without a line or two threats")
    best: tuple[int, ...] = ()
    if attacker is not None and len(path) > quiet and not path[quiet].is_over:
        search = ThreatSearch(position.game)
        best = search.forced_win(path[quiet], node_limit=node_limit, shortest=True).line
    threats = sum(move.part == "forced" and "threat" in move.does for move in moves)
    return SequenceCheck(
        position, moves, attacker, ending, threats, len(best) // 2 if best else None, best,
        tuple(problems),
    )  # fmt: skip


def _play(start: Position, moves: tuple[int, ...]) -> tuple[list[Position], str | None]:
    """Return the positions up to the first illegal move, and the error of that."""
    path = [start]
    for number, cell in enumerate(moves, start=1):
        try:
            path.append(path[-1].play(cell))
        except IllegalMoveError as error:
            return path, f"move {number}: {error}"
    return path, None


def _judge(
    before: Position, after: Position, number: int, forced: bool, attacker: int | None
) -> CheckedMove:
    """Classify a move, and find its problem."""
    player = before.to_move
    cell = after.history[-1]
    threatens = () if after.is_over else completing_cells(after, player)
    blocks = cell in completing_cells(before, 3 - player)
    if _has_line(after, player):
        does = "line"
    elif player == attacker and forced:
        does = ("nothing", "threat", "double threat")[min(len(threatens), 2)]
    elif blocks:
        does = "answer"
    elif is_quiet(before, cell):
        does = "quiet"
    else:
        does = "threat" if len(threatens) < 2 else "double threat"
    found = _problem(before, after, forced, player == attacker, does)
    return CheckedMove(
        number,
        player,
        cell,
        "forced" if forced else "quiet",
        does,
        threatens,
        None if found is None else f"move {number} (cell {cell}) {found}",
    )


def _problem(
    before: Position, after: Position, forced: bool, attacks: bool, does: str
) -> str | None:
    """Return the problem of a move written as quiet or as forced, None if it is correct."""
    # The first problem whose condition holds is reported. An attacker's forced line needs no
    # defence, nor does a defender's answer that stops the threat it was made against.
    mover, quiet, answers = before.to_move, not forced, forced and not attacks
    lines = completing_cells(before, mover) if answers else ()
    makes = completing_cells(after, mover) if quiet and attacks else ()
    stops = forced and does == ("line" if attacks else "answer")
    left = () if stops else completing_cells(after, 3 - mover)
    problems = {
        "threatens nothing and is called forced": forced and attacks and does == "nothing",
        "is the answer, and completes a line": answers and does == "line",
        f"is the answer, and could have completed a line on {min(lines, default=None)}": lines,
        "completes a line and is called quiet": quiet and does == "line",
        "makes a three and is called quiet": makes,
        f"does not stop {min(left, default=None)}": left,
    }
    return next((text for text, holds in problems.items() if holds), None)


def _ending(last: Position, attacker: int | None) -> str:
    if attacker is None:
        return "open"
    if last.is_over:
        return "line" if _has_line(last, attacker) else "open"
    # Two completing cells win only if the defender moves and cannot complete a line first.
    if last.to_move == attacker or completing_cells(last, 3 - attacker):
        return "open"
    return "double threat" if len(completing_cells(last, attacker)) > 1 else "open"
