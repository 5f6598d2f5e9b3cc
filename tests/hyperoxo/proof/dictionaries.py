"""Dictionaries made by plain search, and what they do, by the reference rules alone."""

from __future__ import annotations

import random
from functools import cache

from hyperoxo.game import Game, Position
from hyperoxo.proof import canonical_forms_of
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.forced import search_of
from tests.judge import forced
from tests.proof_boards import spread
from tests.strategies import play_at_random

WIN, DRAW, LOSS = 1, 0, -1

# Boards on which some positions are won by quiet moves.
BOARDS = (
    "4,3,3",
    "4,3,3:opening=poor",
    "9{0+1+8/0+2+3+6/0+6+7/1+2+8/1+4+6/1+5+8/2+4+7+8/2+6+8/3+4+5/3+5+7/6+7+8}",
    "9{0+3+4+7/0+4+8/0+5+8/1+2+3/1+2+4/1+3+4/1+3+7/2+3+7/2+4+5+8/2+5+7/3+6+7/5+6+7}",
    "9{0+2+6/0+4+6/1+3+6/1+5+7+8/1+6+7/2+3+6+7/2+5+7/3+5+8/4+5+8/4+6+8}:opening=0+1x2",
)
WIDE = str(spread(Game(BOARDS[2]), 300, random.Random(0)))
"""One of them on nine of 300 cells, where positions have no other form."""


def completing(position: Position, player: int) -> set[int]:
    """Cells in which a player completes a line."""
    owners, board = position.owners, position.game.board
    found = set()
    for number in range(board.line_count):
        cells = [int(cell) for cell in board.line(number)]
        free = [cell for cell in cells if not owners[cell]]
        if len(free) == 1 and all(owners[cell] == player for cell in cells if cell != free[0]):
            found.add(free[0])
    return found


def threats(position: Position, player: int) -> dict[int, set[int]]:
    """Moves that let a player complete a line next, and the cells where they then could."""
    owners, board = position.owners, position.game.board
    found: dict[int, set[int]] = {}
    for number in range(board.line_count):
        cells = [int(cell) for cell in board.line(number)]
        free = [cell for cell in cells if not owners[cell]]
        if len(free) == 2 and all(owners[cell] == player for cell in cells if cell not in free):
            for move, answer in (free, free[::-1]):
                found.setdefault(move, set()).add(answer)
    return found


def has_forced_win(position: Position) -> bool:
    """True if the player to move wins by threats, as the definition says."""
    player = position.to_move
    if completing(position, player):
        return True
    theirs = completing(position, 3 - player)
    if len(theirs) > 1:
        return False
    for move, answers in threats(position, player).items():
        if theirs and move not in theirs:
            continue
        if len(answers) > 1:
            return True
        (answer,) = answers
        if has_forced_win(position.play(move).play(answer)):
            return True
    return False


def build(begins: Position, seat: int, rng: random.Random | None = None) -> Dictionary:
    """Write down a winning strategy from a position that is won for the seat.

    With `rng` any winning moves are listed, also where threats alone would win, so that there are
    many entries and blocks.
    """
    assert forced(begins, seat) == WIN
    entries: list[tuple[bytes, int]] = []
    seen: set[bytes] = set()
    waiting = [begins]
    while waiting:
        position = waiting.pop()
        if position.owners in seen or position.is_over:
            continue
        seen.add(position.owners)
        if position.to_move != seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
            continue
        if completing(position, seat) & {*position.legal_moves}:
            continue
        threats = _carried_out_next(position, 3 - seat)
        if threats:
            move = next(iter(threats))
        elif rng is None and _opening_is_over(position) and has_forced_win(position):
            continue
        else:
            moves = list(position.legal_moves)
            if rng is not None:
                rng.shuffle(moves)
            move = next(cell for cell in moves if forced(position.play(cell), seat) == WIN)
            entries.append((position.owners, move))
        waiting.append(position.play(move))
    return dictionary_of(begins.game, seat, begins, entries)


def _carried_out_next(position: Position, player: int) -> set[int]:
    """Cells in which a player who moves next completes a line, as far as the opening lets them."""
    game, owners = position.game, position.owners
    found = completing(position, player)
    if player == 1 and not _opening_is_over(position):
        left = {cell for cell in game.opening or () if not owners[cell]}
        return found & left if left else found
    return found


def _opening_is_over(position: Position) -> bool:
    game = position.game
    return game.opening is None or position.owners.count(1) >= game.opening_moves


def wins_always(dictionary: Dictionary) -> bool:
    """True if playing by `dictionary_move` wins against every defence."""
    shared = search_of(dictionary.game)
    waiting, seen = [dictionary.position], set()
    while waiting:
        position = waiting.pop()
        if position.owners in seen:
            continue
        seen.add(position.owners)
        if position.outcome is not None:
            if position.outcome.winner != dictionary.seat:
                return False
        elif position.to_move == dictionary.seat:
            move = dictionary_move(dictionary, position, search_in=shared)
            if move is None or move not in position.legal_moves:
                return False
            waiting.append(position.play(move))
        else:
            waiting += [position.play(cell) for cell in position.legal_moves]
    return True


def won_by(position: Position, sequence: tuple[int, ...]) -> bool:
    """Play a forced sequence by the reference rules; the defender answers wherever they must."""
    attacker = position.to_move
    for at, move in enumerate(sequence):
        if move not in position.legal_moves:
            return False
        mine, theirs = completing(position, attacker), completing(position, 3 - attacker)
        if move in mine:
            return at == len(sequence) - 1
        if theirs - {move}:
            return False
        position = position.play(move)
        answers = completing(position, attacker)
        if len(answers) != 1:
            return len(answers) > 1 and at == len(sequence) - 1
        position = position.play(*answers)
    return False


def holds(proof: Dictionary) -> bool:
    """True if a proof with stored leaves wins against every reply, by the reference rules."""
    leaves = proof.leaves
    assert leaves is not None
    forms, seat = canonical_forms_of(proof.game), proof.seat
    start = proof.position
    waiting = [(start, leaves.get(b"", ()))]
    seen: set[bytes] = set()
    while waiting:
        position, sequences = waiting.pop()
        if position.outcome is not None:
            if position.outcome.winner != seat:
                return False
            continue
        if position.to_move != seat:
            waiting += [(position.play(cell), sequences) for cell in position.legal_moves]
            continue
        if completing(position, seat) & {*position.legal_moves}:
            continue
        form, cells = forms.locate(position.owners)
        theirs = _carried_out_next(position, 3 - seat)
        free = len(position.legal_moves) == position.owners.count(0)
        move = -1
        if not theirs and form in proof.moves:
            move = cells[proof.moves[form]]
        elif free and any(won_by(position, sequence) for sequence in sequences):
            continue
        elif len(theirs) == 1 and form in proof.blocks:
            move = cells[proof.blocks[form]]
            if move not in theirs:
                return False
        if move not in position.legal_moves:
            return False
        if form not in seen:
            seen.add(form)
            moved = tuple(tuple(cells[cell] for cell in found) for found in leaves[form])
            waiting.append((position.play(move), moved))
    return True


@cache
def won_positions(spec: str) -> tuple[tuple[Position, int], ...]:
    """Positions of a game, and who wins them, that need a listed move."""
    game = Game(spec)
    rng = random.Random(spec)
    found: list[tuple[Position, int]] = []
    for _ in range(300):
        position = play_at_random(game.start(), rng.randrange(2**32), rng.randint(0, 6))
        if not position.is_over:
            found += [(position, seat) for seat in (1, 2) if forced(position, seat) == WIN]
    found.sort(key=lambda pair: -len(build(*pair).moves))
    return tuple(found[:40])


@cache
def dictionaries(spec: str) -> tuple[Dictionary, ...]:
    """True dictionaries of a game: such as list little, and such as list much."""
    rng = random.Random(spec)
    won = won_positions(spec)
    little = [build(position, seat) for position, seat in won[:8]]
    much = [build(position, seat, rng) for position, seat in won[:40]]
    much.sort(key=lambda one: -len(one.moves))
    return (*little, *much[:12])
