"""Agents that score each move by the lines through it: random, greedy, Ising and learned tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import (
    Agent,
    Explanation,
    Randomness,
    Seat,
    ThinkingAgent,
    because,
    drawn,
    generator,
    moves_of,
)
from hyperoxo.agents.options import choice_option, number_option, seconds_option, spelled
from hyperoxo.display import number_of
from hyperoxo.errors import AgentError, SpecError, quoted
from hyperoxo.game import CLASSIC, Game, Position, Positions, Requires, Why, completing_cells
from hyperoxo.heuristics import (
    LineHeuristic,
    PositionHeuristic,
    as_heuristic,
    ising_heuristic,
    kutner_heuristic,
    side_by_side,
    tabulate,
)
from hyperoxo.heuristics.ising import READINGS, with_rivals
from hyperoxo.heuristics.tables import LineTable, read_table, shipped_heuristic, shipped_table
from hyperoxo.kernels.evaluation import custom_values
from hyperoxo.kernels.scored import add_all_lines, candidate_values, chosen_cells, least_equal
from hyperoxo.kernels.state import new_state
from hyperoxo.solvers.arrays import COMPILED, evaluation_arrays, state_of, tables_of

TIES = ("random", "lowest")

Floats = NDArray[np.float64]
ScoredArrays = tuple[Floats, NDArray[np.int32], NDArray[np.int64], Floats, Floats, Floats]

SCORING = Requires("scoring moves by lines", CLASSIC)


def move_values(
    position: Position, heuristic: LineHeuristic | PositionHeuristic, rival_weight: float
) -> NDArray[np.float64]:
    """Value each legal move: own lines after it, plus the rivals' if they played there instead."""
    game = position.game
    SCORING.check(game)
    moves = np.array(moves_of(position), dtype=np.int32)
    values = np.empty(len(moves))
    if isinstance(heuristic, PositionHeuristic):
        t, s = tables_of(game), state_of(position)
        custom_values(t, s, heuristic.compiled, moves, values)
        return values
    # `energy` ``[q]``, the sum over lines for each player; `score` ``[q, N]``, the gain of each
    # player by a stone on each cell. In misère play the least gain is best.
    tables = tabulate(heuristic, game.board, game.players)
    t, s = evaluation_arrays(position, tables)
    energy = np.zeros(game.players)
    score = np.zeros((game.players, game.board.cell_count))
    add_all_lines(t, s, tables.weights, tables.kinds, int(tables.by_ends), energy, score)
    sign = -1.0 if game.misere else 1.0
    candidate_values(t, s, rival_weight, sign, energy, score, moves, len(moves), values)
    return values


class _CompiledAgent(Agent):
    """An agent with a compiled `choose_many`, for games in which it has a seat."""

    repeatable = True  # it moves at once, whatever its time limit

    spec = ThinkingAgent.spec

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each position; see :meth:`Agent.choose_many`."""
        given = Positions.of(positions)
        game = given.game
        self.check(game)
        seat = self.seat(game)
        if seat is None or not COMPILED.accepts(game):
            return super().choose_many(given, rng)
        # As a seat of compiled games, with a random word for each position.
        scheme = tabulate(seat.heuristic or ising_heuristic(), game.board, game.players)
        chosen = np.empty(len(given), dtype=np.int32)
        words = generator(rng).integers(2**64, size=len(given), dtype=np.uint64)
        weights = (scheme.weights, scheme.kinds, int(scheme.by_ends))
        columns = _seat_table(game, [seat], [seat.heuristic])[0]
        over = chosen_cells(tables_of(game), given.owners, *weights, columns, words, chosen)
        if over >= 0:
            moves_of(given[over])
        return chosen


def _seat_table(
    game: Game, seats: Sequence[Seat], schemes: Sequence[LineHeuristic | None]
) -> Floats:
    """Return the settings of seats, a row each, by the columns of ``SEAT_FIELDS``."""
    columns = [
        (
            -1 if seat.heuristic is None else schemes.index(seat.heuristic),
            seat.rival_weight,
            -1.0 if game.misere else 1.0,
            seat.lowest,
            seat.temperature,
        )
        for seat in seats
    ]
    return np.array(columns, dtype=np.float64)


def seat_arrays(game: Game, seats: Sequence[Seat]) -> ScoredArrays:
    """Return the arguments of `hyperoxo.kernels.scored.scored_games` for these seats."""
    # Weights, kinds and readings of their heuristics, the seat table, and energies and scores of
    # the empty board. If no seat has a heuristic, an unused one fills the arrays.
    named = dict.fromkeys(seat.heuristic for seat in seats if seat.heuristic is not None)
    schemes = list(named) or [ising_heuristic()]
    tables = [tabulate(heuristic, game.board, game.players) for heuristic in schemes]
    weights, kinds = side_by_side(tables)
    by_ends = np.array([table.by_ends for table in tables], dtype=np.int64)
    t = tables_of(game)
    start = new_state(t)
    energy = np.zeros((len(schemes), game.players))
    score = np.zeros((len(schemes), game.players, game.board.cell_count))
    for i in range(len(schemes)):
        add_all_lines(t, start, weights[i], kinds, by_ends[i], energy[i], score[i])
    return weights, kinds, by_ends, _seat_table(game, seats, schemes), energy, score


class RandomAgent(_CompiledAgent):
    """Plays every legal move with the same probability."""

    name = "random"

    def __init__(self, seconds: float | str | None = None) -> None:
        self.seconds = seconds_option(seconds)

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose any legal move; see :meth:`Agent.choose`."""
        return drawn(moves_of(position), rng)

    def seat(self, game: Game) -> Seat:
        """Return random play."""
        return Seat(None)

    def quick(self, game: Game) -> bool:
        """True if every move is quick: yes."""
        return True


class ScoredAgent(_CompiledAgent):
    """Plays the move of highest line score."""

    requires = SCORING

    def __init__(
        self,
        heuristic: LineHeuristic | PositionHeuristic,
        rival_weight: float,
        ties: str,
        temperature: float = 0.0,
        seconds: float | str | None = None,
    ) -> None:
        self.seconds = seconds_option(seconds)
        self.heuristic = heuristic
        self.rival_weight = rival_weight
        # That of the softmax over move values is another one where values have a factor.
        self.temperature = self._heat = temperature
        self.ties = choice_option("ties", ties, TIES)

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a best move; see :meth:`Agent.choose`."""
        if self.temperature > 0:
            moves, values = moves_of(position), self._values(position)
            # Less the maximum, so that the exponential cannot overflow.
            weights = np.exp((values - values.max()) / self._heat)
            return moves[int(generator(rng).choice(len(moves), p=weights / weights.sum()))]
        return drawn(self.best_moves(position), rng, self.ties)

    def best_moves(self, position: Position) -> tuple[int, ...]:
        """Return the moves of highest value, among which one is drawn."""
        moves = moves_of(position)
        return tuple(moves[i] for i in self._best(self._values(position)))

    def quick(self, game: Game) -> bool:
        """True if every move is quick; not with a time limit."""
        return self.seconds is None

    def heuristic_of(self, game: Game) -> LineHeuristic | PositionHeuristic:
        """Return the heuristic for a game."""
        return self.heuristic

    def _values(self, position: Position) -> NDArray[np.float64]:
        return move_values(position, self.heuristic_of(position.game), self.rival_weight)

    @staticmethod
    def _best(values: NDArray[np.float64]) -> list[int]:
        best: list[int] = np.flatnonzero(values >= least_equal(values.max())).tolist()
        return best

    def explain(self, position: Position, rng: Randomness = None) -> Explanation:
        """Choose a best move and list all with their values."""
        moves = moves_of(position)
        values = self._values(position)
        move = self.choose(position, rng)
        order = np.argsort(-values, kind="stable")
        displayed = self._display_values(position, values)
        candidates = tuple((moves[int(i)], float(displayed[i])) for i in order)
        return Explanation(move, candidates, self._reason(position, move, len(self._best(values))))

    def _display_values(
        self, position: Position, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the values of the moves for display."""
        return values

    def _reason(self, position: Position, move: int, equals: int) -> str:
        before = position.lines_owned[position.to_move - 1]
        gained = position.play(move).lines_owned[position.to_move - 1] - before
        if gained:
            return because(Why.COMPLETES_LINES, position, move, lines=gained)
        rest = "" if equals == 1 else f", as {number_of(equals - 1, 'other does|others do')}"
        name = PurePath(self.heuristic.name).name
        return because(Why.SCORES_HIGHEST, position, move, heuristic=name, rest=rest)

    def seat(self, game: Game) -> Seat | None:
        """Return the settings for compiled games; None for pairs and whole positions."""
        heuristic = self.heuristic_of(game)
        if isinstance(heuristic, PositionHeuristic) or heuristic.on_neighbours:
            return None
        return Seat(heuristic, self.rival_weight, self.ties == "lowest", self._heat)


class GreedyAgent(ScoredAgent):
    """Plays the move after which its own score is highest, by a search of one ply.

    With a `sight` it first completes or stops each line that it sees with that probability, as a
    person does.
    """

    name = "greedy"

    def __init__(
        self,
        attack: float | str = 1.0,
        defend: float | str = 1.0,
        heuristic: str | LineHeuristic | PositionHeuristic = "kutner",
        ties: str = "random",
        seconds: float | str | None = None,
        sight: float | str = 0.0,
    ) -> None:
        self.sight = number_option("sight", sight, 0.0, 1.0)
        self.attack = number_option("attack", attack, 0.0, 1e6)
        self.defend = number_option("defend", defend, 0.0, 1e6)
        if heuristic == "kutner":
            chosen: LineHeuristic | PositionHeuristic = kutner_heuristic(self.attack, self.defend)
        elif (self.attack, self.defend) != (1.0, 1.0):
            raise SpecError("attack and defend belong to heuristic=kutner")
        else:
            chosen = (
                heuristic if isinstance(heuristic, PositionHeuristic) else as_heuristic(heuristic)
            )
        super().__init__(chosen, 0.0, ties, seconds=seconds)

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a line that is seen, or a best move; see :meth:`Agent.choose`."""
        if not self.sight:
            return super().choose(position, rng)
        random, moves = generator(rng), moves_of(position)
        seen, _, shunned = lines_at_hand(position, lambda *_: random.random() < self.sight)
        if seen:
            return drawn(seen, random, self.ties)
        values = self._values(position)
        # Overlooked cells are out, unless nothing else is left.
        if not shunned.issuperset(moves):
            values[[cell in shunned for cell in moves]] = -np.inf
        return drawn([moves[i] for i in self._best(values)], random, self.ties)

    def _reason(self, position: Position, move: int, equals: int) -> str:
        if self.sight:
            seen, why, _ = lines_at_hand(position, lambda cell, _: cell == move)
            if seen:
                return because(why, position, move)
        return super()._reason(position, move, equals)

    def seat(self, game: Game) -> Seat | None:
        """Return the settings for compiled games; None with a sight."""
        return None if self.sight else super().seat(game)


def in_turn(position: Position) -> tuple[int, ...]:
    """Return the players whose lines count, in the order of their next moves."""
    game, mover = position.game, position.to_move
    players = ((mover - 1 + step) % game.players + 1 for step in range(game.players))
    return tuple(player for player in players if game.convention.counts(player))


def lines_at_hand(
    position: Position, sees: Callable[[int, int], bool]
) -> tuple[list[int], Why, set[int]]:
    """Return seen cells that complete a line of one player, the reason, and cells to leave out."""
    # The mover's lines come first. Cells are left out that are overlooked, or seen in misère play.
    # Overlooked cells must not be chosen by their scores either, which would reveal the lines.
    mover, moves = position.to_move, moves_of(position)
    reached = position.game.convention.reaching_wins
    shunned: set[int] = set()
    for player in in_turn(position) if reached else (mover,):
        near = sorted({*completing_cells(position, player)}.intersection(moves))
        seen = [cell for cell in near if sees(cell, player)]
        if seen and reached:
            return seen, Why.COMPLETES if player == mover else Why.STOPS, shunned
        shunned.update(near if reached else seen)
    return [], Why.OVERLOOKS, shunned


def simpler_move(position: Position, rng: Randomness = None) -> Explanation:
    """Choose at once for an agent without a result: as `greedy`, or at random."""
    agent: Agent = GreedyAgent() if SCORING.accepts(position.game) else RandomAgent()
    words = str(Why.SIMPLER(agent=agent.name))
    return Explanation(agent.choose(position, rng), (), words, hurried=True)


class IsingAgent(ScoredAgent):
    """Minimises the game energy of the Ising adaptation, by a search of one ply.

    Energies are counted positive here, so the move maximises the player's energy after it plus
    `bias` times the energy of each rival after playing there instead or, with ``rivals="after"``,
    after the player's move. `coupling` multiplies the lines, and so divides the temperature;
    `field` adds the value of one more stone to every move, which shows in the values and changes no
    move. Any other line heuristic can be the energy.
    """

    name = "ising"

    def __init__(
        self,
        bias: float | str = 0.647,
        reading: str = "formula",
        ties: str = "random",
        c: float | str | None = None,
        temperature: float | str = 0.0,
        seconds: float | str | None = None,
        heuristic: str | LineHeuristic = "ising",
        coupling: float | str = 1.0,
        field: float | str = 0.0,
        rivals: str = "instead",
    ) -> None:
        self.bias = number_option("bias", bias, -1e6, 1e6)
        self.rivals = choice_option("rivals", rivals, ("instead", "after"))
        self.reading = choice_option("reading", reading, (*READINGS, "doubled"))
        self.c = None if c is None else number_option("c", c, 1e-6, 1e6)
        self.coupling = number_option("coupling", coupling, 1e-6, 1e6)
        self.field = number_option("field", field, -1e6, 1e6)
        heated = number_option("temperature", temperature, 0.0, 1e12)
        if heuristic == "ising":
            chosen = ising_heuristic("scan" if reading == "doubled" else reading, self.c)
        elif self.reading != "formula" or c is not None:
            raise SpecError("reading and c belong to heuristic=ising")
        else:
            chosen = as_heuristic(heuristic)
        if self.rivals == "after" and chosen.by_ends:
            raise SpecError("rivals=after takes energies of stone counts, not of scans")
        self.energy = chosen if heuristic != "ising" else None
        instead = self.rivals == "instead"
        scored = chosen if instead else with_rivals(chosen, self.bias)
        super().__init__(scored, self.bias if instead else 0.0, ties, heated, seconds)
        self._heat = heated / self.coupling

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        return spelled(self, heuristic=self.energy or "ising")

    def _display_values(
        self, position: Position, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the game energies with the coupling, and the field on the spins after the move."""
        stones = [position.owners.count(seat) for seat in range(1, position.game.players + 1)]
        # Spins after the move: own stones less all others'. With "instead" each rival is counted
        # with its own stone in place of the mover's.
        total, mover = sum(stones) + 1, position.to_move - 1
        gained = self.rivals == "instead"
        spin = sum(
            1.0 * (2 * (own + 1) - total)
            if seat == mover
            else self.bias * (2 * (own + gained) - total)
            for seat, own in enumerate(stones)
        )
        sign = -1.0 if position.game.misere else 1.0
        return self.coupling * values + sign * self.field * spin

    def check(self, game: Game) -> None:
        """Refuse games for which the rivals' energies make no sense."""
        super().check(game)
        if self.rivals == "after" and game.players > 2 and self.energy is not None:
            raise AgentError("ising:rivals=after with another energy is for two players")


class TdAgent(ScoredAgent):
    """Plays the move of highest score by a learned table, by a search of one ply.

    Without `checkpoint` it plays the tables that come with this package.
    """

    name = "td"
    title = "Learned table"

    def __init__(
        self,
        checkpoint: str | LineTable | None = None,
        ties: str = "random",
        seconds: float | str | None = None,
    ) -> None:
        self._table = read_table(checkpoint) if isinstance(checkpoint, str) else checkpoint
        if self._table is None:
            heuristic = shipped_heuristic()
        else:
            heuristic = self._table.heuristic(str(checkpoint))
        super().__init__(heuristic, 0.0, ties, seconds=seconds)
        self._known: dict[Game, LineHeuristic] = {}

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        return spelled(self, checkpoint=None if self._table is None else self.heuristic.name)

    def check(self, game: Game) -> None:
        """Refuse games for which it has no table."""
        super().check(game)
        self.heuristic_of(game)

    def heuristic_of(self, game: Game) -> LineHeuristic:
        """Return the table of a game as a heuristic."""
        if game not in self._known:
            self._known[game] = self._found_for(game)
        return self._known[game]

    def _found_for(self, game: Game) -> LineHeuristic:
        table = self._table
        name = self.heuristic.name
        if table is None:
            sizes = game.board.line_sizes.tolist()
            table = shipped_table(str(game), sizes, game.players, misere=game.misere)
            return table.heuristic(name)
        if table.players != game.players or table.misere != game.misere:
            raise SpecError(
                f"the line table {quoted(name)} was learned on {table.game} and does not fit {game}"
            )
        if table.classes and Game(table.game).board != game.board:
            raise SpecError(
                f"the line table {quoted(name)} has classes of the lines of {table.game}, "
                f"not of {game}"
            )
        return table.heuristic(name)
