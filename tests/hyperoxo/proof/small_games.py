"""Games so small that trying everything tells the truth, and claims about them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.images import locate
from tests.hyperoxo.proof.dictionaries import WIN, build
from tests.judge import forced
from tests.strategies import play_at_random


def small_game(
    rng: random.Random, *, cells: tuple[int, int] = (4, 6), opening: bool = True
) -> Game:
    """A few cells and any lines; with `opening`, several first moves are restricted."""
    size = rng.randint(*cells)
    lines = {
        tuple(sorted(rng.sample(range(size), rng.choice((2, 2, 3, 3, 3, 4)))))
        for _ in range(rng.randint(2, 7))
    }
    rows = "/".join("+".join(map(str, line)) for line in sorted(lines))
    if not opening:
        return Game(f"{size}{{{rows}}}")
    chosen = "+".join(map(str, sorted(rng.sample(range(size), rng.randint(1, size - 1)))))
    return Game(f"{size}{{{rows}}}:opening={chosen}x{rng.randint(2, 4)}")


def some_position(game: Game, rng: random.Random, most: int = 3) -> Position:
    """A position reached by a few random moves."""
    return play_at_random(game.start(), rng.randrange(2**32), rng.randint(0, most))


def won_dictionaries(game: Game, rng: random.Random) -> Iterator[Dictionary]:
    """True dictionaries of a game, such as list little and such as list much."""
    for begins in (game.start(), some_position(game, rng)):
        for seat in (1, 2):
            if forced(begins, seat) == WIN:
                yield build(begins, seat)
                yield build(begins, seat, rng)


def tempting(game: Game, rng: random.Random, seat: int) -> Dictionary:
    """A dictionary with good moves for most positions, whether or not anything is won."""
    begins = some_position(game, rng)
    moves: dict[bytes, int] = {}
    waiting = [begins]
    while waiting:
        position = waiting.pop()
        if position.is_over:
            continue
        waiting += [position.play(cell) for cell in position.legal_moves]
        if position.to_move == seat and rng.random() < 0.9:
            form, cells = locate(game, position.owners)
            best = max(position.legal_moves, key=lambda cell: forced(position.play(cell), seat))
            moves.setdefault(form, int((cells == best).argmax()))
    return Dictionary(game, seat, begins, moves)
