"""The draft on games of q players: guided trees, figures, forced results, payoffs, gathering."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Position
from hyperoxo.lab.guide import GuidedTree, guide
from hyperoxo.lab.pictures.tree import draw_guided, draw_line, draw_tree
from hyperoxo.proof import Prevention, Strategy, Verdict, check_proof
from hyperoxo.solvers.coalition.forces import Coalition, alliances, coalition, coalition_proof
from hyperoxo.solvers.coalition.table import torn
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_research.draws.published import as_published
from hyperoxo_research.draws.stored import stored_board, stored_boards
from hyperoxo_research.proof.cubes import cube_lines
from hyperoxo_research.study.gathering import gathering
from hyperoxo_research.study.parts import (
    Bench,
    Cell,
    Finding,
    Section,
    Study,
    Table,
    compared,
    drawing,
    exact,
    proof_file,
)

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
        drawing("figure-4-merged.svg", "The same with --merge: positions to examine",
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
        "Games end before the board is full, so that the counts stay below n^k! where a "
        "player can win.",
        _sizes(),
    )


def alliance_line(game: Game, seat: int, agent: str) -> tuple[int, ...]:
    """Return a game that a guided seat loses, up to where it can stop only one of two rivals."""
    for line in guide(game, seat, agent, merge=True, losing_lines=100).losing_lines:
        position = game.start()
        for cell in line:
            position = position.play(cell)
            owners = np.frombuffer(position.owners, dtype=np.uint8)
            if position.to_move == seat and torn(game, owners[None])[0]:
                return position.history
    return ()


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
            "checked. Either the entry or its transcription is wrong."
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
    """Compare the draft's payout of an alliance with ours, and value the alliances of all games."""
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


FORCES = ("nothing", "draw", "win")

BOARDS = (
    "2^2:players=3", "2^2:players=4", "3^2", "3^2:players=3", "3^2:players=4", "4^2:players=3",
    "3^3:players=3", "3^3:players=4", "4^3:players=3", "4^3:players=4", "4^3:players=5",
)  # fmt: skip
MORE_BOARDS = ("4^2:players=4", "4^2:players=5", "3^4:players=3", "3^4:players=4", "5^3:players=3")
PROOFS = (
    *(("4^3:players=3", seat, claim) for claim in ("no-win", "no-draw") for seat in (1, 2, 3)),
    ("3^2:players=3", 3, "draw"),
    ("2^2:players=3", 1, "win"),
    ("2^2:players=3", 3, "no-win"),
    *(("2^2:players=4", seat, "no-win") for seat in (1, 2, 3, 4)),
)
MORE_PROOFS = tuple(
    (f"4^3:players={players}", seat, claim)
    for players in (4, 5)
    for claim in ("no-win", "no-draw")
    for seat in range(1, players + 1)
)
_SECONDS = 10.0, 60.0


@dataclass(frozen=True)
class Certified:
    """A claim, and the result of checking its certificate."""

    game: str
    seat: int
    claim: str
    proof: Strategy | Prevention | None
    verdict: Verdict | None

    @property
    def proved(self) -> bool:
        """True if the checker accepts it."""
        return self.verdict is not None and self.verdict.proved


def brute_force(game: Game, seat: int) -> str:
    """Return the result a seat can force against all others together, by exhaustive minimax."""
    # Written with the readable rules alone: nothing is shared with the searches it refutes.
    known: dict[bytes, int] = {}

    def value(position: Position) -> int:
        if position.outcome is not None:
            won = seat in position.outcome.winners
            return 2 if won else 1 if position.outcome.draw else 0
        if position.owners not in known:
            choose = max if position.to_move == seat else min
            known[position.owners] = choose(
                value(position.play(cell)) for cell in position.legal_moves
            )
        return known[position.owners]

    return FORCES[value(game.start())]


def certified(game: str, seat: int, claim: str, seconds: float) -> Certified:
    """Search for a certificate, within limits of time and length, and check it."""
    try:
        proof = coalition_proof(game, seat, claim, seconds=seconds)
    except LimitError:
        proof = None
    return Certified(game, seat, claim, proof, None if proof is None else check_proof(proof))


def forced(bench: Bench) -> Iterator[Section]:
    """Measure the sections."""
    seconds = bench.size(*_SECONDS)
    boards = BOARDS + bench.size((), MORE_BOARDS)
    found = {spec: coalition(spec, seconds=seconds) for spec in boards}
    yield Section(
        "What each seat can force", _FORCES, _seats(found), _games(found), *payoffs(found)
    )
    wanted = PROOFS + bench.size((), MORE_PROOFS)
    proofs = [certified(*one, seconds=6 * seconds) for one in wanted]
    yield Section(
        "Statements of the draft, proved and refuted",
        _STATEMENTS,
        compared("statements", "Its statements", _statements(proofs), where="IV"),
        _certificates(proofs),
        *(
            proof_file(_name(one), one.proof, "oxo study q-players")
            for one in proofs
            if one.proof is not None and one.proved
        ),
    )


_FORCES = (
    "The result that a seat can force against all others together: a win, at least a draw (no "
    "other player wins), or nothing. A kingmaker position is one whose mover cannot force a win, "
    "and where two moves hand forced wins to different rivals; it is counted up to symmetry where "
    "the search was complete. max^n is what happens if each player seeks only their own win; "
    "0 stands for a draw. Kingmakers by threats are those of the draft: two rivals each threaten "
    "to complete a line, in different cells, and the mover, who completes none, can stop only "
    "one; that a rival might still block the other plays no part."
)
_STATEMENTS = (
    "The draft conjectures that no player can force a win in 4^3 with more than two players. For "
    "four and more this follows from an inequality of J. Beck (1982), L + (q - 1) D < q^n for L "
    "lines, at most D through a cell; with three players that fails (90 against 81), and a search "
    "proves it. More is true: with three players none can force even a draw, for any two "
    "together can make one of them win. Brute force tries every position, with the readable rules "
    "alone; certificates are checked by a program that shares nothing with the search, and they "
    "are the files of this section: 'oxo verify FILE'."
)


def _seats(found: dict[str, Coalition]) -> Table:
    rows = tuple(
        (spec, seat.player, seat.forces, seat.evidence, f"oxo prove coalition {spec}")
        for spec, answer in found.items()
        for seat in answer.seats
    )
    columns = ("game", "player", "forces", "evidence", "command")
    return Table("seats", "What each seat forces against all others together", columns, rows)


def _games(found: dict[str, Coalition]) -> Table:
    rows = tuple(
        (
            spec,
            answer.interesting,
            None if answer.table is None else answer.table.kingmakers,
            None if answer.table is None else answer.table.torn,
            None if answer.table is None else answer.table.classes,
            None if answer.table is None else ", ".join(answer.table.maxn).replace("=", "0"),
        )
        for spec, answer in found.items()
    )
    columns = (
        "game",
        "interesting",
        "kingmaker positions",
        "kingmakers by threats",
        "positions",
        "results by max^n",
    )
    return Table(
        "games",
        "Games as wholes",
        columns,
        rows,
        "A game is interesting if every player can win or draw in some play and no player can "
        "force a win. Positions are counted up to symmetry; a blank means not examined.",
    )


def _statements(proofs: list[Certified]) -> list[Finding]:
    # 1. Brute force where it can be, certificates where it cannot, and Beck's inequality.
    small = Game("3^2:players=3")
    forces = [brute_force(small, seat) for seat in (1, 2, 3)]
    no_win, no_draw = (_is_certified(proofs, claim) for claim in ("no-win", "no-draw"))
    cube = Game("4^3")
    lines, degree, order = cube.board.line_count, int(cube.board.degrees.max()), cube.symmetry.order
    # With one player more the right side grows by more than D, so that q = 4 is enough.
    by_beck = lines + 3 * degree < 4**4
    return [
        Finding(
            "4^3, q = 3: no player can force a win", "conjectured", _verdict(no_win),
            agrees=no_win or None, command="oxo prove coalition 4^3:players=3 --proof FILE",
            where="VI",
        ),
        Finding(
            "4^3, every q from 4: no player can force a win", "conjectured", _verdict(by_beck),
            agrees=by_beck or None,
            remark=f"By Beck's inequality: {lines} + 3·{degree} < 4^4 for the first of four "
            "players, less for the others, and q^4 grows faster than the left side.",
            where="VI",
        ),
        Finding(
            "4^3, q = 3: no player can force even a draw", None, _verdict(no_draw),
            command="oxo prove coalition 4^3:players=3 --proof FILE", remark="Not in the draft.",
        ),
        exact(
            "3^2, q = 3: player 1 can force a draw", "yes", _yes(forces[0] != "nothing"),
            command="oxo prove coalition 3^2:players=3",
        ),
        exact(
            "3^2, q = 3: player 3 can force a draw", "no", _yes(forces[2] != "nothing"),
            command="oxo prove coalition 3^2:players=3 --proof FILE",
            remark="Cannot be right: brute force finds the draw, and the certificate is a strategy"
            " against any alliance. If the position that the draft draws is lost, player 3 had a "
            "better move before it.",
        ),
        _who_wins(3, "any two cells are a line, and player 1 is the first with two."),
        _who_wins(4, "every player has one stone when the board is full."),
        exact(
            "symmetries of 4^3", 2**3 * 6, order, command="oxo board 4^3",
            remark="The draft counts the rotations and reflections of the cube, 2^k k!. From side "
            "4 on more permutations of cells take lines to lines.",
            where="II.B, Equivalent gamestates",
        ),
    ]  # fmt: skip


def _who_wins(players: int, reason: str) -> Finding:
    game = Game(f"2^2:players={players}")
    forces = [brute_force(game, seat + 1) for seat in range(players)]
    who = f"player {forces.index('win') + 1}" if "win" in forces else "no player"
    return exact(
        f"2^2, q = {players}: who forces a win", "player 3", who,
        command=f"oxo prove coalition {game}", remark=f"Cannot be right: {reason}",
        where="II.B, Game categorizations",
    )  # fmt: skip


def _verdict(held: bool) -> str | None:
    return "proved" if held else None


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _is_certified(proofs: list[Certified], claim: str) -> bool:
    """Return whether every seat of 4^3 with three players has a certificate of the claim."""
    wanted = ("4^3:players=3", claim)
    held = {one.seat for one in proofs if one.proved and (one.game, one.claim) == wanted}
    return held == {1, 2, 3}


def _certificates(proofs: list[Certified]) -> Table:
    rows = tuple(
        (
            one.game,
            one.seat,
            one.claim,
            None if one.proof is None else len(one.proof.moves),
            None if one.verdict is None else one.verdict.positions,
            "not found within the limits" if one.verdict is None else one.verdict.verdict,
            _name(one) if one.proved else None,
        )
        for one in proofs
    )
    columns = ("game", "player", "claim", "moves listed", "positions checked", "verdict", "file")
    return Table(
        "certificates",
        "Certificates",
        columns,
        rows,
        "A certificate with no moves listed relies on the inequality alone, for each position in "
        "which it is used.",
    )


def _name(one: Certified) -> str:
    game = one.game.replace("^", "-").replace(":players=", "-players-")
    return f"{game}-seat-{one.seat}-{one.claim}.oxo"


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
        "again; beside them are the trees of 'td', the line tables that come with the program.",
        compared("guided", "Leaves of the greedy player's trees", list(_published())),
        _learned(),
    )
    games = _TREES + bench.size((), _MORE_TREES)
    yield Section(
        "Guided trees of more games",
        "The same for more players and a larger board, with both readings of the score; the one "
        "of the text is 'greedy', the one of the program has 'defend' = q - 1. If no leaf is a "
        "loss, the agent's moves are a strategy that never loses. The random player draws one "
        "move for each position.",
        _trees(bench, games),
    )


def _counts(tree: GuidedTree) -> tuple[int, ...]:
    return tree.wins, tree.draws, tree.losses, tree.leaves


def _published() -> Iterator[Finding]:
    for (players, seat), printed in GREEDY.items():
        game = Game("3^2") if players == 2 else Game(f"3^2:players={players}")
        agent = f"greedy:defend={players - 1}"
        tree = guide(game, seat, agent, merge=True, losing_lines=0)
        command = f"oxo prove guide {game} --seat {seat} --agent {agent} --merge"
        for what, theirs, count in zip(_COUNTED, printed, _counts(tree), strict=True):
            quantity = f"q = {players}, player {seat}: {what}"
            where = f"Table {players - 1}"
            place = (where, f"greedy, player {seat}", what)
            yield exact(quantity, theirs, count, command=command, where=where, place=place)


def _learned() -> Table:
    rows = []
    for (players, seat), printed in LEARNED.items():
        tree = guide(Game(side=3, dim=2, players=players), seat, "td", merge=True, losing_lines=0)
        rows.append((players, seat, *printed, *_counts(tree)))
    columns = ("q", "player", *_COUNTED, *(f"td: {what}" for what in _COUNTED))
    title = "Learned players on 3^2: published, and 'td'"
    return Table("guided-learned", title, columns, tuple(rows))


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
    return (*_counts(tree), tree.positions, tree.verdict)


def _sections(bench: Bench) -> Iterator[Section]:
    yield from _guided(bench)
    yield from drawn()
    yield from forced(bench)
    yield gathering(bench)


STUDY = Study(
    "q-players",
    "Games of q players",
    "D. C. Kutner, Winning strategies in q-player n^k Tic-Tac-Toe (draft, Durham University), "
    "counts the leaves of trees in which one seat follows a greedy or a learned player and all "
    "others try everything, asks what single seats can force, and times the operation on which "
    "its program depends. Its tables are measured again here, and its conjecture on 4^3 is proved.",
    _sections,
)
