"""What the draft on q players draws and says of trees: figures, sizes, categories, payoffs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from hyperoxo.game import Game, Position
from hyperoxo.lab.guide import guide
from hyperoxo.lab.pictures.tree import draw_guided, draw_line, draw_tree
from hyperoxo.proof.cubes import cube_lines
from hyperoxo.solvers.coalition.forces import Coalition, alliances
from hyperoxo.solvers.coalition.table import torn
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_research.draws.published import as_published
from hyperoxo_research.draws.stored import stored_board, stored_boards
from hyperoxo_research.study.parts import Cell, Finding, Section, Table, compared, drawing, exact

_SIZES = ("2^2", "2^2:players=3", "3^2", "3^2:players=3", "3^2:players=4", "2^3", "2^3:players=3")
_THIRD = ("3^2:players=3", 3, "greedy:defend=2")
_FIGURE_5 = "1.2.1...3"


def drawn() -> Iterator[Section]:
    """Yield the sections on figures, categories and sizes."""
    game, seat, agent = _THIRD
    line = alliance_line(Game(game), seat, agent)
    yield Section(
        "What the draft draws",
        "The figures of the draft, drawn again. A child is its parent and one stone more, which "
        "is tinted. In guided trees equivalent positions are dashed and name the first of them.",
        drawing("figure-3.svg", "Figure 3: oxo draw tree 2^2 --whole",
             partial(draw_tree, Game("2^2"), whole=True)),
        drawing("figure-4.svg", "Figures 4a, 4b: oxo prove guide 2^2 --seat 1 --agent greedy",
             partial(draw_guided, Game("2^2"), 1, "greedy")),
        drawing("figure-4-merged.svg", "The same with --merge: what has to be looked at",
             partial(draw_guided, Game("2^2"), 1, "greedy", merge=True)),
        drawing("figure-5.svg", f"Figure 5: the position {_FIGURE_5} of 3^2:players=3",
             partial(draw_line, Game(game).position(_FIGURE_5), (), "Figure 5")),
        drawing("figure-8.svg",
             f"Figure 8: in a game that player 3 loses by {agent}, it comes to the point where "
             f"player 3 can stop only one of two rivals: oxo draw tree {game} --line "
             f"{','.join(map(str, line))}",
             partial(draw_line, Game(game).start(), line, "Figure 8")),
    )  # fmt: skip
    yield Section(
        "Categories of n^k for two players",
        "Figure 2 of the draft, taken from Golomb and Hales (2002): 1 the first player must win, "
        "2 no draw is possible, 3 draws exist but the first player wins, 4 a draw, 5 a draw by a "
        "pairing. Dotted boundaries are not repeated; the number in brackets is circled there as "
        "uncertain.",
        _categories(),
        compared("categories-wrong", "Entries that cannot be right", _wrong(), where="Figure 2"),
    )
    yield Section(
        "Sizes of trees",
        "The draft says O(n^k!) for the whole tree and O((n^k!)^((q-1)/q)) for the guided one. "
        "Games end before the board is full, so that the counts stay below n^k! where somebody "
        "can win.",
        _sizes(),
    )


def alliance_line(game: Game, seat: int, agent: str) -> tuple[int, ...]:
    """Return a game that a guided seat loses, up to where it can stop only one of two rivals."""
    for line in guide(game, seat, agent, merge=True, losing_lines=100).losing_lines:
        position = game.start()
        for cell in line:
            position = position.play(cell)
            if position.to_move == seat and is_torn(position):
                return position.history
    return ()


def is_torn(position: Position) -> bool:
    """Whether the mover completes no line, and can stop one of two rivals only."""
    owners = np.frombuffer(position.owners, dtype=np.uint8)
    return bool(torn(position.game, owners[None])[0])


def _categories() -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (side, *(as_published(side, dim) for dim in range(1, 9))) for side in range(1, 13)
    )
    columns = ("side n", *(f"k = {k}" for k in range(1, 9)))
    return Table("categories", "Categories as published", columns, rows)


def _wrong() -> list[Finding]:
    rows = []
    for side, dim in stored_boards():
        assert stored_board(side, dim) is not None
        lines = cube_lines(side, dim)
        published = as_published(side, dim)
        remark = (
            f"A full board, half and half, with no line of one player: all {lines:,} lines were "
            "looked at. Either the entry or its transcription is wrong."
        )
        command = f"oxo board {side}^{dim} --draws"
        agrees = published != "2"
        rows.append(
            Finding(f"{side}^{dim}", published, "not 2", None, None, agrees, command, remark)
        )
    return rows


def _sizes() -> Table:
    rows = []
    for spec in _SIZES:
        game = Game(spec)
        nodes = list(StateGraph(game).nodes())
        everything = math.factorial(game.cells)
        leaves = [guide(game, seat + 1, "greedy").leaves for seat in range(game.players)]
        rows.append(
            (
                spec,
                everything,
                sum(node.games for node in nodes if node.result),
                sum(node.games for node in nodes),
                round(everything ** ((game.players - 1) / game.players), 1),
                ", ".join(f"{count:,}" for count in leaves),
            )
        )
    columns = (
        "game", "n^k!", "games to their ends", "positions in the whole tree", "(n^k!)^((q-1)/q)",
        "leaves guided by greedy, by seat",
    )  # fmt: skip
    return Table(
        "tree-sizes",
        "Trees in numbers",
        columns,
        tuple(rows),
        "Counted by 'oxo perft GAME' and 'oxo prove guide GAME --seat K --agent greedy'; every "
        "sequence of moves counts, nothing is merged.",
    )


def payoffs(found: dict[str, Coalition]) -> tuple[Table, Table]:
    """Compare the draft's payout of an alliance, and value those of all games."""
    findings = []
    for players in (3, 4, 5):
        others = players - 1
        win, loss = Fraction(1), Fraction(-1, others)
        ours = win / others + loss * Fraction(others - 1, others)
        findings.append(
            exact(
                f"q = {players}: payout of each ally, in s", str(Fraction(1, others)), str(ours),
                remark="One of q - 1 allies wins s, by lot, and the others lose s/(q - 1) each: "
                "that comes to s/(q - 1)^2. The draft's s/(q - 1) is what all allies have "
                "together.",
            )
        )  # fmt: skip
    rows = tuple(
        (
            spec,
            one.against,
            None if one.seat is None else str(one.seat),
            None if one.ally is None else str(one.ally),
            f"oxo prove coalition {spec} --stake 1",
        )
        for spec, answer in found.items()
        if answer.position.game.players > 2
        for one in alliances(answer)
    )
    columns = ("game", "against player", "that player gets", "each ally is to expect", "command")
    return (
        compared(
            "payoffs", "Payout of an alliance against one player, s = 1", findings, where="IV"
        ),
        Table(
            "alliances",
            "Alliances of all others against one player, by what that player can force, s = 1",
            columns,
            rows,
            "The winner gains s, all others lose s/(q - 1) each, and a draw is worth nothing to "
            "all. Empty where it is not known what the player forces.",
        ),
    )
