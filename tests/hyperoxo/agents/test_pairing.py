"""The player of a pairing never lets the other have a line, no matter who that is."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents import Agent
from hyperoxo.agents.pairing import PairingAgent
from hyperoxo.errors import AgentError, HyperoxoError, NotSupportedError
from hyperoxo.game import Game, Position, cell_name, completing_cells
from hyperoxo.proof import Pairing
from hyperoxo.proof.registry import proof_text
from hyperoxo.solvers.draws.pairing import may_pair, pairs_of
from tests.expect import require
from tests.marks import more
from tests.strategies import games, play_at_random, positions

BOARDS = (
    *("5^2", "6^2:blocked=0+7", "8^3", "9,9,9", "10,10,9", "8,7,7:blocked=3"),
    *("5^2:target=2", "7^2:opening=poor", "7^2:opening=poorx2", "6^2:connect=6"),
    "12{0+1+2/3+4+5/6+7+8/0+9+10+11}",
)


def any_cell(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves)


def ready(position: Position, rng: random.Random) -> int:
    """Complete a line, or play beside the most stones of one's own that can still be completed."""
    mover, owners, board = position.to_move, position.owners, position.game.board
    cells = [*completing_cells(position, mover)]
    if cells:
        return cells[0]

    def near(cell: int) -> float:
        rows = [[owners[at] for at in board.line(line)] for line in board.lines_through(cell)]
        return sum(4.0 ** row.count(mover) for row in rows if set(row) <= {0, mover})

    return max(position.legal_moves, key=lambda cell: near(cell) * rng.uniform(0.8, 1.2))


RIVALS: tuple[Callable[[Position, random.Random], int], ...] = (any_cell, ready)


def held(player: Agent, position: Position, seat: int, rng: random.Random, kind: int) -> Position:
    """Play to the end; the other must not get another line."""
    before = position.lines_owned[2 - seat]
    while not position.is_over:
        ours = position.to_move == seat
        cell = player.choose(position, rng.randrange(100)) if ours else RIVALS[kind](position, rng)
        position = position.play(cell)
        assert position.lines_owned[2 - seat] == before
    assert position.outcome is not None
    return position


def paired(position: Position, seat: int) -> bool:
    """True if the seat may answer everywhere from here on, and has pairs."""
    game = position.game
    free = seat != game.first or position.ply >= game.opening_plies
    return free and may_pair(game, seat) and pairs_of(position, seat) is not None


def seats_of(position: Position) -> list[int]:
    """Return the seats that pairs keep the other from any line for, before the other moves."""
    if position.is_over or position.game.players > 2:
        return []
    return [seat for seat in (1, 2) if paired(position, seat)]


@st.composite
def paired_games(draw: st.DrawFn) -> Game:
    """Lines around pairs that are drawn first, and rules in any combination that pairs hold for."""
    pairs, more = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    cells = draw(st.permutations(range(2 * pairs + more)))
    extra = st.frozensets(st.sampled_from(cells), max_size=3)
    lines = {frozenset(cells[2 * at : 2 * at + 2]) | draw(extra) for at in range(pairs)}
    rows = "/".join("+".join(map(str, sorted(line))) for line in lines)
    chosen = [
        draw(st.sampled_from(["", "target=2"])),
        draw(st.sampled_from(["", "convention=maker-breaker"])),
        draw(st.sampled_from(["", "bias=1+2", "bias=2+1", "bias=1+3"])),
        draw(st.sampled_from(["", "first=2"])),
        draw(st.sampled_from(["", f"blocked={cells[0]}"])),
        draw(st.sampled_from(["", f"opening={'+'.join(map(str, cells[1:3]))}"])),
    ]
    options = ",".join(filter(None, chosen))
    return Game(f"{len(cells)}{{{rows}}}" + (f":{options}" if options else ""))


@pytest.mark.more
@given(games(new_rules=True) | paired_games(), st.integers(0, 2**32))
def test_no_line_in_random_games(game: Game, seed: int) -> None:
    for seat, kind in itertools.product(seats_of(game.start()), range(len(RIVALS))):
        held(PairingAgent(), game.start(), seat, random.Random(seed), kind)


@pytest.mark.more
@given(positions(paired_games()), st.integers(0, 2**32))
def test_no_line_from_where_pairs_hold(position: Position, seed: int) -> None:
    begins = seats_of(position.game.start())
    for seat, kind in itertools.product(seats_of(position) if begins else [], range(len(RIVALS))):
        held(PairingAgent(), position, seat, random.Random(seed), kind)


def every_game(player: Agent, position: Position, seat: int) -> int:
    """Try all moves of the other; count the ends."""
    if position.is_over:
        assert require(position.outcome).winner != 3 - seat
        return 1
    ours = position.to_move == seat
    cells = (player.choose(position, 1),) if ours else position.legal_moves
    return sum(every_game(player, position.play(cell), seat) for cell in cells)


@pytest.mark.parametrize(
    ("spec", "seat"),
    [
        ("9{0+1+2+3/3+4+5/6+7/5+8}", 2),
        ("9{0+1+2+3/3+4+5/6+7/5+8}:target=2", 1),
        ("3^2:blocked=centre,convention=maker-breaker", 2),
        ("8{0+1+2/2+3+4/5+6+7}:first=2", 2),
        ("8{0+1+2/2+3+4/5+6+7}:convention=maker-breaker,bias=1+2", 2),
        ("8{0+1+2/2+3+4/5+6+7}:bias=2+1", 1),
        ("8{0+1+2/2+3+4/5+6+7}:opening=0+1", 2),
    ],
)
def test_every_game(spec: str, seat: int) -> None:
    start = Game(spec).start()
    assert paired(start, seat)
    assert every_game(PairingAgent(), start, seat) >= 8


@pytest.mark.parametrize("spec", more(BOARDS, ["8^3"]))
@pytest.mark.parametrize("other", ["random", "greedy", "greedy:threats=on"])
def test_other_agents_get_no_line(spec: str, other: str) -> None:
    game = Game(spec)
    assert ox.match(game, [other, "pairing"], games=2, seed=1).wins[0] == 0
    if game.opening is None:
        assert ox.match(game, ["pairing", other], games=2, seed=2).wins[1] == 0


@pytest.mark.more
def test_a_million_cells() -> None:
    game = Game("100^3")
    start = game.start()
    after = start.play(0)
    found = PairingAgent().explain(after, 0)
    pairs = {**dict(pairs_of(start, 2) or ())}
    pairs |= {two: one for one, two in pairs.items()}
    assert found.move == pairs[0]
    assert found.reason.startswith(
        f"Cell {cell_name(game, found.move)} is the other cell of its pair"
    )
    on_no_pair = next(cell for cell in range(game.cells) if cell not in pairs)
    assert PairingAgent().explain(start.play(on_no_pair), 0).reason.startswith("No pair asks")


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("3^2", AgentError, "'pairing' has none for 3"),
        ("4^3", AgentError, "'pairing' has none for 4"),
        ("8^2:misere", NotSupportedError, "normal play or Maker-Breaker play"),
        ("8^2:gravity", NotSupportedError, "no gravity"),
        ("8^2:players=3", NotSupportedError, "two players"),
        ("8^2:bias=2+2", AgentError, "has none for 8"),
    ],
)
def test_games_without_pairs_are_refused(spec: str, error: type[HyperoxoError], words: str) -> None:
    with pytest.raises(error, match=words):
        PairingAgent().check(Game(spec))
    with pytest.raises(error, match=words):
        PairingAgent().choose(Game(spec).start())


def test_other_seats_and_moves_at_random() -> None:
    game = Game("6^2:convention=maker-breaker")
    assert PairingAgent().explain(game.start(), 0).reason.startswith("No pairs hold here")
    opened = Game("7^2:opening=poor")
    assert PairingAgent().explain(opened.start(), 0).reason.startswith("No pairs hold here")
    astray = play_at_random(Game("5^2").start(), 4, 12)
    player = PairingAgent()
    assert player.choose(astray, 3) == PairingAgent().choose(astray, np.random.default_rng(3))
    winning = Game("5^2").position("moves:0,5,1,6,2,7,3,13")
    assert player.choose(winning) == 4


def test_pairs_of_a_file(tmp_path: Path) -> None:
    game = Game("5^2")
    pairs = require(pairs_of(game.start(), 2))
    path, region = tmp_path / "pairs.oxo", tmp_path / "region.oxo"
    path.write_bytes(proof_text(Pairing(game, 2, pairs)))
    region.write_bytes(ox.classify(game).proof_text())
    for file in (path, region):
        player = PairingAgent(str(file))
        assert player.spec == ox.agent(f"pairing:pairs={file}").spec
        assert ox.match(game, ["greedy", player], games=3, seed=1).wins[0] == 0
        assert player.explain(game.start(), 0).reason.startswith("No pairs hold here")
        with pytest.raises(AgentError, match="has no pairing for 6"):
            player.check(Game("6^2"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello\n", "holds no pairing"),
        (ox.classify("3^2").proof_text(), "holds no pairing"),
        (proof_text(Pairing(Game("5^2"), 2, ((0, 1),))), "does not hold: the line"),
    ],
)
def test_files_that_hold_no_pairs(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "other.oxo"
    path.write_bytes(content)
    with pytest.raises(HyperoxoError, match=words):
        ox.agent(f"pairing:pairs={path}").check(Game("5^2"))
