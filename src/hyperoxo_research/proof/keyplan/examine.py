"""One listed state by all rules; unlisted wide states that pairs settle count as won by lines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.blocks import are_blocks_safe
from hyperoxo_research.proof.keyplan.board import Board, Longs, Words
from hyperoxo_research.proof.keyplan.matching import Scratch
from hyperoxo_research.proof.keyplan.pairs import are_decided_safe, is_won_by_pairs
from hyperoxo_research.proof.keyplan.states import (
    ANY,
    Images,
    Listed,
    State,
    demand,
    find,
    form_of,
    greatest_of,
    images_of,
    make_normal,
    open_up,
    undecided_in,
)
from hyperoxo_research.proof.keyplan.stones import (
    Stone,
    are_enough,
    are_enough_by_counts,
    row_after,
    sets_to_answer,
)

HOLDS, LEAF, KEY, STONE, IMAGE = range(5)
"""Results of `examine`: nothing wrong, pairs that do not settle a state, a key without an answer, a
stone off the keys without enough of them, a state that is not its greatest image."""

_BIT = np.uint64(1)
_MANY = 1 << 14
_MIXED, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


class Settled(NamedTuple):
    """Wide states known to be settled by pairs or not, ``[places]``; a place has one at a time.

    If pairs settle a state, they do with fewer stones, so that always ``holds < fails``.
    """

    makers: Words
    breakers: Words
    holds: NDArray[np.int16]
    """The most stones with which pairs settle it, -1 where none are known."""
    fails: NDArray[np.int16]
    """The fewest stones with which they do not."""


class Work(NamedTuple):
    """The listed states, and each thread's own arrays."""

    listed: Listed
    settled: Settled
    room: Scratch


class Unlisted(NamedTuple):
    """Replies to any stone that lead to wide states that pairs settle."""

    good: Words
    """Bit set of the good replies, one word."""
    left: Longs
    """Number of live lines through each key not yet tried, else -1."""


def no_settled_states(states: int) -> Settled:
    """Return room to remember settled states, for a plan of this many states."""
    places = 1 << min(22, 8 + states.bit_length())
    makers, breakers = np.zeros((2, places), np.uint64)
    holds, fails = np.full(places, -1, np.int16), np.full(places, _MANY, np.int16)
    return Settled(makers, breakers, holds, fails)


@njit(nogil=True)
def is_wide_won(board: Board, work: Work, those: Images, breaker: np.uint64, stones: int) -> bool:
    """Return whether pairs settle a wide state; `those` are the images of Maker's keys."""
    # 1. Its greatest image, of which more stones or fewer may be known.
    settled, maker = work.settled, those.maker
    best = greatest_of(board.images, those.symmetries, breaker)
    place = (maker * _MIXED ^ best) * _MIXED >> _HALF
    place &= np.uint64(len(settled.makers) - 1)
    if settled.makers[place] != maker or settled.breakers[place] != best:
        settled.makers[place], settled.breakers[place] = maker, best
        settled.holds[place], settled.fails[place] = -1, _MANY
    if stones <= settled.holds[place]:
        return True
    if stones >= settled.fails[place]:
        return False
    # 2. Else its pairs.
    state = State(maker, best, np.full(1 + 2 * len(board.regions.members), ANY))
    state.row[0] = stones
    open_up(board, state)
    if is_won_by_pairs(board, state, work.room):
        settled.holds[place] = stones
        return True
    settled.fails[place] = stones
    return False


@njit(nogil=True)
def live_lines_on(board: Board, maker: np.uint64, breaker: np.uint64) -> Longs:
    """Return the number of live lines with each free key; -1 where a key is taken."""
    found = np.zeros(len(board.lines.keys), np.int64)
    for key in range(len(found)):
        bit = _BIT << np.uint64(key)
        if (maker | breaker) & bit:
            found[key] = -1
            continue
        for on in board.lines.keys_on:
            found[key] += on & bit != 0 and on & breaker == 0
    return found


@njit(nogil=True)
def is_safe_after_key(board: Board, earlier: np.uint64, state: State, room: Scratch) -> bool:
    """R6: return whether blocks and decided lines allow an answer; by counts all do."""
    return not board.by_lines or (
        are_blocks_safe(board, earlier, state) and are_decided_safe(board, earlier, state, room)
    )


@njit(nogil=True)
def is_key_answered(board: Board, work: Work, state: State, key: int) -> bool:
    """R2 and R6: return whether there is an answer to a key."""
    maker, count = state.maker | _BIT << np.uint64(key), len(board.lines.keys)
    those = images_of(board.images, maker)
    # 1. To a listed state.
    for other in range(count):
        if (maker | state.breaker) >> np.uint64(other) & _BIT:
            continue
        after = State(maker, state.breaker | _BIT << np.uint64(other), state.row.copy())
        here = find(board, work.listed, those, after)
        if here >= 0 and is_safe_after_key(board, state.maker, after, work.room):
            demand(work.listed, here, after.row[0])
            return True
    # 2. To one that pairs settle, by the key on most lines first.
    left = live_lines_on(board, maker, state.breaker)
    while board.by_lines and left.max() >= 0:
        other = int(np.argmax(left))
        left[other] = -1
        after = State(maker, state.breaker | _BIT << np.uint64(other), state.row.copy())
        make_normal(board, after)
        if is_safe_after_key(board, state.maker, after, work.room) and is_wide_won(
            board, work, those, after.breaker, after.row[0]
        ):
            return True
    return False


@njit(nogil=True)
def listed_replies(
    board: Board, work: Work, state: State, those: Images, among: np.uint64, row: Longs
) -> np.uint64:
    """Return those of some keys that lead to listed states with a row; these are asked for."""
    replies = np.uint64(0)
    for key in range(len(board.lines.keys)):
        bit = _BIT << np.uint64(key)
        if among & ~(state.maker | state.breaker) & bit:
            after = State(state.maker, state.breaker | bit, row.copy())
            here = find(board, work.listed, those, after)
            if here >= 0:
                demand(work.listed, here, row[0])
                replies |= bit
    return replies


@njit(nogil=True)
def is_stone_answered(
    board: Board,
    work: Work,
    state: State,
    those: Images,
    stone: Stone,
    elsewhere: np.uint64,
    unlisted: Unlisted,
) -> bool:
    """R7: return whether there are enough answers to a stone."""
    # `elsewhere` are the listed replies to a stone elsewhere; they are those in an open region too.
    # If they are not enough, unlisted ones are tried, on most lines first.
    regions, region, row = board.regions, stone.region, state.row
    among, replies = ~np.uint64(0), elsewhere
    if stone.event >= 0:
        among = board.lines.keys_on[regions.members[region, stone.event]]
    if region < len(regions.members) and row[1 + region] != ANY:
        after = row_after(board, row, stone)
        replies = listed_replies(board, work, state, those, among, after)
    good, left = unlisted
    while not are_enough(board, state, stone, (replies | good[0]) & among):
        known = good[0]
        while good[0] == known:
            key = int(np.argmax(left))
            if left[key] < 0:
                return False
            left[key], bit = -1, _BIT << np.uint64(key)
            if is_wide_won(board, work, those, state.breaker | bit, row[0] + 1):
                good[0] |= bit
    return True


@njit(nogil=True)
def unanswered_stone(board: Board, work: Work, state: State, those: Images) -> int:
    """R4 and R7: return the region of a stone without enough answers, their number or -1."""
    row, count = state.row, len(board.regions.members)
    after = row.copy()
    after[0] += 1
    elsewhere = listed_replies(board, work, state, those, ~np.uint64(0), after)
    if not board.by_lines:
        return -1 if are_enough_by_counts(board, state, elsewhere, work.room) else count
    unlisted = Unlisted(np.zeros(1, np.uint64), live_lines_on(board, state.maker, state.breaker))
    for region in range(count):
        events = undecided_in(board, state, region) & row[1 + count + region]
        for event in range(-1, board.regions.members.shape[1]):
            # A full line bears no more than all stones.
            if event >= 0 and (
                not events >> event & 1
                or board.off[board.regions.members[region, event]] - 2 > row[0]
            ):
                continue
            for new in sets_to_answer(board, state, region, event):
                stone = Stone(region, new, event)
                if not is_stone_answered(board, work, state, those, stone, elsewhere, unlisted):
                    return region
    stone = Stone(count, 0, -1)
    if not is_stone_answered(board, work, state, those, stone, elsewhere, unlisted):
        return count
    return -1


@njit(nogil=True)
def examine(board: Board, work: Work, place: int) -> tuple[int, int]:
    """Check one listed state by the rules; return the broken rule and its key."""
    # For an unanswered stone the key is its region, or the number of regions for stones elsewhere.
    listed = work.listed
    state = State(listed.makers[place], listed.breakers[place], listed.rows[place])
    # 1. It is written in its greatest image.
    plain = State(state.maker, state.breaker, state.row.copy())
    make_normal(board, plain)
    form = form_of(board, plain)
    if form.maker != state.maker or form.breaker != state.breaker or (form.row != state.row).any():
        return IMAGE, 0
    if listed.leaves[place]:
        return (HOLDS if is_won_by_pairs(board, state, work.room) else LEAF), 0
    # 2. Keys and stones are answered.
    for key in range(len(board.lines.keys)):
        free = (state.maker | state.breaker) >> np.uint64(key) & _BIT == 0
        if free and not is_key_answered(board, work, state, key):
            return KEY, key
    region = unanswered_stone(board, work, state, images_of(board.images, state.maker))
    return (HOLDS, 0) if region < 0 else (STONE, region)
