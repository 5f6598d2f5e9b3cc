"""TD(lambda) learning of line weights in self-play or against trainers.

The value of a position to a player is ``tanh(sign * sum of weights)`` over the lines that no two
rivals share: +1 a win, -1 a loss that leaves one rival. Weights are fixed during a game; after it
every position that a player moved to is drawn towards its lambda return, a mixture of the values
of the player's later positions and the final reward.

References
----------
R. S. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3,
1988; G. Tesauro, "Temporal difference learning and TD-Gammon", CACM 38, 1995.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Floats, Ints, Longs, copy, fill
from hyperoxo.kernels.elementary import tanh
from hyperoxo.kernels.rng import advance, below, fraction, mix, stream
from hyperoxo.kernels.scored import (
    add_all_lines,
    candidate_values,
    choose_as,
    choose_best,
    play_scored,
    stage_of,
)
from hyperoxo.kernels.state import legal_moves, new_state, play, reset

_TRIES = 100


@njit(**NO_REFCOUNT)
def random_opening(t: Ints, s: Ints, plies: int, cells: Ints, random: np.uint64) -> np.uint64:
    """Set a state to an unfinished position after random plies.

    After many openings that end the game it tries one ply fewer, so that the loop ends.
    """
    tries = 0
    while True:
        reset(t, s)
        for _ in range(plies):
            random = advance(random)
            play(t, s, cells[below(mix(random), legal_moves(t, s, cells))])
            if s[state.RESULT] != 0:
                break
        if s[state.RESULT] == 0:
            return random
        tries += 1
        plies -= tries % _TRIES == 0


@njit(**NO_REFCOUNT)
def count_lines(t: Ints, s: Ints, player: int, kinds: Ints, out: Ints) -> None:
    """Count the lines of a player by kind, own and rivals' stones: ``[K, W, W]``."""
    players = t[state.PLAYERS]
    fill(out, 0)
    for line in range(t[state.LINES]):
        at = t[state.S_COUNT] + line * players
        stones, owners = 0, 0
        for rival in range(players):
            if rival != player and s[at + rival] > 0:
                stones += s[at + rival]
                owners += 1
        if owners <= 1 and s[at + player] + stones > 0:
            out[kinds[line], s[at + player], stones] += 1


@njit(**NO_REFCOUNT)
def reward(t: Ints, result: int, player: int) -> float:
    """Return the reward of a finished game to a player; rewards sum to zero."""
    if result == state.DRAW:
        return 0.0
    won = 1.0 if player == abs(result) - 1 else -1.0 / (t[state.PLAYERS] - 1)
    return won if result > 0 else -won


@njit(**NO_REFCOUNT)
def _product(counts: Ints, weights: Ints | Floats) -> float:
    """Return the sum of products of two arrays ``[K, W, W]``."""
    total = 0.0
    for at in np.ndindex(counts.shape):
        total += float(counts[at] * weights[at])
    return total


@njit(nogil=True)
def self_play(
    t: Ints,
    kinds: Ints,
    weights: Floats,
    fixed: Floats,
    total: Floats,
    trainers: Floats,
    by_ends: Longs,
    seats: Floats,
    sign: float,
    games: int,
    seed: np.uint64,
    number: int,
    most_random: int,
    rate: float,
    keep: float,
    epsilon: float,
) -> None:
    """Play games and learn from each: `weights` change, and `total` sums them over the games.

    `weights`, `fixed` and `total` are ``[K, W, W]``, by stage and then by kind within it, `kinds`
    ``[G, L]``; `fixed` is added where moves are chosen (what a full line is worth there). With
    rows in the seat table `seats` ``[S, 5]`` the player learns in one seat, each in turn, and one
    of these agents takes all others; `trainers` ``[S, K, W, W]`` and `by_ends` ``[1 + S]``, that
    of the player itself first, are their schemes. Each game begins with up to `most_random` random
    plies. `keep` is lambda.
    """
    # Scheme 0 of `table`, `energy` and `score` is the learner's, the others are the trainers'.
    # `seen` has the line counts (the features) of the position after each ply, for the player who
    # moved, and `worths` its value.
    players = t[state.PLAYERS]
    kind_count, width = len(weights) // len(kinds), weights.shape[1]
    s = new_state(t)
    table = np.empty((1 + len(trainers), *weights.shape))
    copy(table[1:], trainers)
    energy = np.zeros((len(table), players))
    score = np.zeros((len(table), players, t[state.CELLS]))
    cells = np.empty(t[state.PLAYABLE], np.int32)
    values = np.empty(t[state.PLAYABLE], np.float64)
    seen = np.zeros((t[state.PLAYABLE], kind_count, width, width), np.int32)
    worths = np.zeros(t[state.PLAYABLE])
    random = stream(seed, number)
    learner, trainer = -1, 0
    for game in range(games):
        if len(seats):
            learner, trainer = game % players, game // players % len(seats)
        # 1. A random opening, and the scores of all schemes on it.
        random = advance(random)
        plies = int(np.int64(below(mix(random), most_random + 1)))
        random = random_opening(t, s, plies, cells, random)
        first = s[state.PLIES]
        copy(table[0], weights + fixed)
        for i in range(len(table)):
            add_all_lines(t, s, table[i], kinds, by_ends[i], energy[i], score[i])
        # 2. The game. The learner explores with probability epsilon; two random words are drawn in
        #    any case, so that the stream does not depend on the branch taken.
        while s[state.RESULT] == 0:
            ply = s[state.PLIES]
            count = legal_moves(t, s, cells)
            random = advance(random)
            explore = fraction(mix(random)) < epsilon
            random = advance(random)
            if learner >= 0 and ply % players != learner:
                seat = seats[trainer]
                scheme = 1 + int(seat[0])
                sums = energy[scheme], score[scheme]
                candidate_values(t, s, seat[1], seat[2], *sums, cells, count, values)
                if scheme == 0:  # a random one
                    fill(values, 0.0)
                cell = choose_as(seat, cells, values, count, mix(random))
            elif explore:
                cell = cells[below(mix(random), count)]
            else:
                candidate_values(t, s, 0.0, sign, energy[0], score[0], cells, count, values)
                cell = choose_best(cells, values, count, False, mix(random))
            # 3. Its features and its value by the weights of its stage.
            play_scored(t, s, cell, table, kinds, by_ends, energy, score)
            count_lines(t, s, ply % players, kinds[0], seen[ply])
            low = kind_count * stage_of(ply, t[state.PLAYABLE], len(kinds))
            worths[ply] = tanh(sign * _product(seen[ply], weights[low : low + kind_count]))
        # 4. Each player's positions, the last first, with the lambda return as `goal`. The final
        #    position has the reward and no learned value.
        last = s[state.PLIES]
        for player in range(players):
            if learner >= 0 and player != learner:
                continue
            goal = reward(t, s[state.RESULT], player)
            latest = last - 2 - (last - 2 - player) % players
            for ply in range(latest, first - 1, -players):
                # 5. A gradient step of tanh, divided by the squared length of the features, so that
                #    the rate does not depend on the number of lines (normalised LMS).
                worth = worths[ply]
                features = seen[ply]
                norm = 1.0 + _product(features, features)
                step = sign * rate * (goal - worth) * (1.0 - worth * worth) / norm
                low = kind_count * stage_of(ply, t[state.PLAYABLE], len(kinds))
                learned = weights[low : low + kind_count]
                for at in np.ndindex(features.shape):
                    if features[at]:
                        learned[at] += step * features[at]
                # 6. The return of the position before it.
                goal = keep * goal + (1.0 - keep) * worth
        total += weights
