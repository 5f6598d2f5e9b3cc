"""The player of a plan never lets the other have a line, no matter who that is."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position, cell_name
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.agents.key_plan import KeyPlanAgent
from hyperoxo_research.draws.key_plan_search import KeyPlanSearch
from hyperoxo_research.proof.keyplan.check import begins_well
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay
from hyperoxo_research.proof.keyplan.stored import (
    PACKED_PLANS,
    STORED_PLANS,
    stored_claim,
    stored_plan,
    stored_plan_file,
)
from tests.expect import require
from tests.hyperoxo_research.proof.keyplan.count_rules import drawn_position, random_rules
from tests.hyperoxo_research.proof.keyplan.invariants import invariants_hold


class Table:
    """Stones on a board, with the Maker's lines that are left."""

    def __init__(self, position: Position, maker: int) -> None:
        board = position.game.board
        self.rows = [board.line(at).tolist() for at in range(board.line_count)]
        self.through = [board.lines_through(cell).tolist() for cell in range(board.cell_count)]
        self.stones = [0] * len(self.rows)
        self.dead = [False] * len(self.rows)
        self.free = {cell for cell, owner in enumerate(position.owners) if not owner}
        for cell, owner in enumerate(position.owners):
            if owner in (1, 2):
                self.put(cell, maker=owner == maker)

    def put(self, cell: int, *, maker: bool) -> bool:
        """Put a stone; return whether Maker has a line by it."""
        self.free.discard(cell)
        won = False
        for line in self.through[cell]:
            self.stones[line] += maker
            self.dead[line] |= not maker
            won |= not self.dead[line] and self.stones[line] == len(self.rows[line])
        return won

    def worth(self, cell: int, base: float) -> float:
        """Add up what Maker's open lines through a cell are worth."""
        open_lines = (line for line in self.through[cell] if not self.dead[line])
        return sum((base ** self.stones[line] for line in open_lines), 0.0)


Maker = Callable[[Table, PlanPlay, random.Random], int]


def at_random(table: Table, play: PlanPlay, rng: random.Random) -> int:
    return rng.choice(sorted(table.free))


def greedy(base: float) -> Maker:
    """Play where the open lines are worth most, more or less."""

    def choose(table: Table, play: PlanPlay, rng: random.Random) -> int:
        return max(table.free, key=lambda cell: table.worth(cell, base) * rng.uniform(0.8, 1.2))

    return choose


def off_keys(table: Table, play: PlanPlay, rng: random.Random) -> int:
    cells = table.free - set(play.plan.keys) or table.free
    return max(cells, key=lambda cell: table.worth(cell, 4.0) * rng.uniform(0.8, 1.2))


def in_one_plane(table: Table, play: PlanPlay, rng: random.Random) -> int:
    """Aim at the weak spot: stones off the keys on one connected family of rich lines."""
    rich: list[set[int]] = [
        set(row)
        for row, mask in zip(play.tables.rows, play.tables.lines.keys_on, strict=True)
        if mask
    ]
    near = sorted(rich, key=lambda row: -len(row & rich[0]))[:14]
    cells = {cell for row in near for cell in row if cell in table.free}
    return rng.choice(sorted(cells - set(play.plan.keys) or table.free))


def probing(table: Table, play: PlanPlay, rng: random.Random) -> int:
    """Play the cell after which, of a few games at random, most end with nearly full lines."""
    best: dict[int, float] = {}
    for cell in rng.sample(sorted(table.free), min(8, len(table.free))):
        total = 0.0
        for _ in range(3):
            mine = {*rng.sample(sorted(table.free), len(table.free) // 2), cell}
            total += max(
                table.stones[line] + len(mine & set(table.rows[line]))
                for line in table.through[cell]
            )
        best[cell] = total
    return max(best.items(), key=lambda found: found[1])[0]


def threatening(table: Table, play: PlanPlay, rng: random.Random) -> int:
    """Complete a line, or play where two lines grow that lack least."""
    return max(
        sorted(table.free),
        key=lambda cell: sorted(
            (table.stones[line] for line in table.through[cell] if not table.dead[line]),
            reverse=True,
        ),
    )


MAKERS: tuple[Maker, ...] = (
    *(at_random, greedy(2.0), greedy(6.0), off_keys, in_one_plane, probing, threatening),
)


def paired(table: Table, books: Bookkeeping) -> bool:
    """True if each line that Maker could complete holds a pair of free cells."""
    partners = books.partners or {}
    return all(partners.get(other) == cell != other for cell, other in partners.items()) and all(
        dead or any({cell, partners.get(cell)} <= {*row} & table.free for cell in row)
        for row, dead in zip(table.rows, table.dead, strict=True)
    )


def game_held(play: PlanPlay, maker: Maker, rng: random.Random, *, whole: bool = True) -> int:
    """Play one game against a Maker who must not get a line; return the counted stones.

    Unless it is played as a `whole`, it ends with the pairs, which are looked at.
    """
    position, seat = play.plan.position, play.plan.seat
    table, books = Table(position, 3 - seat), play.begin()
    while table.free:
        if books.partners is None:
            assert invariants_hold(play, books)
        elif not whole:
            assert paired(table, books)
            break
        cell = maker(table, play, rng)
        assert not table.put(cell, maker=True), "Maker has a line"
        if not table.free:
            break
        answer, books = play.answer(books, cell)
        if books.partners is None:
            assert answer in table.free
        reply = answer if answer in table.free else rng.choice(sorted(table.free))
        table.put(reply, maker=False)
    return len(books.counted)


@cache
def seven() -> PlanPlay:
    return PlanPlay(require(stored_plan(Game("7^3"))))


@cache
def six() -> PlanPlay:
    return PlanPlay(require(stored_plan(Game("6^3"))))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.slow] if game in PACKED_PLANS else [])
        for game in STORED_PLANS
    ],
)
def test_stored_plans_hold(game: str) -> None:
    """The large one takes an hour."""
    data = require(stored_plan_file(Game(game)))
    verdict = verify(data)
    assert verdict.proved, verdict.reason
    claim = require(stored_claim(Game(game)))
    assert (claim.seat, claim.begins, claim.statement) == (2, None, verdict.claim)


@pytest.mark.more
def test_states_of_the_large_plan_hold() -> None:
    """A few of them, drawn; that all do takes long to see."""
    play = six()
    states, count = play.states, len(play.plan.states)
    assert count == 769_900
    assert states.begin() == 0
    assert begins_well(play.tables, by_lines=True)
    drawn = sorted(random.Random(0).sample(range(count), 200))
    assert states.examine_all(drawn, 2) is None


@pytest.mark.parametrize("number", range(len(MAKERS)))
@pytest.mark.parametrize("plan", [seven, pytest.param(six, marks=pytest.mark.more)])
def test_no_maker_gets_a_line(number: int, plan: Callable[[], PlanPlay]) -> None:
    rng = random.Random(number)
    for _ in range(3):
        game_held(plan(), MAKERS[number], rng)


@pytest.mark.slow
def test_no_maker_gets_a_line_in_a_hundred_thousand_games() -> None:
    rng = random.Random(1)
    for number in range(100_000):
        game_held(seven(), MAKERS[number % len(MAKERS)], rng, whole=number % 200 < 7)


def every_game(play: PlanPlay) -> int:
    """Try all of Maker's moves, with any Breaker's stone the lowest where all do; count ends."""
    seat = play.plan.seat
    start = play.plan.position

    def go_on(position: Position, books: object) -> int:
        ends = 0
        for cell in position.legal_moves:
            after = position.play(cell)
            assert after.outcome is None or after.outcome.winner != 3 - seat
            if after.is_over:
                ends += 1
                continue
            answer, later = play.answer(books, cell)  # type: ignore[arg-type]
            assert later.partners is not None or invariants_hold(play, later)
            reply = answer if answer in after.legal_moves else after.legal_moves[0]
            ends += 1 if (then := after.play(reply)).is_over else go_on(then, later)
        return ends

    return go_on(start, play.begin())


@pytest.mark.more
def test_every_game_on_small_boards() -> None:
    rng = random.Random(8)
    plans: list[KeyPlan] = []
    while len(plans) < 8:
        rules = random_rules(rng)
        position = drawn_position(rules, rng)
        if rules.cells > 9 or position.is_over:
            continue
        search = KeyPlanSearch(position, tuple(range(rules.width)))
        if search.run(Task()) and search.states > 1:
            plans.append(search.plan())
    assert sum(every_game(PlanPlay(plan)) for plan in plans) > 500


@pytest.mark.more
def test_other_agents_get_no_line() -> None:
    for other in ("greedy", "mcts:simulations=20", "level:3"):
        assert ox.match("7^3", [other, "breaker"], games=1, seed=1).wins[0] == 0


def test_a_plan_from_a_file_and_other_games(tmp_path: Path) -> None:
    spec = "8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"
    path = tmp_path / "plan.oxo"
    assert ox.solve(spec, method="plan", proof=path).value == "draw"
    player = pickle.loads(pickle.dumps(ox.agent(f"breaker:plan={path}")))
    assert ox.match(spec, ["random", player], games=200, seed=2).wins[0] == 0
    with pytest.raises(AgentError, match="has no plan for 3"):
        player.check(Game("3^2"))
    with pytest.raises(AgentError, match="'breaker' has no plan for 4"):
        ox.match("4^3", ["random", "breaker"], games=1)


@pytest.mark.parametrize("at", ["any", "keys", "rich", "poor", "lines"])
def test_aiming_at_the_plan_gets_no_line(at: str) -> None:
    assert ox.match("7^3", [f"adversary:at={at}", "breaker"], games=4, seed=3).wins[0] == 0


def test_aimed_moves_and_reasons() -> None:
    keys, game = seven().plan.keys, Game("7^3")
    for at, aim in (("keys", "the keys"), ("rich", "the lines with keys and other cells")):
        told = ox.agent(f"adversary:at={at}").think(game.start(), 0)
        assert (told.move in keys) == (at == "keys")
        name = cell_name(game, told.move)
        assert told.reason == (
            f"Cell {name} aims at {aim} of a plan that keeps this player from any line."
        )
    poor = ox.agent("adversary:at=poor").choose(game.start(), 0)
    through = [game.board.line(line).tolist() for line in game.board.lines_through(poor)]
    assert any(not set(line) & set(keys) for line in through)
    # The centre is the key after which the plan takes longest: the rest stays open.
    assert ox.agent("adversary:at=keys").choose(game.start(), 1) == 171
    # A line that lacks one stone is completed.
    row = game.board.line(0).tolist()
    near = game.position("moves:" + ",".join(f"{own},{own + 98}" for own in row[:-1]))
    assert ox.agent("adversary:at=lines").choose(near, 0) == row[-1]
    # The player of the plan has lines to complete as well, and where the plan is not followed.
    other = game.start().play(0)
    assert ox.agent("adversary").choose(other, 0) in other.legal_moves
    astray = game.start().play(0).play(1)
    assert ox.agent("adversary:at=keys").choose(astray, 0) in astray.legal_moves
    assert ox.agent("adversary:at=keys").spec == "adversary:at=keys"
    with pytest.raises(SpecError, match="at must be one of any, keys, rich, poor, lines"):
        ox.agent("adversary:at=centre")
    with pytest.raises(AgentError, match="'adversary' has no plan for 4"):
        ox.match("4^3", ["adversary", "random"], games=1)


def test_books_go_on_from_where_they_were() -> None:
    """One player asked about one game after another answers as new players would."""
    rng, game, player = random.Random(5), Game("7^3"), KeyPlanAgent()
    for _ in range(4):
        position = game.start()
        while position.ply < 40 and not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
            asked = position if rng.random() < 0.9 or position.ply < 3 else position.undo(2)
            move = player.choose(asked, np.random.default_rng(7))
            assert move == KeyPlanAgent().choose(asked, np.random.default_rng(7))
            position = position.play(KeyPlanAgent().choose(position, 1))


def test_reasons_and_moves_that_are_not_the_plans() -> None:
    player, game = KeyPlanAgent(), Game("7^3")
    told = player.explain(game.start().play(0), 0)
    assert told.reason.endswith("keeps the other player from any line.")
    assert player.explain(game.start(), 0).reason.endswith("a random move.")
    astray = game.start().play(0).play((told.move + 1) % 343).play(171)
    assert player.explain(astray, 0).reason.endswith("a random move.")
    again = game.start().play(0).play(told.move).play(1)
    assert KeyPlanAgent().choose(again, 1) == player.choose(again, np.random.default_rng(5))
