"""Claims of an article on 4x4x4 tic-tac-toe about the board, a game and its search, checked."""

from __future__ import annotations

from collections import Counter
from functools import partial
from statistics import mean, median

import numpy as np

from hyperoxo.board.coordinates import lines_by_kind, motion
from hyperoxo.game import Game, Position
from hyperoxo.lab.pictures.tree import draw_line
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import ProofGraph
from hyperoxo.solvers.proofsearch.view import ProofView, Words, owners_of
from hyperoxo.solvers.threats.search import ThreatSearch
from hyperoxo.solvers.threats.sequence import SequenceCheck, verify_sequence
from hyperoxo_research.bench.bench import memory
from hyperoxo_research.study.parts import Bench, Finding, Section, Table, compared, drawing, exact

EXAMPLE = "0-3-60-21-15-51-12-63 4x8x5x10x20x40x28x44x24x16x36x52x48"
"""The article's example: the first move on 0, and a win by threats from the ninth move on."""

_GAME = "4^3"
_WHERE = "article"
_PROVED = "moves:"


def the_board() -> Section:
    """Return the section on the article's counts."""
    board = Game(_GAME).board
    kinds = lines_by_kind(board) or {}
    cells = Counter(board.degrees.tolist())
    moves = [motion(board, image) for image in board.symmetry.permutations()]
    turns = sum(one is not None and one.turns_or_mirrors for one in moves)
    count = partial(exact, command=f"oxo board {_GAME}")
    found = [
        count("lines", 76, board.line_count),
        count("lines along an axis", 48, kinds.get(1, 0)),
        count("diagonals of a plane", 24, kinds.get(2, 0)),
        count("diagonals of the cube", 4, kinds.get(3, 0)),
        count("cells on 7 lines, corners and inner cells", 16, cells[7]),
        count("cells on 4 lines", 48, cells[4]),
        count("classes of first moves", 2, len(board.symmetry.orbits())),
        count("automorphisms that turn and mirror the cube", 48, turns),
        count("automorphisms, with the inner ones", 192, board.symmetry.order),
    ]
    text = (
        "Lines by the number of coordinates that change along them, cells by lines, and "
        "symmetries. The article's two inner automorphisms exchange the cells in each half of "
        "every line, and the two middle cells of every line; with their product and the identity "
        "they make four of each symmetry of the cube."
    )
    return Section("The board", text, compared("board", "Counts", found, where=_WHERE))


def the_example() -> Section:
    """Check the article's game, and find a shorter win."""
    checked = verify_sequence(_GAME, EXAMPLE)
    quiet = tuple(move.cell for move in checked.moves if move.part == "quiet")
    turning = Game(_GAME).position(f"moves:{','.join(map(str, quiet))}")
    published = tuple(move.cell for move in checked.moves if move.part == "forced")
    command = f'oxo prove threats {_GAME} --line "{EXAMPLE}"'
    doubles = [move for move in checked.moves if move.does == "double threat"]
    last = doubles[-1].threatens if doubles else ()
    shorter = "x".join(map(str, checked.fewest_line))
    found = [
        exact("the sequence is a win", "yes", "yes" if checked.holds else "no", command=command),
        exact("lines open with three stones at the end", 2, len(last),
              remark=f"cells {', '.join(map(str, last))}"),
        exact("threats up to the line", 6, checked.threats),
        Finding("threats of a shortest win there", None, checked.fewest, command=command,
                remark=shorter),
    ]  # fmt: skip
    wins = (
        ("article.svg", f"The article's win, {checked.threats} threats", published),
        ("shortest.svg", f"A shortest win, {checked.fewest} threats", checked.fewest_line),
    )
    files = tuple(
        drawing(name, caption, partial(draw_line, turning, cells, caption, layout="down"))
        for name, caption, cells in wins
    )
    return Section(
        "The example game",
        f"{EXAMPLE}: cells in the order of play, quiet moves joined by -, forced ones by x. "
        "Threats are counted without the move that completes the line. The article wants such "
        "sequences to be minimal; this one is not.",
        compared("example", "The game as printed", found, where=_WHERE),
        _moves(checked),
        *files,
    )


def _moves(checked: SequenceCheck) -> Table:
    rows = tuple(
        (move.number, move.player, move.cell, move.part, move.does,
         " ".join(map(str, move.threatens)))
        for move in checked.moves
    )  # fmt: skip
    columns = ("move", "player", "cell", "printed as", "does", "threatens")
    return Table("example-moves", "The game move by move", columns, rows)


def forced_ends(dictionary: Dictionary, graph: ProofGraph) -> list[Words]:
    """Return the positions, one of each class, that are forced wins after a quiet move.

    They follow from replies that do not stop the attacker's forced win; the proof lists no moves
    for them.
    """
    # All cells that are free and no relevant reply, from each quiet position of the proof.
    view = ProofView(dictionary.game, dictionary.seat)
    cells = range(dictionary.game.board.cell_count)
    found: set[Words] = set()
    for (own, other), node in graph.nodes.items():
        if not node.quiet:
            continue
        after = own | 1 << node.move
        taken = after | other | sum(1 << cell for cell in view.replies((after, other)))
        left = [(after, other | 1 << cell) for cell in cells if not taken >> cell & 1]
        found |= {*view.canonical_all(left)} if left else {*()}
    return sorted(found)


def the_forced_lines(bench: Bench, dictionary: Dictionary, graph: ProofGraph) -> Section:
    """Return the section on lengths of a proof's forced wins, which the article does not count."""
    game, ends = dictionary.game, forced_ends(dictionary, graph)
    rng = np.random.default_rng(bench.seed)
    games = min(len(ends), bench.size(5_000, 100_000))
    search = ThreatSearch(game)
    lengths: list[int] = []
    longest: Position | None = None
    for number in sorted(rng.choice(len(ends), games, replace=False).tolist()):
        position = Position.from_owners(game, owners_of(game, dictionary.seat, ends[number]))
        threats = len(search.forced_win(position, shortest=True).line) // 2
        if longest is None or threats > max(lengths):
            longest = position
        lengths.append(threats)
    counts = Counter(lengths)
    rows = tuple(
        (threats, counts[threats], 100 * counts[threats] / games) for threats in sorted(counts)
    )
    where = "" if longest is None else f"'oxo prove threats {game} --position {longest.text}'"
    return Section(
        "Forced lines in the proof",
        "The article's tree has the fewest quiet moves on a path and may have longer forced lines "
        "than necessary, which it does not count. After a quiet move of the stored proof most "
        f"replies leave a win by threats alone: {len(ends):,} positions, one of each class. These "
        "are the fewest threats with which they are won, the completing move not counted. Replies "
        "to a threat that do not stop it lose to the next stone and are left out.",
        Table(
            "forced-lengths",
            f"Shortest forced wins after quiet moves of the proof of {game}",
            ("threats", "positions", "share, %"),
            rows,
            f"{games:,} of the {len(ends):,} positions, drawn at random: {mean(lengths):.2f} "
            f"threats on average, median {median(lengths):g}. The longest is found by {where}."
            + ("" if games == len(ends) else " There may be longer ones."),
        ),
    )


def the_memory(bench: Bench) -> Section:
    """Return the section on savings by tables, and the cost of a whole proof."""
    saved = tuple(
        (row.name, row.unit, row.ours, row.peer, row.ratio, "oxo bench memory")
        for row in memory(False)
    )
    columns = ("search", "unit", "with memory", "without", "times as much without", "command")
    table = Table(
        "memory",
        "The same searches with memory and without",
        columns,
        saved,
        'The article says "significant speedup" and gives no figure. The search for forced wins '
        "remembers its failures; without memory stands for room for one of them. The proof search "
        "cannot do without a table; without memory stands for the smallest, of 64 KiB.",
    )
    return Section(
        "Memory and time",
        "The article's search kept every position of its tree, of 17 bytes each, and more than "
        "32 GB were not enough for the rich replies until symmetric positions were kept once; then "
        "it took a few days. It looked for a tree with the fewest quiet moves on a path, which "
        "takes more than a proof: see the last section.",
        table,
        *([_whole(bench)] if bench.scale == 1 else []),
    )


def _whole(bench: Bench) -> Table:
    start = Game(_GAME).position(_PROVED)
    search = ProofSearch(start.game)
    search.run(start, nodes=50)  # compiles
    done = search.run(start, threads=bench.workers)
    used = search.entries * 8 * search.entry_words / 2**30
    remark = "any proof, without an eye on quiet moves"
    return compared(
        "effort",
        "A whole proof that the first player wins, found in this run",
        [
            Finding("memory, GB", "over 32, without symmetry", round(used, 4), remark=remark,
                    command="oxo bench qubic"),
            Finding("time, s", "a few days", round(done.seconds, 1),
                    remark=f"{remark}; {bench.workers} threads" if bench.workers > 1 else remark),
            Finding("positions with the defender to move", None, done.nodes),
            Finding("positions of the threat search", None, done.threat_nodes),
        ],
        where=_WHERE,
    )  # fmt: skip
