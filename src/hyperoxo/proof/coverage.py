"""Positions that a proved dictionary decides, independent of the order of moves.

The attacker wins, by whatever moves the position was reached,

- where the defender is to move after a listed move;
- where the attacker is to move after any reply of the defender in such a position;
- and after the attacker's block of a threat, where nothing else was possible and the block wins.
  Blocks are followed back through a thousand positions at most.

Nothing is searched: the stones that were laid last are taken off again.
"""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.game import FREE, Game, Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.proof.envelope import with_stone
from hyperoxo.proof.images import locate
from hyperoxo.proof.stored import STORED, stored_dictionary, stored_endgames
from hyperoxo.proof.tables import THREATS

_MOST_SEEN = 1_000
_DIGITS = {player: bytes(48 + (owner == player) for owner in range(256)) for player in (1, 2)}


class Coverage:
    """The positions that a dictionary decides."""

    dictionary: Dictionary | EndgameStrategy
    """The listed moves."""

    def __init__(self, dictionary: Dictionary) -> None:
        self.dictionary = dictionary
        self.attacker = dictionary.seat
        self._game = dictionary.game
        board = self._game.board
        self._lines = [
            sum(1 << cell for cell in board.line(n).tolist()) for n in range(board.line_count)
        ]
        # Forms of the positions after a listed move: the defender, to move, has lost there.
        after = {
            self._form(with_stone(form, move, self.attacker))
            for form, move in dictionary.moves.items()
        }
        # A defender who begins has lost from the beginning.
        begin = dictionary.position
        if begin.to_move != self.attacker:
            after.add(self._form(begin.owners))
        self._after = frozenset(after)

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """Return the attacker's moves that win by the proof, ascending."""
        if not self._applies(position) or position.to_move != self.attacker:
            return ()
        after = {cell: position.play(cell) for cell in position.legal_moves}
        seen: dict[bytes, bool] = {}
        return tuple(
            cell
            for cell, position in after.items()
            if not position.is_over and self._lost_after(position, seen)
        )

    def listed_move(self, position: Position) -> int | None:
        """Return the listed winning move, or None."""
        form, cells = locate(self._game, position.owners)
        move = self.dictionary.moves.get(form)
        listed = None if move is None else int(cells[move])
        return listed if listed in self.winning_moves(position) else None

    def wins(self, position: Position) -> bool:
        """Return whether the proof shows a win of the attacker, with either player to move."""
        if not self._applies(position):
            return False
        seen: dict[bytes, bool] = {}
        if position.to_move != self.attacker:
            return self._lost_after(position, seen)
        owners, over = position.owners, self._over(position.owners, position.game)
        listed = over or self._is_valid_in(position.game)
        return (listed and self._form(owners) in self.dictionary.moves) or (
            over and self._follows(owners, -1, seen)
        )

    def _applies(self, position: Position) -> bool:
        return not position.is_over and _alike(position.game, self._game)

    def _lost_after(self, position: Position, seen: dict[bytes, bool]) -> bool:
        """True if the defender, to move, has lost."""
        owners = position.owners
        if self._over(owners, position.game):
            return self._lost(owners, seen)
        return self._is_valid_in(position.game) and self._form(owners) in self._after

    def _is_valid_in(self, game: Game) -> bool:
        """True if all that is proved holds in a game that differs in the opening at most."""
        # There the attacker may play all that the proof plays, and the defender nothing else than
        # in the game of the proof: it is player 1 whom an opening restricts.
        # A restriction of player 1 handicaps the attacker in seat 1 and the defender in seat 2: in
        # the first case this game may restrict no more than the proof's, in the second no less.
        here, there = (
            (self._game.opening, self._game.opening_moves),
            (game.opening, game.opening_moves),
        )
        less, more = (here, there) if self.attacker == 2 else (there, here)
        return less[1] == 0 or (less[0] == more[0] and less[1] <= more[1])

    def _over(self, owners: bytes, game: Game) -> bool:
        """True if no opening restricts any move from here, in the proof or in the game."""
        return owners.count(1) >= max(game.opening_moves, self._game.opening_moves)

    def _lost(self, owners: bytes, seen: dict[bytes, bool]) -> bool:
        """True if the defender has lost; for one question `seen` holds the answers so far."""
        # The same blocks may have been made in many orders, and of many blocks not all are
        # followed.
        if owners not in seen:
            known = self._form(owners) in self._after
            seen[owners] = known or (len(seen) < _MOST_SEEN and self._blocked(owners, seen))
        return seen[owners]

    def _blocked(self, owners: bytes, seen: dict[bytes, bool]) -> bool:
        """True if the attacker came here by a forced block from a won position."""
        # In a won position without an own completion, every move but the block of the only threat
        # loses at once; hence the block wins. The last reply made that threat, so it is one of the
        # defender's stones on the blocked line.
        mine, theirs = _stones(owners, self.attacker), _stones(owners, 3 - self.attacker)
        for line in self._lines:
            block = line & mine
            if line & theirs == line ^ block and block.bit_count() == 1:
                before = with_stone(owners, block.bit_length() - 1, FREE)
                if (
                    not self._threats(mine ^ block, theirs)
                    and self._threats(theirs, mine ^ block) == block
                    and self._follows(before, line, seen)
                ):
                    return True
        return False

    def _threats(self, own: int, other: int) -> int:
        """Free cells that complete a line of `own`."""
        found = 0
        for line in self._lines:
            left = line & ~own
            if left.bit_count() == 1 and not left & other:
                found |= left
        return found

    def _follows(self, owners: bytes, among: int, seen: dict[bytes, bool]) -> bool:
        """True if a reply in a cell of the bit mask `among` led here from a lost position."""
        for cell, owner in enumerate(owners):
            if owner == 3 - self.attacker and among >> cell & 1:
                before = with_stone(owners, cell, FREE)
                if self._over(before, self._game) and self._lost(before, seen):
                    return True
        return False

    def _form(self, owners: bytes) -> bytes:
        return locate(self._game, owners)[0]


class EndgameCoverage(Coverage):
    """The positions above the endgames that a strategy decides: those that its listed moves meet.

    Under gravity a stone that others rest on was not the last one. Without it the position is not
    one of the game, and is not listed.
    """

    def __init__(self, strategy: EndgameStrategy) -> None:
        self.dictionary = strategy
        self.attacker = strategy.seat
        self._game = strategy.game

    def wins(self, position: Position) -> bool:
        """See `Coverage.wins`."""
        if not self._applies(position):
            return False
        owners = position.owners
        if position.to_move != self.attacker:
            return self._lost(owners, {})
        return self._form(owners) in self.dictionary.moves or self._follows(owners, -1, {})

    def _applies(self, position: Position) -> bool:
        return not position.is_over and position.game == self._game

    def _lost_after(self, position: Position, seen: dict[bytes, bool]) -> bool:
        return self._lost(position.owners, seen)

    def _over(self, owners: bytes, game: Game) -> bool:
        return True

    def _lost(self, owners: bytes, seen: dict[bytes, bool]) -> bool:
        """True if the attacker came here by a listed move."""
        for cell, owner in enumerate(owners):
            if owner == self.attacker:
                form, cells = locate(self._game, with_stone(owners, cell, FREE))
                move = self.dictionary.moves.get(form)
                if move is not None and cells[move] == cell:
                    return True
        return False


@lru_cache(maxsize=64)
def coverages(game: Game) -> tuple[Coverage, ...]:
    """Return the coverages of stored proofs for a game, other openings included."""
    telling = [spec for spec in STORED if _is_relevant(Game(spec), game)]
    return tuple(map(_stored, sorted(telling, key=lambda spec: Game(spec) != game)))


@lru_cache(maxsize=8)
def _stored(spec: str) -> Coverage:
    strategy = stored_endgames(Game(spec))
    if strategy is not None:
        return EndgameCoverage(strategy)
    dictionary = stored_dictionary(Game(spec))
    assert dictionary is not None
    return Coverage(dictionary)


def _is_relevant(proved: Game, game: Game) -> bool:
    """True if a proof is worth reading for a game: few positions follow a longer opening."""
    most = max(1, game.opening_moves)
    return proved == game or (proved.opening_moves <= most and _alike(proved, game))


def _alike(one: Game, other: Game) -> bool:
    """True if two games differ in the opening at most."""
    return (
        THREATS.accepts(one)
        and THREATS.accepts(other)
        and (one.board, one.blocked) == (other.board, other.blocked)
    )


def _stones(owners: bytes, player: int) -> int:
    """Return the stones of a player, bit c for cell c."""
    return int(owners[::-1].translate(_DIGITS[player]), 2)
