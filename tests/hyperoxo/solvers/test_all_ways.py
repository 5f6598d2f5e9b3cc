"""Every way to a value, on random mixes of all options, against the trying of every move."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.threats import ThreatAgent
from hyperoxo.errors import LimitError, NotSupportedError, SpecError
from hyperoxo.game import (
    CLASSIC,
    Bounds,
    Game,
    Position,
    Requires,
    Value,
    completing_cells,
    propagate,
)
from hyperoxo.heuristics import kutner_heuristic
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.lab.puzzle import make_puzzle
from hyperoxo.play.analysis import analyse_position
from hyperoxo.proof import verify
from hyperoxo.solvers import solve, values
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.coalition.search import forcing
from hyperoxo.solvers.draws.pairing import may_pair, mirroring_seat, pairs_of
from hyperoxo.solvers.exact.minimax import ExactSearch, MinimaxSearch
from hyperoxo.solvers.knowledge import MoveSearch
from hyperoxo.solvers.maker_breaker import bounds as maker_bounds
from hyperoxo.solvers.maker_breaker.bounds import MakerBounds, decides
from hyperoxo.solvers.maker_breaker.search import AVOIDERS, BREAKERS
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH
from hyperoxo.solvers.states.enumerate import enumerate_states
from hyperoxo.solvers.states.tables import build_table
from hyperoxo.solvers.theorems import bounds_by_theorems, excludes_draws
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch, immediate_wins
from hyperoxo.task import Task
from hyperoxo_research.draws.no_draw import draw_or_none
from hyperoxo_research.proof.no_draw import NoDraw
from tests.expect import require
from tests.hyperoxo_research.proof.test_boards import drawn_boards
from tests.judge import check, judge_of, words
from tests.marks import more
from tests.oracle import random_spec

CERTIFIED = Requires("a certificate", CLASSIC)


def games(seed: str, count: int, most_cells: int, **options: bool) -> Iterator[Game]:
    """So many games that are valid, the same ones for the same seed."""
    rng = random.Random(seed)
    while count:
        try:
            game = Game(random_spec(rng, most_cells, **options))
        except SpecError:
            continue
        count -= 1
        yield game


def some_positions(game: Game, rng: random.Random) -> list[Position]:
    """The start and two positions of a random game."""
    played = [game.start()]
    while not played[-1].is_over:
        played.append(played[-1].play(rng.choice(played[-1].legal_moves)))
    return [played[0], *rng.sample(played[1:-1], min(2, len(played[1:-1])))]


def scaled(found: tuple[int, int], ply: int) -> float:
    value, plies = found
    return value * (WIN - ply - plies)


def by_exact_search(game: Game, positions: list[Position]) -> None:
    judge, search = judge_of(game), ExactSearch(game)
    for seat in range(1, game.players + 1):
        for position in positions:
            assert search.value(position, seat) == scaled(judge(position, seat), position.ply)
            for low in (-1.0, 0.0):
                within = search.value(position, seat, low=low, high=low + 1)
                assert (within > low) == (judge(position, seat)[0] > low)


def by_table(game: Game, positions: list[Position]) -> None:
    judge, table = judge_of(game), build_table(game)
    for position in positions:
        for one in (position, *(position.play(cell) for cell in position.legal_moves)):
            value, plies = judge(one)
            assert table.lookup(one) == (("loss", "draw", "win")[value + 1], plies)


def by_minimax(game: Game, positions: list[Position]) -> None:
    judge = judge_of(game)
    for position in positions:
        free = game.cells - position.ply
        if game.players == 2:
            for prune in (True, False) if free < 5 else (True,):
                found = require(MinimaxSearch(position, kutner_heuristic(), prune=prune).run(free))
                assert found.exact
                assert found.values.max() == scaled(judge(position), position.ply)
                assert {found.moves[i] for i in found.best} == judge.best(position)
        else:
            search = MinimaxSearch(position, kutner_heuristic())
            found = require(search.run(free))
            assert found.values.max() == scaled(judge(position), position.ply)


def by_agents(game: Game, positions: list[Position]) -> None:
    judge = judge_of(game)
    for position in positions:
        best = judge.best(position)
        assert MinimaxAgent(nodes=10**6).choose(position, 1) in best
        won = judge(position)[0]
        for player in (ExpertAgent(simulations=20), ThreatAgent(MinimaxAgent(nodes=10**6))):
            # Forced wins by threats are not always the quickest.
            assert judge.after(position, player.choose(position, 1))[0] == won


def by_threats(game: Game, positions: list[Position]) -> None:
    THREATS.check(game)
    judge, search = judge_of(game), ThreatSearch(game)
    for position in positions:
        at_once = {cell for cell in position.legal_moves if judge.after(position, cell) == (1, 1)}
        # The Breaker's last stone wins too, but completes no line that counts.
        if not game.convention.counts(position.to_move):
            assert not immediate_wins(position)
            at_once = set()
        assert set(immediate_wins(position)) == at_once
        for player in (1, 2):
            assert immediate_wins(position, player) == completing_cells(position, player)
        found = search.forced_win(position)
        assert set(found.immediate) == at_once
        if found.status == "win":
            value, plies = judge(position)
            assert value == 1
            assert plies <= len(found.line) + 1
        for move in forced_wins(position).moves:
            assert judge.after(position, move.cell)[0] == 1


def by_coalition(game: Game, positions: list[Position]) -> None:
    judge = judge_of(game)
    for position in positions:
        for seat in range(1, game.players + 1):
            value = judge(position, seat)[0]
            assert forcing(position, seat, Value.WIN).forced == (value > 0)
            assert forcing(position, seat, Value.DRAW).forced == (value >= 0)


def by_theorems(game: Game, positions: list[Position]) -> None:
    judge = judge_of(game)
    for position in positions:
        bound = bounds_by_theorems(position)
        assert bound.low.sign <= judge(position)[0] <= bound.high.sign


def by_states(game: Game, positions: list[Position]) -> None:
    values = judge_of(game).values
    layer = {values.start}
    counts = []
    while layer:
        counts.append(len(layer))
        layer = {
            values.play(stones, cell)
            for stones in layer
            if values.winners(stones) is None
            for cell in values.moves(stones)
        }
    for symmetry in (True, False):
        assert list(enumerate_states(game, symmetry=symmetry).positions_by_ply) == counts


def by_solve(_: Game, positions: list[Position]) -> None:
    for position in positions:
        if not position.is_over:
            check(position, solve(position))


def by_solve_in_part(game: Game, positions: list[Position]) -> None:
    """What is asked is answered, and what is left open has sound bounds."""
    judge = judge_of(game)
    for position in positions:
        truth = words(judge(position), game.players)
        first = solve(position, value_only=True)
        assert first.value == truth[0]
        part = solve(position, moves=False)
        assert (part.value, part.remoteness) == truth
        assert part.best in judge.best(position)
        assert first.complete
        assert part.complete
        for found in (first, part):
            assert found.remoteness in (None, truth[1])
            for move in found.moves:
                value, plies = judge.after(position, move.cell)
                assert words((value, 0), game.players)[0] in move.known.values
                assert move.remoteness in (None, plies)


def by_solve_in_part_without_table(game: Game, positions: list[Position]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hyperoxo.solvers.values._cached", values._cached.__wrapped__)
        patch.setattr("hyperoxo.solvers.knowledge.table_of", lambda game: None)
        by_solve_in_part(game, positions)
        patch.setattr(MoveSearch, "_depths", lambda self: [1, 2, 4] * self.search.in_turn)
        patch.setattr("hyperoxo.solvers.knowledge.FIRST_WORK", 1)
        by_solve_in_part(game, positions)


def by_propagation(game: Game, positions: list[Position]) -> None:
    """Bounds that hold, however weak, still hold when they have tightened each other."""
    judge, rng = judge_of(game), random.Random(str(game))
    least = Value.least(game.players)

    def weak(sign: int) -> Bounds:
        more = rng.sample([least, Value.DRAW, Value.WIN], rng.randrange(3))
        return Bounds.of({Value.of(sign, least=least), *more})

    for position in positions:
        classes = move_classes(position)
        truths = [judge.after(position, cell)[0] for cell in classes]
        own, moves = (
            weak(judge(position)[0]),
            {first: weak(judge.after(position, first)[0]) for first in classes.values()},
        )
        drawless = excludes_draws(game, bounds_by_theorems(position).reasons)
        own, tight = propagate(own, [*moves.values()], drawless=drawless)
        known = dict(zip(moves, tight, strict=True))
        assert Value.of(judge(position)[0], least=least) in own.values
        for truth, first in zip(truths, classes.values(), strict=True):
            assert Value.of(truth, least=least) in known[first].values
            assert known[first].high <= own.high
        assert own.low >= max(one.low for one in tight)
        assert own.high == max(one.high for one in tight)


def by_solve_without_table(game: Game, positions: list[Position]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hyperoxo.solvers.values._cached", values._cached.__wrapped__)
        patch.setattr("hyperoxo.solvers.knowledge.table_of", lambda game: None)
        by_solve(game, positions)


def by_solve_asking_who_wins(game: Game, positions: list[Position]) -> None:
    """Before distances are known, as on larger boards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MoveSearch, "_depths", lambda self: [1, 2, 4] * self.search.in_turn)
        patch.setattr("hyperoxo.solvers.knowledge.FIRST_WORK", 1)
        by_solve_without_table(game, positions)


def by_written_proofs(game: Game, positions: list[Position]) -> None:
    CERTIFIED.check(game)
    judge, position = judge_of(game), positions[-1]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "strategy.proof"
        found = solve(position, proof=file, proof_seat=position.to_move)
        if judge(position)[0] >= 0 or game.players > 2:
            assert found.proof == str(file)
            assert verify(file).proved


def by_written_replies(game: Game, positions: list[Position]) -> None:
    """Replies up to a potential prove draws, as on larger boards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hyperoxo.solvers.certify._LARGE", 0)
        by_written_proofs(game, positions)


def by_analysis(game: Game, positions: list[Position]) -> None:
    judge = judge_of(game)
    for position in positions if game.players == 2 else positions[-1:]:
        found = analyse_position(position, seconds=0.2)
        value, _ = judge(position)
        assert found.value in ("unknown", words((value, 0), game.players)[0])
        for move in found.moves:
            value, plies = judge.after(position, move.cell)
            if move.value != "unknown":
                assert move.value == words((value, plies), game.players)[0]
                assert move.remoteness in (None, plies)


def by_proof_search(game: Game, positions: list[Position]) -> None:
    PROOF_SEARCH.check(game)
    judge = judge_of(game)
    for position in positions:
        for seat in (1, 2):
            status = ProofSearch(game, seat, megabytes=0.1).run(position).status
            assert status == ("win" if judge(position, seat)[0] == 1 else "failed")


def by_makers(game: Game, positions: list[Position]) -> None:
    if not (BREAKERS.accepts(game) or AVOIDERS.accepts(game)):
        raise NotSupportedError(f"nobody is a maker in {game}")
    judge, bounds = judge_of(game), MakerBounds(game, ExactSearch(game))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maker_bounds, "_LEAST_FREE", 1)  # others decide small games sooner
        for position in positions:
            found = bounds.bounds(position, Bounds())
            assert found.low.sign <= judge(position)[0] <= found.high.sign
            if decides(game) and position.ply >= game.opening_plies:
                assert found.decided


def by_pairs_and_mirrors(game: Game, positions: list[Position]) -> None:
    judge, seat = judge_of(game), mirroring_seat(game)
    if seat is not None:
        assert judge(game.start(), seat)[0] >= 0
    mine = [one for one in (1, 2) if may_pair(game, one)]
    if seat is None and not mine:
        raise NotSupportedError(f"nobody pairs cells in {game}")
    for position in positions:
        for one in mine if position.ply >= game.opening_plies else ():
            if pairs_of(position, one) is not None:
                assert judge(position, one)[0] >= 0


def by_full_boards(game: Game, _: list[Position]) -> None:
    found = draw_or_none(game, task=Task())
    drawn = next(drawn_boards(game, shared=True), None)
    assert isinstance(found, NoDraw) == (drawn is None)
    assert found is not None
    if drawn is None:
        assert judge_of(game)(game.start())[0] != 0


def by_puzzles(game: Game, _: list[Position]) -> None:
    THREATS.check(game)
    if game.cells < 2:
        return
    with suppress(LimitError):
        puzzle = make_puzzle(game, 1, 1, games=10, strict=True)
        position, judge = puzzle.position, judge_of(puzzle.position.game)
        winning = {cell for cell in position.legal_moves if judge.after(position, cell)[0] == 1}
        assert winning == {puzzle.first}


WAYS: dict[Callable[[Game, list[Position]], None], tuple[int, int]] = {
    by_exact_search: (200, 7),
    by_table: (200, 7),
    by_minimax: (200, 6),
    by_agents: (100, 6),
    by_threats: (400, 8),
    by_coalition: (200, 7),
    by_theorems: (200, 8),
    by_states: (150, 6),
    by_propagation: (200, 7),
    by_solve: (150, 7),
    by_solve_in_part: (100, 7),
    by_solve_in_part_without_table: (100, 6),
    by_solve_without_table: (150, 6),
    by_solve_asking_who_wins: (150, 7),
    by_written_proofs: (50, 6),
    by_written_replies: (50, 7),
    by_analysis: (50, 6),
    by_proof_search: (100, 7),
    by_makers: (200, 7),
    by_pairs_and_mirrors: (200, 8),
    by_full_boards: (60, 7),
    by_puzzles: (60, 8),
}
"""Games and their most cells, of each way."""

TWO_PLAYERS = (
    *(by_table, by_agents, by_threats, by_puzzles, by_proof_search, by_makers),
    *(by_pairs_and_mirrors, by_full_boards),
)
"""Ways that need two players."""


@pytest.mark.parametrize(
    "way",
    more(
        WAYS,
        but=[
            by_proof_search,
            by_pairs_and_mirrors,
            by_full_boards,
            by_puzzles,
        ],
    ),
)
@pytest.mark.parametrize("part", ["few", pytest.param("many", marks=pytest.mark.slow)])
@pytest.mark.usefixtures("own_tables")
def test_it_agrees_with_the_trying_of_every_move(
    way: Callable[[Game, list[Position]], None], part: str
) -> None:
    count, cells = WAYS[way]
    count *= 20 if part == "many" else 1
    refused = 0
    two = way in TWO_PLAYERS
    tried = games(part, 2 * count, cells, two_players=two)
    if part == "few":  # a game of six players on 3^2 has three times the positions of 180 others
        tried = (game for game in tried if game.players < 4 or game.cells <= 7)
    for number, game in enumerate(islice(tried, count)):
        try:
            way(game, some_positions(game, random.Random(number)))
        except NotSupportedError:
            refused += 1
        except AssertionError as error:
            error.add_note(f"in {game}")
            raise
    assert refused < 0.9 * count
