"""The draft on games of q players: guided trees, what seats force, the gather operation."""

from __future__ import annotations

from collections.abc import Iterator

from hyperoxo.errors import LimitError
from hyperoxo.lab.guide import guide
from hyperoxo.lab.study.bench import Bench
from hyperoxo.lab.study.gathering import gathering
from hyperoxo.lab.study.parts import Finding, Section, Study, Table, compared
from hyperoxo.lab.study.q_players_forced import forced
from hyperoxo.rules import Game

__all__ = ["STUDY"]

GREEDY: dict[tuple[int, int], tuple[int, int, int, int]] = {
    (2, 1): (18, 1, 0, 19),
    (2, 2): (53, 22, 6, 81),
    (3, 1): (84, 148, 0, 232),
    (3, 2): (258, 449, 21, 728),
    (3, 3): (321, 1604, 60, 1985),
}
LEARNED: dict[tuple[int, int], tuple[int, int, int, int]] = {
    (2, 1): (29, 11, 15, 55),
    (2, 2): (70, 24, 54, 148),
    (3, 1): (94, 748, 166, 1008),
    (3, 2): (103, 684, 183, 970),
    (3, 3): (164, 1428, 220, 1812),
}
"""Published wins, draws, losses and leaves of guided trees of 3^2, by players and seat."""

_COUNTED = ("wins", "draws", "losses", "leaves")
_TREES = ("3^2", "3^2:players=3", "3^2:players=4", "4^2")
_MORE_TREES = ("4^2:players=3",)


def _agents(players: int) -> tuple[str, ...]:
    """The greedy player as the draft's program has it, as its text has it, and random play."""
    program = f"greedy:defend={players - 1}"
    return ("greedy", "random") if players == 2 else (program, "greedy", "random")


def _guided(bench: Bench) -> Iterator[Section]:
    yield Section(
        "Guided trees on 3^2",
        "One seat follows an agent, all others try everything, one only of moves that lead to "
        "equivalent positions; the leaves are counted. The published counts of the greedy player "
        "are found again with ties to the lowest cell, if a rival's line takes off 1/d. That is "
        "what the draft's program must do; its text has 1/(d (q - 1)), which is the same with two "
        "players only.\n\nIts learned player was not published, so those rows cannot be measured "
        "again; they are listed to be compared with.",
        (
            compared("guided", "Leaves of the greedy player's trees", list(_published())),
            _learned(),
        ),
    )
    games = _TREES + bench.size((), _MORE_TREES)
    yield Section(
        "Guided trees of more games",
        "The same for more players and a larger board, with both readings of the score; the one "
        "of the text is 'greedy', the one of the program has 'defend' = q - 1. Where no leaf is a "
        "loss, the agent's moves are a strategy that never loses. The random player draws one "
        "move for each position.",
        (_trees(bench, games),),
    )


def _published() -> Iterator[Finding]:
    for (players, seat), printed in GREEDY.items():
        game = Game("3^2") if players == 2 else Game(f"3^2:players={players}")
        agent = f"greedy:defend={players - 1}"
        tree = guide(game, seat, agent, merge=True, losing_lines=0)
        ours = (tree.wins, tree.draws, tree.losses, tree.leaves)
        command = f"oxo guide {game} --seat {seat} --agent {agent} --merge"
        for what, theirs, count in zip(_COUNTED, printed, ours, strict=True):
            quantity = f"q = {players}, player {seat}: {what}"
            yield Finding(quantity, theirs, count, agrees=theirs == count, command=command)


def _learned() -> Table:
    rows = tuple((players, seat, *counts) for (players, seat), counts in LEARNED.items())
    columns = ("q", "player", *_COUNTED)
    return Table("guided-learned", "Published for the learned player, on 3^2", columns, rows)


def _trees(bench: Bench, games: tuple[str, ...]) -> Table:
    rows = []
    for spec in games:
        game = Game(spec)
        for seat in range(1, game.players + 1):
            for agent in _agents(game.players):
                # Random play is walked position by position, which takes too long on 4^2.
                if agent == "random" and game.cells > 9:
                    continue
                rows.append((spec, seat, agent, *_tree(game, seat, agent, bench.seed)))
    columns = ("game", "player", "agent", *_COUNTED, "positions", "verdict")
    return Table("guided-more", "Leaves of guided trees", columns, tuple(rows))


def _tree(game: Game, seat: int, agent: str, seed: int) -> tuple[str | int | None, ...]:
    try:
        tree = guide(game, seat, agent, merge=True, losing_lines=0, seed=seed)
    except LimitError as error:
        return (None, None, None, None, None, f"not counted: {error}")
    counts = (tree.wins, tree.draws, tree.losses, tree.leaves)
    return (*counts, tree.positions, tree.verdict)


def _sections(bench: Bench) -> Iterator[Section]:
    yield from _guided(bench)
    yield from forced(bench)
    yield gathering(bench)


STUDY = Study(
    "q-players",
    "Games of q players",
    "D. C. Kutner, Winning strategies in q-player n^k Tic-Tac-Toe (draft, Durham University), "
    "counts the leaves of trees in which one seat follows a greedy or a learned player and all "
    "others try everything, asks what single seats can force, and times the operation that its "
    "program stands on. Its tables are measured again here, and its conjecture on 4^3 is proved.",
    _sections,
)
