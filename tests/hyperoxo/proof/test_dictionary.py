from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof import dictionary_check
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.dictionary import Dictionary, _after, collect, dictionary_of
from hyperoxo.proof.dictionary_check import check_dictionary, check_proof, pack
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.dictionary_walk import opening_cells
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.images import locate
from tests.expect import require
from tests.hyperoxo.proof.dictionaries import BOARDS, WIN, completing, dictionaries, wins_always
from tests.judge import forced
from tests.marks import more
from tests.strategies import play_at_random


@pytest.mark.parametrize("spec", more(BOARDS, but=BOARDS[4:]))
def test_true_dictionaries_are_proved(spec: str) -> None:
    listed = 0
    for dictionary in dictionaries(spec):
        found = check_dictionary(dictionary)
        assert found.proved, found
        # Where positions are merged, a listed one may be reached by another's moves alone.
        assert found.strategic + found.unused == len(dictionary.moves)
        assert found.quiet <= found.strategic <= found.positions
        if not found.unused:
            marked = [
                Position.from_owners(
                    dictionary.game, form[:move] + bytes([dictionary.seat]) + form[move + 1 :]
                )
                for form, move in dictionary.moves.items()
            ]
            quiet = [one for one in marked if not completing(one, dictionary.seat)]
            assert found.quiet == len(quiet)
        assert wins_always(dictionary)
        listed += found.strategic
    assert listed


def mutate(dictionary: Dictionary, rng: random.Random) -> Dictionary:
    moves = dict(dictionary.moves)
    keys = sorted(moves)
    kind = rng.choice(["move", "drop", "add", "seat", "begins", "move"])
    if kind == "move" and keys:
        moves[rng.choice(keys)] = rng.randrange(-1, dictionary.game.board.cell_count + 1)
    elif kind == "drop" and keys:
        del moves[rng.choice(keys)]
    elif kind == "add":
        position = play_at_random(dictionary.position, rng.randrange(2**32), rng.randint(0, 4))
        moves.setdefault(locate(dictionary.game, position.owners)[0], rng.randrange(8))
    elif kind == "seat":
        return replace(dictionary, seat=3 - dictionary.seat)
    elif kind == "begins":
        start = dictionary.game.start()
        return replace(
            dictionary, begins=play_at_random(start, rng.randrange(2**32), rng.randint(0, 6))
        )
    return replace(dictionary, moves=moves)


@pytest.mark.parametrize("spec", more(BOARDS, but=BOARDS[4:]))
def test_what_is_proved_is_true(spec: str) -> None:
    """Spoilt dictionaries: exactly those are proved whose play wins everywhere."""
    rng = random.Random(spec)
    proved = refused = 0
    for _ in range(120):
        dictionary = rng.choice(dictionaries(spec))
        for _ in range(rng.randint(1, 2)):
            dictionary = mutate(dictionary, rng)
        found = check_dictionary(dictionary)
        if found.proved:
            proved += 1
            assert forced(dictionary.position, dictionary.seat) == WIN
            if not found.unused:
                assert wins_always(dictionary)
        else:
            refused += 1
            assert found.failed
            assert found.failures
            assert found.reason
            if found.failed == found.missing and not found.unused:
                assert not wins_always(dictionary)
    assert proved
    assert refused


@pytest.mark.more
@given(st.sampled_from(BOARDS), st.integers(0, 2**32), st.integers(0, 6))
def test_no_dictionary_proves_what_is_false(spec: str, seed: int, plies: int) -> None:
    rng = random.Random(seed)
    game = Game(spec)
    begins = play_at_random(game.start(), seed, plies)
    moves: dict[bytes, int] = {}
    for _ in range(30):
        position = play_at_random(begins, rng.randrange(2**32), rng.randint(0, 5))
        if not position.is_over:
            form, cells = locate(game, position.owners)
            best = max(position.legal_moves, key=lambda cell: forced(position.play(cell), 1))
            moves[form] = list(cells).index(best)
    for seat in (1, 2):
        found = check_dictionary(Dictionary(game, seat, begins, moves))
        assert not found.proved or forced(begins, seat) == WIN


def test_a_winning_centre() -> None:
    game = Game("3^3")
    found = check_dictionary(Dictionary(game, 1, None, {bytes(27): 13}))
    assert (found.verdict, found.strategic, found.quiet) == ("proved", 1, 1)
    assert found.claim == "player 1 wins 3^3"
    assert check_dictionary(Dictionary(game, 1, game.position("moves:13"), {})).proved
    corner = check_dictionary(Dictionary(game, 1, None, {bytes(27): 0}))
    assert corner.reason.startswith("no move is listed and there is no forced win: 1............2")
    assert (corner.missing, corner.failures[0].line) == (1, (0, 13))


def test_unused_entries_and_progress() -> None:
    game = Game("3^3")
    spare = game.position("moves:0,1")
    calls: list[tuple[int, int]] = []
    dictionary = dictionary_of(game, 1, None, [(bytes(27), 13), (spare.owners, 2)])
    found = check_dictionary(dictionary, progress=lambda *numbers: calls.append(numbers))
    assert (found.verdict, found.strategic, found.unused) == ("proved", 1, 1)


def test_what_is_no_position_is_not_needed() -> None:
    moves = {bytes(27): 13, bytes(5): 0, bytes(54): 3}
    found = check_dictionary(Dictionary(Game("3^3"), 1, None, moves))
    assert (found.verdict, found.strategic, found.unused) == ("proved", 1, 2)


def test_failures_are_described() -> None:
    game = Game("3^2")
    for move in (9, -1):
        found = check_dictionary(Dictionary(game, 1, None, {bytes(9): move}))
        assert f"the listed move, {move} in the form of the position, is not legal" in found.reason
    last = Game("4{0+3/1+3/2+3}")
    assert check_dictionary(Dictionary(last, 1, None, {bytes(4): 3})).proved
    assert (
        "the listed move, -1 in"
        in check_dictionary(Dictionary(last, 1, None, {bytes(4): -1})).reason
    )
    blocked = Dictionary(Game("4{0+1+2}:blocked=3"), 1, None, {})
    assert check_dictionary(blocked).reason.endswith(": ...#")
    forbidden = Dictionary(Game("3^3:opening=0"), 1, None, {bytes(27): 13})
    assert "the listed move, 13 in" in check_dictionary(forbidden).reason
    over = game.position("moves:0,3,1,4,2")
    assert check_dictionary(Dictionary(game, 1, over, {})).proved
    assert "the game is over" in check_dictionary(Dictionary(game, 2, over, {})).reason
    lost = game.position("moves:0,1,3")
    assert "the defender completes a line in 6" in (
        check_dictionary(Dictionary(game, 1, game.position("moves:1,0,2,3,8"), {})).reason
    )
    assert not check_dictionary(Dictionary(game, 2, lost, {})).proved
    full = game.position("moves:0,1,2,4,3,5,7,6")
    assert "the board is full" in check_dictionary(
        Dictionary(game, 1, full.play(8), {})
    ).reason or (full.play(8).is_over)
    start = check_dictionary(Dictionary(game, 1, None, {}), examples=2)
    assert start.reason == "no move is listed and there is no forced win: ........."
    twice = check_dictionary(Dictionary(game, 1, game.position("moves:1,0,5,2,8,6"), {}))
    assert twice.reason == "the defender has two threats: 212..12.1"
    forks = game.position("moves:8,0,5,2,7")
    assert not check_dictionary(Dictionary(game, 1, forks, {})).proved


def test_a_position_is_missed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most are reached by two replies in either order."""
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(dictionary_check, "_OFTEN", 3)
    game = Game("5,4,4")
    first = game.start().play(0)
    entries = [(game.start().owners, 0), (first.play(7).owners, 8)]
    entries += [(first.play(reply).owners, 7) for reply in first.legal_moves if reply != 7]
    dictionary = dictionary_of(game, 1, None, entries)
    found = check_dictionary(
        dictionary, examples=10_000, progress=lambda *numbers: calls.append(numbers)
    )
    assert check_dictionary(dictionary, examples=10_000).failures == found.failures
    assert calls == [(found.strategic, found.strategic)] * (found.strategic // 3)
    missed = [
        bytes(int(owner.replace(".", "0")) for owner in one.position) for one in found.failures
    ]
    assert found.missing == found.failed == len(missed) > 100
    assert len({*map(canonical_forms_of(game).of, missed)}) == len(missed)


def test_a_search_without_an_end_is_said() -> None:
    game = Game("4^3")
    begins = game.position("moves:0,4,3,8,12,16")
    reason = check_dictionary(Dictionary(game, 1, begins, {}), nodes=1).reason
    assert reason.startswith("the search for a forced win ran out of positions: ")


def test_entries_in_any_image() -> None:
    game = Game("4^3")
    forms = canonical_forms_of(game)
    rng = random.Random(5)
    position = play_at_random(game.start(), 3, 6)
    move = position.legal_moves[7]
    entries = []
    for inverse in rng.sample(forms.inverses, 20):
        owners = bytes(position.owners[cell] for cell in inverse)
        entries.append((owners, inverse.index(move)))
    found = collect(game, entries)
    assert (len(found.moves), found.duplicates, found.contradictions) == (1, 19, 0)
    other = next(cell for cell in position.legal_moves if cell != move)
    assert collect(game, [*entries, (position.owners, other)]).contradictions <= 1
    dictionary = dictionary_of(game, 1, None, entries)
    shared = search_of(game)
    played = require(dictionary_move(dictionary, position, search_in=shared))
    assert forms.of(position.play(played).owners) == forms.of(position.play(move).owners)


def test_symmetric_moves_are_duplicates() -> None:
    game = Game("3^2")
    assert collect(game, [(bytes(9), 0), (bytes(9), 8), (bytes(9), 1)])[1:] == (1, 1)


@pytest.mark.parametrize("owners", [bytes(9), b"\1" + bytes(7) + b"\2", bytes(range(3)) * 3])
def test_a_move_is_compared_by_the_position_that_it_marks(owners: bytes) -> None:
    game = Game("3^2")
    images = [bytes(owners[cell] for cell in one) for one in canonical_forms_of(game).inverses]
    assert max(images) == canonical_forms_of(game).of(owners)
    for move in (cell for cell in range(9) if not owners[cell]):
        marked = owners[:move] + b"\3" + owners[move + 1 :]
        expected = max(
            bytes(marked[cell] for cell in one) for one in canonical_forms_of(game).inverses
        )
        assert _after(game, owners, move) == expected


@pytest.mark.parametrize(
    ("owners", "cell"),
    [(b"", 0), (bytes(9), 9), (b"\1" + bytes(8), 0), (bytes(8), 3), (bytes(10), 3), (bytes(9), -1)],
)
def test_entries_must_be_legal(owners: bytes, cell: int) -> None:
    with pytest.raises(SpecError, match="not free"):
        collect(Game("3^2"), [(owners, cell)])


def test_dictionaries_that_make_no_sense() -> None:
    game = Game("3^2")
    with pytest.raises(SpecError, match="not to"):
        Dictionary(game, 1, Game("3^3").position("moves:0"), {})
    with pytest.raises(NotSupportedError, match="it needs normal play"):
        Dictionary(Game("3^2:misere"), 1, None, {})
    assert Dictionary(game, 1, game.start(), {}) == Dictionary(game, 1, None, {})


def test_a_block_that_the_opening_allows_is_only_a_block() -> None:
    """It would leave two cells that complete a line, neither of them in the opening."""
    begins = Game("6{1+3/0+1+4/0+1+5}:opening=0+1+2x3").position("moves:0,3")
    assert forced(begins, 1) < WIN
    found = check_dictionary(Dictionary(begins.game, 1, begins, {}))
    assert found.verdict == "rejected"
    assert {one.line[0] for one in found.failures} == {1}


def test_replies_that_the_opening_restricts_have_a_sequence_each() -> None:
    begins = Game("8{0+1+2/0+1+3/0+4+5/0+4+6}:opening=1+4+7x3").position("moves:7,0")
    proof, verdict = pack(Dictionary(begins.game, 2, begins, {}), stored=True)
    assert verdict.proved
    assert {one[0] for one in require(proof.leaves)[b""]} == {1, 4}
    assert check_proof(proof).proved


def test_a_threat_that_the_opening_delays_is_blocked_then() -> None:
    """Player 1 may not complete the line of two cells with the second stone, but with the third."""
    begins = Game("8{0+1/4+5+6}:opening=0+2+3x2").position("moves:0,4")
    found = check_dictionary(Dictionary(begins.game, 2, begins, {}))
    assert found.verdict == "rejected"
    assert {one.line[:2] for one in found.failures} == {(2, 1), (3, 1)}


def test_a_reply_with_two_threats_is_a_failure() -> None:
    found = check_dictionary(Dictionary(Game("7{0+1/0+2/3+4+5}"), 1, None, {bytes(7): 3}))
    assert found.verdict == "rejected"
    assert ("the defender has two threats", (3, 0)) in [
        (one.reason, one.line) for one in found.failures
    ]


def test_cells_of_the_opening() -> None:
    game = Game("5{0+1/2+3}:opening=0+1+4x2")
    for owners, player, cells in (
        (bytes(5), 1, {0, 1, 4}),
        (b"\1\0\0\0\0", 2, None),
        (b"\1\0\2\0\0", 1, {1, 4}),
        (b"\1\0\2\0\1", 1, None),
    ):
        assert opening_cells(game, owners, player) == cells
    assert opening_cells(Game("5{0+1}"), bytes(5), 1) is None
