"""What a dictionary decides, worked out again from the words on small boards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game, Position
from hyperoxo.proof import canonical_forms_of
from hyperoxo.proof import coverage as module
from hyperoxo.proof.coverage import Coverage, coverages
from hyperoxo.proof.dictionary import Dictionary
from tests.hyperoxo.proof.dictionaries import WIN, build, completing
from tests.judge import forced
from tests.marks import more


def images_of(game: Game, owners: bytes) -> set[bytes]:
    """A position's images."""
    inverses = canonical_forms_of(game).inverses or (bytes(range(len(owners))),)
    return {bytes(owners[cell] for cell in inverse) for inverse in inverses}


def no_harder(game: Game, dictionary: Dictionary) -> bool:
    """True if nobody's choice differs for the worse, by all that player 1 may do on the way.

    The attacker's choice is no less, or the defender's no more, with any stones of player 1.
    """
    proved = dictionary.game
    cells = range(game.board.cell_count)

    def allowed(one: Game, made: int) -> set[int]:
        return set(cells if made >= one.opening_moves else one.opening or ())

    pairs = [(allowed(game, made), allowed(proved, made)) for made in cells]
    if dictionary.seat == 1:
        return all(here >= there for here, there in pairs)
    return all(here <= there for here, there in pairs)


class Decided:
    """What the three sentences say, forwards: from listed moves by replies and blocks."""

    def __init__(self, dictionary: Dictionary, game: Game) -> None:
        self.seat = dictionary.seat
        proved = dictionary.game.opening_moves
        self.same = no_harder(game, dictionary)
        self.restricted = max(game.opening_moves, proved)
        self.forms = canonical_forms_of(dictionary.game)
        self.form = self.forms.of
        self.moves = dictionary.moves
        after = {self.form(put(form, move, self.seat)) for form, move in self.moves.items()}
        if dictionary.position.to_move != self.seat:
            after.add(self.form(dictionary.position.owners))
        self.after = after
        # Where the opening of the proof matters no more, play goes on as without one.
        plain = Game(str(game).partition(":")[0])
        images = {image for form in after for image in images_of(dictionary.game, form)}
        legal = [image for image in images if image.count(1) >= proved]
        waiting = [Position.from_owners(plain, image) for image in legal]
        self.lost: set[bytes] = set()
        self.won: set[bytes] = set()
        while waiting:
            position = waiting.pop()
            if position.to_move == self.seat or position.owners in self.lost:
                continue
            self.lost.add(position.owners)
            for reply in map(position.play, position.legal_moves):
                if reply.is_over:
                    continue
                self.won.add(reply.owners)
                blocks = completing(reply, 3 - self.seat)
                if len(blocks) == 1 and not completing(reply, self.seat):
                    block = reply.play(*blocks)
                    waiting += [] if block.is_over else [block]

    def free(self, position: Position) -> bool:
        return position.owners.count(1) >= self.restricted

    def says(self, position: Position) -> bool:
        """True if a position is won."""
        free, form = self.free(position), self.form(position.owners)
        if position.to_move != self.seat:
            return position.owners in self.lost if free else self.same and form in self.after
        listed = (free or self.same) and form in self.moves
        return listed or (free and position.owners in self.won)

    def winning_moves(self, position: Position) -> tuple[int, ...]:
        """The moves after which it is won still."""
        if position.to_move != self.seat:
            return ()
        after = {cell: position.play(cell) for cell in position.legal_moves}
        return tuple(cell for cell, one in after.items() if not one.is_over and self.says(one))

    def listed_move(self, position: Position, winning: tuple[int, ...]) -> int | None:
        """The one of them that the dictionary lists."""
        form, cells = self.forms.locate(position.owners)
        cell = cells[self.moves[form]] if form in self.moves else -1
        return cell if cell in winning else None


def put(owners: bytes, cell: int, owner: int) -> bytes:
    return owners[:cell] + bytes([owner]) + owners[cell + 1 :]


# Boards, moves and attackers, such that some blocks are decided too.
WON = (
    ("7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}", "", 1),
    ("6{0+1+4/0+2+3/0+3+4/0+3+5/2+3+5/2+4/3+4+5}", "", 1),
    ("9{0+1+2/0+1+3+6/0+1+6/0+3+6/0+4+8/1+2+5/1+4+8/1+6+7/2+3+6/2+5+6/3+6+8/4+5+7}", "", 1),
    ("9{0+1+2/0+2+6/0+3+8/0+6+8/1+2+8/1+3+5/1+4+5/2+4+8}", "", 1),
    ("7{0+1/0+1+3/0+2+3/0+2+6/0+3+4/1+2+3/1+3+6/2+3+4}:opening=0+3", "", 1),
    ("8{0+1+3/0+1+6/0+3+5/0+4+7/0+6+7/1+2+5/1+4+7/2+3+4/2+4+7/6+7}", "5", 2),
    ("7{0+5+6/1+4+6/2+3+6/2+4/2+4+5/3+4+6/4+5+6}:opening=3", "", 2),
    ("7{0+4/0+5+6/1+2+3+4/1+3+4+5/1+4+5/3+4+5/3+4+6}:opening=4+6", "6", 2),
)


def positions(game: Game, chosen: set[bytes]) -> Iterator[Position]:
    """Some positions of a game on the way of random moves, and those chosen that it has."""
    for owners in chosen:
        with suppress(NotationError):
            yield Position.from_owners(game, owners)
    rng = random.Random(0)
    for _ in range(12):
        position = game.start()
        while not position.is_over:
            yield position
            position = position.play(rng.choice(position.legal_moves))


def openings(game: Game) -> str:
    """The cells of an opening, of a free one all."""
    return "+".join(map(str, sorted(game.opening or range(game.board.cell_count))))


@pytest.mark.parametrize(
    ("spec", "moves", "seat"),
    more(
        WON,
        [
            ("7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}", "", 1),
            ("9{0+1+2/0+1+3+6/0+1+6/0+3+6/0+4+8/1+2+5/1+4+8/1+6+7/2+3+6/2+5+6/3+6+8/4+5+7}", "", 1),
            ("9{0+1+2/0+2+6/0+3+8/0+6+8/1+2+8/1+3+5/1+4+5/2+4+8}", "", 1),
        ],
    ),
)
def test_exactly_what_the_words_say(spec: str, moves: str, seat: int) -> None:
    begins = Game(spec).position(f"moves:{moves}")
    board = spec.partition(":")[0]
    for dictionary in (build(begins, seat), build(begins, seat, random.Random(0))):
        found = Coverage(dictionary)
        others = ("0x2", *(f"{openings(begins.game)}x{moves}" for moves in (1, 2, 3)))
        games = (Game(board), *(Game(f"{board}:opening={one}") for one in others))
        for game in (begins.game, *games):
            expected = Decided(dictionary, game)
            for position in positions(game, expected.lost | expected.won):
                said = found.wins(position)
                assert said == expected.says(position), (dictionary, position)
                assert not said or forced(position, seat) == WIN
                winning = expected.winning_moves(position)
                assert found.winning_moves(position) == winning
                assert found.listed_move(position) == expected.listed_move(position, winning)


def test_a_move_that_completes_a_line_is_not_listed() -> None:
    """A line is completed before anything is looked up, and then nobody is to move."""
    position = Game("5{0+1/0+2}").position("moves:0,3")
    found = Coverage(Dictionary(position.game, 1, position, {position.owners: 1}))
    assert found.wins(position)
    assert found.winning_moves(position) == ()
    assert found.listed_move(position) is None
    assert not found.wins(position.play(1))


def test_two_threats_are_not_blocked() -> None:
    """Not that a proof would list such a move."""
    start = Game("7{0+1/0+2/3+4+5}").start()
    found = Coverage(Dictionary(start.game, 1, None, {bytes(7): 3}))
    assert found.wins(start.play(3))
    assert not found.wins(start.play(3).play(0).play(1))


@pytest.mark.parametrize(
    "spec", ["6{0+1/0+2}:misere", "6{0+1/0+2}:blocked=5", "6{0+1/0+3}", "7{0+1/0+2}"]
)
def test_other_rules_and_boards_are_not_decided(spec: str) -> None:
    """The first player takes cell 0, of both lines, wherever the lines are these."""
    found = Coverage(Dictionary(Game("6{0+1/0+2}"), 1, None, {bytes(6): 0}))
    own, other = Game("6{0+1/0+2}").start(), Game(spec).start()
    assert found.wins(own)
    assert found.wins(own.play(0))
    assert found.winning_moves(own) == (0,)
    assert not found.wins(other)
    assert not found.wins(other.play(0))
    assert found.winning_moves(other) == ()


def test_what_is_stored_for_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs of games with other openings, unless it restricts several moves and more."""
    specs = ["6{0+1/0+2}", *(f"6{{0+1/0+2}}:opening={one}" for one in ("0", "0+1", "0x2"))]
    monkeypatch.setattr(module, "STORED", dict.fromkeys((*specs, "6{0+1/0+3}"), "a file"))
    monkeypatch.setattr(
        module, "stored_dictionary", lambda game: Dictionary(game, 1, None, {bytes(6): 0})
    )
    for spec, expected in (
        (specs[0], specs[:3]),
        (specs[1], [specs[1], specs[0], specs[2]]),
        (specs[3], [specs[3], *specs[:3]]),
        (f"{specs[0]}:opening=0x3", specs),
        ("6{0+1/0+3}", ["6{0+1/0+3}"]),
        ("6{0+1/0+2}:misere", []),
        ("6{0+1/0+4}", []),
    ):
        assert [one.dictionary.game for one in coverages(Game(spec))] == [*map(Game, expected)]


@pytest.mark.more
def test_many_blocks_are_followed_back_through_few_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[bytes] = []
    form_of, stored = Coverage._form, coverages(Game("4^3"))[0]

    def form(coverage: Coverage, owners: bytes) -> bytes:
        looked_at.append(owners)
        return form_of(coverage, owners)

    monkeypatch.setattr(Coverage, "_form", form)
    played = "25,40,37,45,42,15,38,12,60,8,22,13,14,61,29,4,0,24,56,36,48,52,20,32,44,3"
    position = Game("4^3").position(f"moves:{played}")
    assert not stored.wins(position)
    assert len(looked_at) == len(set(looked_at)) == 1050
