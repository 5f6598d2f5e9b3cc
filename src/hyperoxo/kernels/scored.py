"""Incremental move scores from line weights, and games of players who use them.

The gain of a move of player p on cell c is that of their lines through c. ``score`` holds the
gain for every player and cell, ``energy`` the present sum over a player's lines; after a move only
the cells on lines through it change, by the difference that each line makes.

A *scheme* is one line heuristic: weights float64 ``[S, K, W, W]`` by scheme, kind of line, own and
rival stones; kinds int32 ``[G, L]`` by stage of the game; by_ends int64 ``[S]``. With by_ends the
own stones are counted from both ends of a line by the scan rule.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Floats, Ints, Longs, Words, copy, fill
from hyperoxo.kernels.elementary import exp
from hyperoxo.kernels.rng import advance, below, fraction, mix, stream
from hyperoxo.kernels.state import cells_of, legal_moves, lines_of, load, new_state, play, reset

_ONE = np.uint32(1)

# Reading order: this module (incremental scores), `td` (weights learned from games with them),
# `guided` (scores as priors of a tree search).
TOLERANCE = 1e-9
"""Values this close, relative to a best one beyond 1, are equal: sums kept up to date round."""

SEAT_FIELDS = ("scheme", "rival_weight", "sign", "lowest", "temperature")
"""Columns of the seat table: scheme number or -1 for random play, weight of the rivals'
gains, +1 or -1 (misère), 1 where ties go to the lowest cell, and above 0 the temperature of
a random choice with probabilities in proportion to exp(value / temperature)."""


@njit(**NO_REFCOUNT)
def _scan(
    t: Ints,
    s: Ints,
    first: int,
    last: int,
    step: int,
    player: int,
    placed: int,
    weights: Floats,
) -> float:
    """Return the value of a line scanned from `first` to `last`, with an own stone on `placed`."""
    # Own stones are counted up to the first free cell after the first cell; a rival's stone before
    # it makes the line worthless from this end.
    own = 0
    at = first
    while True:
        cell = t[at]
        owner = s[t[state.S_OWNER] + cell]
        if cell == placed or owner == player + 1:
            own += 1
        elif owner != 0:
            return 0.0
        elif at != first:
            break
        if at == last:
            break
        at += step
    return float(weights[own, 0])


@njit(**NO_REFCOUNT)
def _both_scans(t: Ints, s: Ints, line: int, player: int, placed: int, weights: Floats) -> float:
    places = cells_of(t, line)
    low, high = places.start, places.stop - 1
    up = _scan(t, s, low, high, 1, player, placed, weights)
    return up + _scan(t, s, high, low, -1, player, placed, weights)


@njit(**NO_REFCOUNT)
def _add_line(
    t: Ints,
    s: Ints,
    line: int,
    weights: Floats,
    by_ends: int,
    sign: float,
    energy: Floats,
    score: Floats,
) -> None:
    """Add (sign 1) or take away (sign -1) the values of one line to all players."""
    # `weights` `[W, W]` of the line's kind; energy `[q]`, score `[q, N]` or without entries.
    players = t[state.PLAYERS]
    counts = t[state.S_COUNT] + line * players
    stones, owners = 0, 0
    for player in range(players):
        stones += s[counts + player]
        owners += s[counts + player] > 0
    places = cells_of(t, line)
    for player in range(players):
        if by_ends:
            worth = _both_scans(t, s, line, player, -1, weights)
            energy[player] += sign * worth
            for at in places:
                if score.size and s[t[state.S_OWNER] + t[at]] == 0:
                    with_stone = _both_scans(t, s, line, player, t[at], weights)
                    score[player, t[at]] += sign * (with_stone - worth)
            continue
        # A line shared by two rivals counts 0 for a player. All cells of the line get the
        # gain; that of taken ones is never read.
        own = s[counts + player]
        if owners - (own > 0) > 1:
            continue
        rivals = stones - own
        worth = weights[own, rivals]
        energy[player] += sign * worth
        if stones < len(places) and score.size:
            gain = sign * (weights[own + 1, rivals] - worth)
            if gain != 0.0:
                for at in places:
                    score[player, t[at]] += gain


@njit(**NO_REFCOUNT)
def stage_of(stones: int, cells: int, stages: int) -> int:
    """Return the stage of the game, counted from 0, by the number of cells taken."""
    return min(stones * stages // cells, stages - 1)


@njit(**NO_REFCOUNT)
def _add_lines_of_two(
    t: Ints, s: Ints, weights: Floats, kinds: Ints, energy: Floats, score: Floats
) -> None:
    """Add the values of all lines to two players, in one pass and four times as fast."""
    at = t[state.S_COUNT]
    worth_1 = worth_2 = 0.0
    for line in range(t[state.LINES]):
        # Unsigned numbers cannot count from the end.
        kind, own, other = np.uint32(kinds[line]), np.uint32(s[at]), np.uint32(s[at + 1])
        at += 2
        before_1, before_2 = weights[kind, own, other], weights[kind, other, own]
        worth_1 += before_1
        worth_2 += before_2
        places = cells_of(t, line)
        if score.size and own + other < len(places):
            gain_1 = weights[kind, own + _ONE, other] - before_1
            gain_2 = weights[kind, other + _ONE, own] - before_2
            if gain_1 != 0.0 or gain_2 != 0.0:
                for j in places:
                    cell = np.uint32(t[j])
                    score[0, cell] += gain_1
                    score[1, cell] += gain_2
    energy[0], energy[1] = worth_1, worth_2


@njit(**NO_REFCOUNT)
def add_all_lines(
    t: Ints, s: Ints, weights: Floats, kinds: Ints, by_ends: int, energy: Floats, score: Floats
) -> None:
    """Work out energy ``[q]`` and score ``[q, N]`` of one scheme from scratch.

    A score without entries is left out.
    """
    fill(energy, 0.0)
    fill(score, 0.0)
    here = kinds[stage_of(s[state.PLIES], t[state.PLAYABLE], len(kinds))]
    if t[state.PLAYERS] == 2 and not by_ends:
        _add_lines_of_two(t, s, weights, here, energy, score)
        return
    for line in range(t[state.LINES]):
        _add_line(t, s, line, weights[here[line]], by_ends, 1.0, energy, score)


@njit(**NO_REFCOUNT)
def candidate_values(
    t: Ints,
    s: Ints,
    rival_weight: float,
    sign: float,
    energy: Floats,
    score: Floats,
    cells: Ints,
    count: int,
    values: Floats,
) -> None:
    """Write the value of each of the first `count` cells to the player to move.

    The energy after the move, plus `rival_weight` times that of every rival who moved there
    instead; times `sign`.
    """
    mover = s[state.PLIES] % t[state.PLAYERS]
    for i in range(count):
        value = 0.0
        for player in range(t[state.PLAYERS]):
            after = energy[player] + score[player, cells[i]]
            value += after if player == mover else rival_weight * after
        values[i] = sign * value


@njit(**NO_REFCOUNT)
def least_equal(best: float) -> float:
    """Return the least value that equals the best one up to rounding."""
    return best - TOLERANCE * max(1.0, abs(best))


@njit(**NO_REFCOUNT)
def choose_best(cells: Ints, values: Floats, count: int, lowest: bool, random: np.uint64) -> int:
    """Return a best cell: at random among equals from `random`, or the lowest."""
    # Ties are counted first, so that one random word picks uniformly among them.
    best = values[0]
    for i in range(1, count):
        best = max(best, values[i])
    least = least_equal(best)
    ties = 0
    chosen = -1
    for i in range(count):
        if values[i] >= least:
            ties += 1
            if lowest:
                chosen = cells[i] if chosen < 0 else min(chosen, cells[i])
    if lowest:
        return chosen
    wanted = np.int64(below(random, ties))
    for i in range(count):
        if values[i] >= least:
            if wanted == 0:
                return int(cells[i])
            wanted -= 1
    return chosen


@njit(nogil=True)
def _draw(cells: Ints, values: Floats, count: int, temperature: float, random: np.uint64) -> int:
    """Return a cell drawn with probability in proportion to exp(value / temperature)."""
    # Overwrites `values` by the cumulated weights.
    best = values[:count].max()
    total = 0.0
    for i in range(count):
        total += exp((values[i] - best) / temperature)
        values[i] = total
    wanted = total * fraction(random)
    for i in range(count):
        if wanted < values[i]:
            return int(cells[i])
    return int(cells[count - 1])


@njit(**NO_REFCOUNT)
def choose_as(seat: Floats, cells: Ints, values: Floats, count: int, random: np.uint64) -> int:
    """Return the cell that a row of the seat table chooses by the values of the moves."""
    if seat[4] > 0:
        return int(_draw(cells, values, count, seat[4], random))
    return int(choose_best(cells, values, count, seat[3] > 0, random))


@njit(**NO_REFCOUNT)
def play_scored(
    t: Ints,
    s: Ints,
    cell: int,
    weights: Floats,
    kinds: Ints,
    by_ends: Longs,
    energy: Floats,
    score: Floats,
) -> None:
    """Play a landing cell and update the energies and scores of all schemes."""
    # In a new stage all lines have other weights. Else only those through the cell change: they are
    # taken away as they were, and added as they are after the move.
    stage = stage_of(s[state.PLIES], t[state.PLAYABLE], len(kinds))
    if stage_of(s[state.PLIES] + 1, t[state.PLAYABLE], len(kinds)) != stage:
        play(t, s, cell)
        for scheme in range(len(by_ends)):
            add_all_lines(
                t, s, weights[scheme], kinds, by_ends[scheme], energy[scheme], score[scheme]
            )
        return
    for scheme in range(len(by_ends)):
        for j in lines_of(t, cell):
            table = weights[scheme, kinds[stage, t[j]]]
            _add_line(t, s, t[j], table, by_ends[scheme], -1.0, energy[scheme], score[scheme])
    play(t, s, cell)
    for scheme in range(len(by_ends)):
        for j in lines_of(t, cell):
            table = weights[scheme, kinds[stage, t[j]]]
            _add_line(t, s, t[j], table, by_ends[scheme], 1.0, energy[scheme], score[scheme])


@njit(nogil=True)
def scored_games(
    t: Ints,
    weights: Floats,
    kinds: Ints,
    by_ends: Longs,
    seats: Floats,
    start_energy: Floats,
    start_score: Floats,
    games: int,
    seed: np.uint64,
    number: int,
    random_plies: int,
    opening_seed: np.uint64,
    out: Longs,
    lengths: Longs,
) -> None:
    """Play games among random and score-driven players, the first `random_plies` at random.

    Openings have a separate stream, so that they do not depend on who plays; one that ends
    the game is redrawn.

    `seats` float64 ``[q, 5]`` has the columns of ``SEAT_FIELDS``; `start_energy` ``[S, q]``
    and `start_score` ``[S, q, N]`` belong to the empty board. `out` int64 ``[games]`` gets
    each game's result, `lengths` int64 ``[games]`` its length in plies.
    """
    # energy ``[S, q]`` and score ``[S, q, N]`` are updated for all schemes at every move.
    s = new_state(t)
    energy = np.empty_like(start_energy)
    score = np.empty_like(start_score)
    cells = np.empty(t[state.PLAYABLE], np.int32)
    values = np.empty(t[state.PLAYABLE], np.float64)
    random = stream(seed, number)
    opening = stream(opening_seed, number)
    for game in range(games):
        reset(t, s)
        copy(energy, start_energy)
        copy(score, start_score)
        while s[state.RESULT] == 0:
            # 1. The move: of the opening, of a random player, or by the values of a scheme.
            seat = s[state.PLIES] % t[state.PLAYERS]
            scheme = np.int64(seats[seat, 0])
            random = advance(random)
            count = legal_moves(t, s, cells)
            if s[state.PLIES] < random_plies:
                opening = advance(opening)
                cell = cells[below(mix(opening), count)]
            elif scheme < 0:
                cell = cells[below(mix(random), count)]
            else:
                sums = energy[scheme], score[scheme]
                candidate_values(t, s, seats[seat, 1], seats[seat, 2], *sums, cells, count, values)
                cell = choose_as(seats[seat], cells, values, count, mix(random))
            play_scored(t, s, cell, weights, kinds, by_ends, energy, score)
            # 2. An opening that ended the game is redrawn from the same stream.
            if s[state.RESULT] and s[state.PLIES] <= random_plies:
                reset(t, s)
                copy(energy, start_energy)
                copy(score, start_score)
        out[game] = s[state.RESULT]
        lengths[game] = s[state.PLIES]


@njit(nogil=True)
def chosen_cells(
    t: Ints,
    owners: Bytes,
    weights: Floats,
    kinds: Ints,
    by_ends: int,
    seat: Floats,
    words: Words,
    out: Ints,
) -> int:
    """Choose a cell in each of many positions, owners uint8 ``[K, N]``, for the player to move.

    `weights`, `kinds` and `by_ends` are of one scheme, `seat` has the columns of ``SEAT_FIELDS``,
    and `words` uint64 ``[K]`` are random. Returns the first position in which the game is over,
    or -1.
    """
    s = new_state(t)
    energy = np.zeros(t[state.PLAYERS], np.float64)
    score = np.zeros((t[state.PLAYERS], t[state.CELLS]), np.float64)
    cells = np.empty(t[state.PLAYABLE], np.int32)
    values = np.empty(t[state.PLAYABLE], np.float64)
    for i in range(len(owners)):
        load(t, s, owners[i])
        if s[state.RESULT] != 0:
            return i
        count = legal_moves(t, s, cells)
        if seat[0] < 0:
            out[i] = cells[below(words[i], count)]
            continue
        add_all_lines(t, s, weights, kinds, by_ends, energy, score)
        candidate_values(t, s, seat[1], seat[2], energy, score, cells, count, values)
        out[i] = choose_as(seat, cells, values, count, words[i])
    return -1
