"""Boards and states for plans by lines: rules as they read, and as the loops take them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple, TypeVar

import numpy as np

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.proof.keyplan import states
from hyperoxo_research.proof.keyplan.board import Board, Flags, Tables
from hyperoxo_research.proof.keyplan.states import Listed
from tests.hyperoxo_research.proof.keyplan.count_rules import RICH, Rules, bits, spec_of
from tests.hyperoxo_research.proof.keyplan.line_rules import (
    WITH_INNER_STATES,
    LineRules,
    State,
    changed,
    crossing_line_rules,
    drawn_blocks,
    drawn_state,
    long_line_rules,
)

AnyRules = TypeVar("AnyRules", bound=Rules)
Form = tuple[int, ...]
"""Keys of both players and the row, as plans are ordered."""


class Case(NamedTuple):
    """Rules with their lines in the order of the board's, and a state of theirs."""

    rules: LineRules
    tables: Tables
    state: State

    @property
    def board(self) -> Board:
        return self.tables.by_lines

    @property
    def at(self) -> states.State:
        """The state as the loops take it."""
        return self.at_state(self.state)

    def at_state(self, state: State) -> states.State:
        """A state of the same board as the loops take it."""
        return at_state(self.rules, state)

    def flags(self, chosen: int) -> Flags:
        """A set of lines as the loops take it."""
        return np.array([chosen >> at & 1 for at in range(len(self.rules.lines))], np.bool_)

    def bits_of(self, region: int, chosen: int) -> int:
        """The lines of a region in a set, by their bits."""
        rows = self.rules.numbers(self.rules.inside[region])
        return sum(1 << bit for bit, at in enumerate(rows) if chosen >> at & 1)

    def lines_of(self, region: int, some: int) -> int:
        """Lines of a region by their bits as a set."""
        rows = self.rules.numbers(self.rules.inside[region])
        return sum(1 << at for bit, at in enumerate(rows) if some >> bit & 1)

    @property
    def alive(self) -> Flags:
        """The cells on live rich lines."""
        lines = self.rules.of(RICH, self.state.breaker)
        cells = self.rules.union[lines]
        return np.array([cells >> at & 1 for at in range(self.rules.cells)], np.bool_)

    @property
    def live(self) -> int:
        """All lines without a key that Breaker holds."""
        return sum(self.rules.of(kind, self.state.breaker) for kind in range(3))

    def free(self, *, keys: bool = True) -> int:
        """The cells without a stone on a key, or those off the keys."""
        taken = self.state.maker | self.state.breaker
        return (self.rules.keys | self.rules.others) & ~taken if keys else self.rules.others


def at_state(rules: LineRules, state: State) -> states.State:
    """A state as the loops take it."""
    warm = [
        sum(1 << bit for bit, at in enumerate(rules.numbers(own)) if state.warm >> at & 1)
        for own in rules.inside
    ]
    row = np.array([state.p, *state.z, *warm], np.int64)
    return states.State(np.uint64(state.maker), np.uint64(state.breaker), row)


def state_of(rules: LineRules, form: Form) -> State:
    """A form as the rules have it."""
    maker, breaker, p, *rest = form
    count, warm = len(rules.regions), 0
    for own, some in zip(rules.inside, rest[count:], strict=True):
        warm |= sum(1 << at for bit, at in enumerate(rules.numbers(own)) if some >> bit & 1)
    return State(maker, breaker, p, tuple(rest[:count]), warm)


def form_of(rules: LineRules, board: Board, state: State) -> Form:
    """The greatest image of a state in normal form, as plans are ordered."""
    form = states.form_of(board, at_state(rules, rules.normal(state)))
    return int(form.maker), int(form.breaker), *form.row.tolist()


def listed_rows(order: Sequence[Form]) -> Listed:
    """Forms as a list, none of them a leaf."""
    return Listed(
        np.array([one[0] for one in order], np.uint64),
        np.array([one[1] for one in order], np.uint64),
        np.array([one[2:] for one in order], np.int64),
        np.zeros(len(order), np.bool_),
        np.full(len(order), -1, np.int64),
    )


def some_state(rules: LineRules, rng: random.Random) -> State:
    """Return a random state in normal form, whether or not stones can lie so."""
    maker = breaker = 0
    for key in bits(rules.keys):
        drawn = rng.random()
        maker |= key if drawn < 0.35 else 0
        breaker |= key if drawn > 0.8 else 0
    z = tuple(rng.choice((0, 1, 2, 3, 3)) for _ in rules.regions)
    warm = rng.randrange(1 << len(rules.lines)) & rules.rich
    state = rules.normal(State(maker, breaker, sum(z) + rng.randint(0, 2), z, warm))
    for region in range(len(rules.regions)):
        state = rules.opened(state, region) if rng.random() < 0.15 else state
    return rules.wide(state) if rng.random() < 0.1 else state


def tabled(drawn: AnyRules) -> tuple[AnyRules, Tables]:
    """The same lines in the order of the board's, and their tables."""
    tables = Tables(Game(spec_of(drawn)).start(), 1, tuple(range(drawn.width)))
    rows = tuple(sum(1 << cell for cell in row) for row in tables.rows)
    return type(drawn)(rows, drawn.width, drawn.cells, drawn.broken), tables


def with_blocks(tables: Tables, rules: LineRules) -> Tables:
    """The same tables with the blocks of the rules."""
    blocks = [rules.numbers(block) for block in rules.blocks]
    return Tables(tables.position, 1, tables.keys, blocks)


def reordered(
    lines: tuple[int, ...], width: int, cells: int, state: State, rng: random.Random
) -> Case:
    """Return a state on the same lines with keys, other cells and lines in another order."""
    to = [*rng.sample(range(width), width), *rng.sample(range(width, cells), cells - width)]

    def moved(some: int) -> int:
        return sum(1 << to[cell] for cell in range(cells) if some >> cell & 1)

    old = LineRules(lines, width, cells)
    rules, tables = tabled(LineRules(tuple(map(moved, lines)), width, cells))
    warm = sum(
        1 << rules.lines.index(moved(line)) for at, line in enumerate(lines) if state.warm >> at & 1
    )
    where = {moved(own): z for own, z in zip(old.regions, state.z, strict=True)}
    z = tuple(where[own] for own in rules.regions)
    there = State(moved(state.maker), moved(state.breaker), state.p, z, warm)
    return Case(rules, tables, there)


@cache
def cases(seed: int, boards: int, each: int = 4) -> tuple[Case, ...]:
    """States of random boards, of those with inner states among them."""
    rng = random.Random(seed)
    found = []
    for number in range(boards):
        if number % 3 == 0:
            drawn = changed(LineRules(*rng.choice(WITH_INNER_STATES)), rng)
        else:
            drawn = (crossing_line_rules, long_line_rules)[number % 3 - 1](rng)
        rules, tables = tabled(drawn)
        if number % 2:
            told = drawn_blocks(rules, rng)
            made = with_blocks(tables, told)
            # Symmetries must keep them.
            with suppress(CheckFailedError):
                tables, rules = (made, told) if len(made.by_lines.images) else (tables, rules)
        for number_of_state in range(each):
            state = drawn_state(rules, rng) if number_of_state % 2 else None
            found.append(Case(rules, tables, state or some_state(rules, rng)))
    return tuple(found)


def largest_with(rules: LineRules, among: int, free: int, fixed: int) -> tuple[int, int]:
    """The fewest spare cells of lines with some of them, and all connected sets with as few."""
    sets = [some for some in rules.subsets(among) if some & fixed == fixed]
    least = min(rules.surplus(some, free) for some in sets)
    whole = 0
    for some in sets:
        if rules.surplus(some, free) == least and rules.connected(some, free):
            whole |= some
    return least, whole


def bears(rules: LineRules, state: State, among: int, decided: int, free: int, fixed: int) -> bool:
    """True if each connected set with some lines is part of one that bears all stones."""
    least, whole = largest_with(rules, among, free, fixed)
    if least >= state.p:
        return True
    if whole not in rules.blocks and rules.bound(state, whole, decided) > least:
        return False
    return all(
        bears(rules, state, among, decided, free, fixed | 1 << line)
        for line in rules.numbers(among & ~whole)
        if rules.lines[line] & rules.union[whole] & free
    )


def crossing_in(rules: LineRules, among: int) -> list[tuple[int, int]]:
    """The pairs that cross, of some lines."""
    return [(one, two) for one, two in rules.crossings if among >> one & among >> two & 1]


def decided_bear(rules: LineRules, earlier: State, later: State) -> bool:
    """True if each connected set of lines decided then bears all stones; some were so earlier."""
    before, now = (rules.decided(one.maker, one.breaker) for one in (earlier, later))
    then = before & now
    if now == then:
        return True
    return all(rules.spare[some] >= 0 for some in rules.subsets(now)) and all(
        bears(rules, later, now, then, rules.others, 1 << poor | 1 << rich)
        for poor, rich in crossing_in(rules, now)
    )


def settled(rules: LineRules, state: State) -> bool:
    """True if pairs settle a state, wherever its stones are."""
    key = state.maker, state.breaker, state.p
    if key not in (known := _SETTLED.setdefault(rules, {})):
        wide = rules.wide(state)
        free = (rules.keys | rules.others) & ~(state.maker | state.breaker)
        live = rules.of(0, state.breaker) | rules.of(1, state.breaker) | rules.of(2, state.breaker)
        given = live, rules.decided(state.maker, state.breaker)
        known[key] = all(rules.surplus(some, free) >= 0 for some in rules.subsets(live)) and all(
            bears(rules, wide, *given, free, 1 << poor | 1 << rich)
            for poor, rich in crossing_in(rules, live)
        )
    return known[key]


_SETTLED: dict[LineRules, dict[tuple[int, int, int], bool]] = {}
