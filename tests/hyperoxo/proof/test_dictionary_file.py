"""Files of dictionary proofs, and what becomes of spoilt ones."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.errors import CheckFailedError, NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import dictionary_walk, verify, write_proof
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.dictionary import Dictionary, Sequences, dictionary_of
from hyperoxo.proof.dictionary_check import check_dictionary, check_proof, pack, published_size
from hyperoxo.proof.dictionary_file import FILE, proof_text, read_proof
from hyperoxo.proof.dictionary_walk import MISSING, NOT_STORED, Walk
from hyperoxo.proof.forced import NODES
from hyperoxo.proof.forced_loops import longest
from tests.hyperoxo.proof.dictionaries import BOARDS, WIDE, build, dictionaries, holds, wins_always


@cache
def centre(*, stored: bool) -> bytes:
    dictionary = Dictionary(Game("3^3"), 1, None, {bytes(27): 13})
    return proof_text(pack(dictionary, stored=stored)[0], creator="a test")


@cache
def proofs(spec: str, *, stored: bool) -> tuple[Dictionary, ...]:
    """Proofs of wins on a small board."""
    return tuple(pack(dictionary, stored=stored)[0] for dictionary in dictionaries(spec))


@cache
def with_a_block() -> Dictionary:
    """A stored proof of a few moves, with a block."""
    begins = Game("4,3,3").position("moves:9,8,2,0")
    return pack(build(begins, 1, random.Random(0)), stored=True)[0]


@pytest.mark.more
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(
    "spec",
    [*BOARDS, WIDE],
)
def test_files_read_back(tmp_path: Path, spec: str, stored: bool) -> None:
    for proof in proofs(spec, stored=stored):
        write_proof(proof, tmp_path / "x.proof", creator="oxo proof pack")
        assert read_proof(tmp_path / "x.proof") == proof
        assert b"\ncreator oxo proof pack\n" in (tmp_path / "x.proof").read_bytes()
        verdict = verify(tmp_path / "x.proof")
        assert verdict.proved, verdict
        assert holds(proof) if stored else wins_always(proof)
        assert isinstance(verdict, DictionaryVerdict)
        assert verdict.strategic == len(proof.moves)
        assert verdict.positions >= verdict.strategic >= verdict.quiet
        if stored:
            assert proof.leaves is not None
            assert verdict.positions == len(proof.leaves.keys() - {b""})
    assert list(tmp_path.iterdir()) == [tmp_path / "x.proof"]


@pytest.mark.parametrize("stored", [False, True])
def test_a_threat_that_the_opening_forbids_makes_no_block(stored: bool) -> None:
    """Player 1 would complete the line of cells 0 and 1, but moves next within the opening."""
    begins = Game("7{0+1/4+5/4+6}:opening=0+2+3x2").position("moves:0")
    proof, verdict = pack(Dictionary(begins.game, 2, begins, {begins.owners: 4}), stored=stored)
    assert verdict.proved
    assert (len(proof.moves), proof.blocks) == (1, {})
    again = read_proof(proof_text(proof))
    assert again == proof
    assert check_proof(again).proved


def test_stored_leaves_need_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = read_proof(centre(stored=True))

    def no_search(*_: object) -> int:
        raise AssertionError

    monkeypatch.setattr(dictionary_walk, "search", no_search)
    verdict = check_proof(proof)
    assert verdict.proved
    assert verdict.nodes == 26  # one look at each reply, and no position searched
    assert proof.sequences
    bare = Dictionary(Game("4{0+3/1+3/2+3}"), 1, None, {}, {b"": ()})
    assert check_proof(bare).reason == f"{NOT_STORED}: ...."
    assert check_proof(replace(proof, leaves={b"": (), bytes(27): ()})).reason.startswith(
        "no move is listed and no stored sequence wins: "
    )


def test_a_search_that_lies_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def lies(*given: Any) -> int:
        given[-1][0] = 4
        return 1

    monkeypatch.setattr(dictionary_walk, "search", lies)
    game = Game("3^2")
    for begins in (None, game.position("moves:0,3,8,5")):
        verdict = check_proof(Dictionary(game, 1, begins, {}))
        assert verdict.proved == (begins is not None)
        assert verdict.proved or verdict.reason.startswith(MISSING)


def test_what_answers_no_threat_loses_to_it() -> None:
    """Only the defender's answer to a threat is looked into, and needs a sequence."""
    begins = Game("3^3").position("moves:13,0,12")
    proof, verdict = pack(Dictionary(begins.game, 1, begins, {}), stored=True)
    assert verdict.proved
    assert proof.leaves is not None
    assert [*proof.leaves] == [b""]
    assert len(proof.leaves[b""]) == 1
    assert proof.leaves[b""][0] != (14,)


@pytest.mark.parametrize(
    ("spec", "least"), [pytest.param(BOARDS[1], 2, marks=pytest.mark.more), (BOARDS[4], 1)]
)
def test_every_known_sequence_is_needed(spec: str, least: int) -> None:
    """But for one that wins as if the defender passed."""
    most = 0
    for found in dictionaries(spec):
        proof = pack(found, stored=True)[0]
        assert check_proof(proof).proved
        walk = Walk(found, nodes=NODES)
        for _ in walk.run():
            assert walk._known <= len(walk._needed) + 1
            assert {*walk._needed} <= {*range(walk._known)}
            most = max(most, walk._known)
    assert most >= least


def test_a_block_that_is_not_listed_is_said() -> None:
    proof = with_a_block()
    assert proof.leaves is not None
    assert proof.blocks
    for form in proof.blocks:
        leaves = {key: found for key, found in proof.leaves.items() if key != form}
        blocks = {key: move for key, move in proof.blocks.items() if key != form}
        reason = check_proof(replace(proof, leaves=leaves, blocks=blocks)).reason
        assert reason.startswith("a block is not listed and no stored sequence wins: ")


def test_what_is_not_needed_is_left_out() -> None:
    game = Game("3^3")
    spare = (game.position("moves:0,1").owners, 2)
    dictionary = dictionary_of(game, 1, None, [(bytes(27), 13), spare])
    for stored in (False, True):
        proof, verdict = pack(dictionary, stored=stored)
        assert (len(proof.moves), verdict.unused) == (1, 1)
    unneeded = check_proof(dictionary)
    assert unneeded.reason == "listed moves that are not needed: 1"
    with pytest.raises(CheckFailedError, match="does not win: no move is listed"):
        pack(Dictionary(game, 1, None, {}))


def test_proofs_that_make_no_sense() -> None:
    dictionary = Dictionary(Game("3^3"), 1, None, {bytes(27): 13})
    for proof, message in (
        (replace(dictionary, leaves={b"": ()}), "do not belong together"),
        (replace(dictionary, blocks={bytes(27): 13}), "do not belong together"),
        (replace(dictionary, leaves={b"": (), bytes(27): ((),)}), "is empty"),
        (replace(dictionary, leaves={b"": (), bytes(27): ((-1,),)}), "not a cell"),
        (replace(dictionary, moves={bytes(26): 1}), "is stored for a row that is not"),
        (replace(dictionary, moves={b"\3" + bytes(26): 1}), "is stored for a row"),
        (replace(dictionary, moves={bytes(27): -1}), "not a position"),
    ):
        with pytest.raises(SpecError, match=message):
            proof_text(proof)
    blocked = replace(dictionary, blocks={b"\1" + bytes(26): 1})
    assert check_proof(blocked).reason == "blocks are stored where leaves are not"


@pytest.mark.parametrize(
    "hostile", [((13,) * 200,), ((0,),) * 40, ((-1,), (27,), (1 << 40,)), ((0, 1, 2) * 30,) * 30]
)
def test_more_sequences_than_fit_are_refused(hostile: Sequences) -> None:
    """Too long, too many, or of no cells: nothing is written where there is no room for it."""
    proof = read_proof(centre(stored=True))
    assert proof.leaves is not None
    (needed,) = (found for form, found in proof.leaves.items() if form)
    for found in (hostile, (*needed, *hostile), (*hostile, *needed)):
        for form in (b"", bytes(27)):
            verdict = check_proof(replace(proof, leaves={**proof.leaves, form: found}))
            assert verdict.reason.startswith(("a stored sequence is not needed", "no move is"))


@pytest.mark.parametrize("cell", [0, 1, 3])
def test_what_is_no_cell_is_no_move(cell: int) -> None:
    """No number may stand for a cell that it does not name."""
    lines = "/".join(sorted(f"{min(cell, one)}+{max(cell, one)}" for one in {0, 1, 2, 3} - {cell}))
    dictionary = Dictionary(Game(f"4{{{lines}}}"), 1, None, {})
    proof = pack(dictionary, stored=True)[0]
    assert proof.leaves == {b"": ((cell,),)}
    for move in (-1, -2, -3, -4, 4, 5, 1 << 20):
        assert not check_proof(replace(proof, leaves={b"": ((move,),)})).proved


def test_there_is_room_for_every_sequence() -> None:
    """One for each reply, one as if the defender passed, and moves until the board is full."""
    walk = Walk(Dictionary(Game("3^3"), 1, None, {}), nodes=1)
    assert len(walk._sequences) == len(walk._lengths) > 27
    assert walk._sequences.shape[1] > longest(walk.search.tables)


def test_sequences_of_where_the_defender_begins() -> None:
    begins = Game("3^3").position("moves:13")
    proof, verdict = pack(Dictionary(begins.game, 1, begins, {}), stored=True)
    assert verdict.proved
    assert proof.leaves is not None
    assert [*proof.leaves] == [b""]
    assert proof.leaves[b""]
    assert check_proof(proof).proved
    assert check_proof(replace(proof, leaves={b"": ()})).reason.startswith(NOT_STORED)
    assert verify(proof_text(proof)).proved


def test_five_failures_are_described() -> None:
    found = check_proof(Dictionary(Game("5,4,4"), 1, None, {bytes(20): 0}))
    assert found.failed > 5
    assert len(found.failures) == 5
    assert found.reason.endswith(f"; {found.failed} such places in all")
    assert len(check_dictionary(Dictionary(Game("5,4,4"), 1, None, {bytes(20): 0})).failures) == 5


def test_two_failures_are_counted() -> None:
    found = check_dictionary(Dictionary(Game("4,3,3"), 1, None, {bytes(12): 4}))
    assert found.failed == 2
    assert found.reason.endswith("; 2 such places in all")
    # 11 replies, and 47 positions in 40 searches.
    assert found.nodes == 58


def test_leaves_are_derived_unless_asked_for() -> None:
    """Every position that a search looks at counts, and every reply."""
    dictionary = Dictionary(Game("3^3"), 1, None, {bytes(27): 13})
    proof, verdict = pack(dictionary)
    assert (proof.leaves, proof.blocks, proof.stored) == (None, {}, False)
    assert verdict.nodes > 26
    begin = time.perf_counter() - 5000
    assert 5000 <= check_proof(proof, begin=begin).seconds < 6000
    assert 0 <= check_proof(proof).seconds < 1000


def test_what_a_stored_proof_holds_is_what_is_met() -> None:
    stored = with_a_block()
    assert stored.leaves is not None
    assert stored.blocks
    assert check_proof(stored).proved
    assert check_proof(replace(stored, leaves=None, blocks={})).proved
    assert pack(stored)[0].blocks == {}
    spare = {**stored.leaves, b"\1" * 12: ((0,),)}
    reason = check_proof(replace(stored, leaves=spare)).reason
    assert reason == "sequences are stored for positions that are not reached"
    for form in stored.blocks:
        other = {**stored.blocks, form: (stored.blocks[form] + 1) % 12}
        reason = check_proof(replace(stored, blocks=other)).reason
        assert reason == "a stored block is not the block of the defender's threat"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([f"{'.' * 27} 13", f"{'.' * 27} 13"], "a position is listed twice"),
        ([f"{'.' * 27} 13", f"3{'.' * 26} 1"], "is not a position of 3\\^3"),
    ],
)
def test_positions_of_two_players_are_listed_once(rows: list[str], message: str) -> None:
    values = ("3^3", "." * 27, 1, "derived", "-", 48, len(rows), 0, 0, "-")
    with pytest.raises(NotationError, match=message):
        read_proof(FILE.text(values, rows))
    good = (*values[:6], 1, *values[7:])
    assert read_proof(FILE.text(good, rows[:1])).moves == {bytes(27): 13}


def test_the_size_of_the_published_proof() -> None:
    game = Game("4^3")
    for seat, begins, size in ((1, None, 2929), (2, None, None), (1, game.start().play(0), None)):
        assert published_size(Dictionary(game, seat, begins, {})) == size
    assert published_size(Dictionary(Game("3^3"), 1, None, {})) is None
