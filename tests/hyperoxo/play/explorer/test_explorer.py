"""Proofs opened node by node, against walks that try everything."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError
from hyperoxo.game import Game, Position, Value, completing_cells
from hyperoxo.play.explorer import Explorer, refused
from hyperoxo.play.explorer.readers import read_any
from hyperoxo.proof import (
    Mirroring,
    Pairing,
    Prevention,
    canonical_forms_of,
    completes,
    contained,
    prevention_text,
    read_dictionary,
    strategy_text,
)
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_check import pack
from hyperoxo.proof.forced import wins
from hyperoxo.proof.registry import proof_text, verify
from hyperoxo.proof.stored import stored_proof
from hyperoxo.proof.zones import zones_text
from hyperoxo.solvers.coalition.search import forcing, prevention_of
from hyperoxo_research.proof.keyplan.file import plan_text
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState
from hyperoxo_research.proof.keyplan.stored import stored_plan
from tests.expect import message_of, require
from tests.hyperoxo.proof.brute import strategy
from tests.hyperoxo.proof.dictionaries import BOARDS, build, completing, has_forced_win
from tests.hyperoxo.proof.dictionaries import WIN as WON
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo.proof.test_zones import plan as zone_plan
from tests.judge import forced
from tests.marks import more

TRUTH = Path(__file__).parents[3] / "truth"
QUBIC = Game("4^3").position("moves:0,60,3,22")


@cache
def packed(spec: str, *, stored: bool = False, any_moves: bool = False) -> bytes:
    """A proof of a board that one player wins, as a file."""
    start = Game(spec).start()
    winner = next(seat for seat in (1, 2) if forced(start, seat) == WON)
    dictionary = build(start, winner, random.Random(3) if any_moves else None)
    return proof_text(pack(dictionary, stored=stored)[0])


def checked(data: bytes) -> Explorer:
    """Open a proof that the checker accepts."""
    if reason := refused(data):
        raise CheckFailedError(reason)
    explorer = Explorer.read(data)
    explorer.count()
    return explorer


@cache
def part(*, stored: bool = False) -> bytes:
    """A part of a published proof of Qubic, as a file."""
    text = (TRUTH / "qubic_0_60_3_22.txt").read_bytes()
    found = read_dictionary(text, QUBIC.game, begins=QUBIC).dictionary
    return proof_text(pack(found, stored=stored)[0])


@cache
def stored_strategy(spec: str, seat: int, claim: str) -> bytes:
    return strategy_text(require(strategy(spec, seat, claim)))


Next = Callable[[Position], "tuple[bool, list[Position]]"]


def brute(start: Position, step: Next) -> tuple[int, int]:
    """Count positions up to symmetry that need a move, and the most of them in one game.

    `step` says whether a position does, and what may follow it. Every order of moves is tried.
    """
    forms, needed = canonical_forms_of(start.game), set[bytes]()
    depths: dict[bytes, int] = {}

    def walk(position: Position) -> int:
        if position.owners not in depths:
            needs, following = step(position)
            if needs:
                needed.add(forms.of(position.owners))
            deepest = max((walk(after) for after in following), default=0)
            depths[position.owners] = needs + deepest
        return depths[position.owners]

    depth = walk(start)
    return len(needed), depth


def by_threats(dictionary: Dictionary) -> Next:
    """How a dictionary plays, by its rules and forced sequences as they are defined."""
    forms, seat = canonical_forms_of(dictionary.game), dictionary.seat

    def step(position: Position) -> tuple[bool, list[Position]]:
        if position.is_over:
            return False, []
        if position.to_move != seat:
            return False, [position.play(cell) for cell in position.legal_moves]
        if completing(position, seat) & {*position.legal_moves}:
            return False, []
        form, cells = forms.locate(position.owners)
        theirs = completing(position, 3 - seat)
        if theirs and not has_forced_win(position):
            return True, [position.play(next(iter(theirs)))]
        if not theirs and form in dictionary.moves:
            return True, [position.play(cells[dictionary.moves[form]])]
        assert has_forced_win(position)
        return False, []

    return step


@pytest.mark.more
@pytest.mark.parametrize("spec", [spec for spec in BOARDS if "opening" not in spec])
@pytest.mark.parametrize("any_moves", [False, True])
def test_sizes_of_dictionaries_by_trying_everything(spec: str, *, any_moves: bool) -> None:
    data = packed(spec, any_moves=any_moves)
    proof = read_any(data)
    assert isinstance(proof, Dictionary)
    explorer, step = checked(data), by_threats(proof)
    rng = random.Random(1)
    for _ in range(12):
        moves: list[int] = []
        while True:
            node = explorer.node(moves)
            found = brute(explorer.position(moves), step)
            assert (node["positions"], node["depth"]) == found
            if node["turn"] == "over" or not node["positions"]:
                break
            if node["turn"] == "proof":
                moves.append(node["answer"]["cell"])
            else:
                moves.append(rng.choice([reply["reply"] for reply in node["replies"]]))


@pytest.mark.parametrize(
    ("spec", "seat", "claim"),
    [
        ("3^2", 1, "draw"),
        ("3^2", 2, "draw"),
        pytest.param("2^3", 1, "win", marks=pytest.mark.more),
        ("3,2,2:players=3", 1, "win"),
        pytest.param("3^2:players=3", 2, "draw", marks=pytest.mark.more),
        ("3^2:misere", 1, "draw"),
    ],
)
def test_sizes_of_strategies_by_trying_everything(spec: str, seat: int, claim: str) -> None:
    data = stored_strategy(spec, seat, claim)
    explorer, forms = checked(data), canonical_forms_of(Game(spec))

    def step(position: Position) -> tuple[bool, list[Position]]:
        if position.is_over:
            return False, []
        if position.to_move != seat:
            return False, [position.play(cell) for cell in position.legal_moves]
        form, cells = forms.locate(position.owners)
        return True, [position.play(cells[explorer.listed[form]])]

    everything = explorer.node([])
    assert everything["positions"] == everything["listed"] == len(explorer.listed)
    moves: list[int] = []
    while (node := explorer.node(moves))["turn"] != "over":
        assert (node["positions"], node["depth"]) == brute(explorer.position(moves), step)
        moves.append(
            node["answer"]["cell"] if node["turn"] == "proof" else node["replies"][0]["reply"]
        )
    assert node["answer"] == {"cell": None, "by": "over"}


def test_sizes_of_what_others_prevent_by_trying_everything() -> None:
    game = Game("3^2:players=3")
    forced = forcing(game.start(), 1, Value.WIN)
    assert forced.forced is False
    found = prevention_of(forced)
    explorer, forms = checked(prevention_text(found)), canonical_forms_of(game)

    def step(position: Position) -> tuple[bool, list[Position]]:
        if position.is_over or completes(position, found.seat):
            return False, []
        if position.to_move == found.seat:
            return False, [position.play(cell) for cell in position.legal_moves]
        form, cells = forms.locate(position.owners)
        if form not in found.moves:
            assert contained(position, found.seat)
            return False, []
        return True, [position.play(cells[found.moves[form]])]

    node = explorer.node([])
    assert (node["positions"], node["depth"]) == brute(game.start(), step)
    assert node["positions"] == len(found.moves)


def test_the_whole_is_what_the_checker_walked_through() -> None:
    for stored in (False, True):
        explorer, verdict = checked(part(stored=stored)), verify(part(stored=stored))
        assert isinstance(verdict, DictionaryVerdict)
        node = explorer.node([])
        assert (node["positions"], node["listed"]) == (verdict.positions, verdict.strategic)
        assert (node["positions"], node["listed"]) == (98, 36)


@pytest.mark.parametrize(
    "spec", more([spec for spec in BOARDS if "opening" in spec], ["4,3,3:opening=poor"])
)
@pytest.mark.parametrize("stored", [False, True])
def test_the_whole_is_the_same_after_a_restricted_opening(spec: str, *, stored: bool) -> None:
    data = packed(spec, stored=stored, any_moves=True)
    explorer, verdict = checked(data), verify(data)
    assert isinstance(verdict, DictionaryVerdict)
    node = explorer.node([])
    assert (node["positions"], node["listed"]) == (verdict.positions, verdict.strategic)
    path = explorer.hardest([])
    for length in range(len(path)):
        assert explorer.node(path[:length])["positions"] > 0
    assert explorer.node(path)["positions"] == 0


@pytest.mark.more
def test_every_reply_has_its_place_and_its_answer_wins() -> None:
    for stored in (False, True):
        explorer = checked(part(stored=stored))
        path = explorer.hardest([])
        assert len(path) > 8
        for length in range(len(path) + 1):
            node = explorer.node(path[:length])
            if node["turn"] == "proof":
                assert node["answer"]["cell"] == path[length]
                continue
            here, forms = explorer.position(path[:length]), canonical_forms_of(explorer.game)
            cells = sorted(cell for reply in node["replies"] for cell in reply["cells"])
            assert cells == list(here.legal_moves)
            for reply in node["replies"]:
                after = {forms.of(here.play(cell).owners) for cell in reply["cells"]}
                assert len(after) == 1
                position = here.play(reply["reply"])
                assert bool(reply["positions"]) == (reply["by"] in ("listed", "block"))
                if reply["by"] == "forced":
                    assert wins(position, reply["sequence"])
                    assert reply["sequence"][0] == reply["cell"]
                if reply["by"] == "line":
                    assert reply["cell"] in completing(position, 1)
            sizes = [reply["positions"] for reply in node["replies"]]
            assert sizes == sorted(sizes, reverse=True)
            assert max(sizes) <= node["positions"]
        assert node["positions"] == 0
        assert json.loads(json.dumps(node)) == node


def test_without_counting_nodes_have_answers_and_no_sizes() -> None:
    quick, whole = Explorer(read_any(part())), checked(part())
    for moves in whole.hardest([])[:4], []:
        one, other = quick.node(moves), whole.node(moves)
        assert one["positions"] is None
        answers = {reply["reply"]: reply["cell"] for reply in other["replies"]}
        assert {reply["reply"]: reply["cell"] for reply in one["replies"]} == answers
    assert quick.hardest([]) == []


def test_a_pairing_answers_inside_its_pairs() -> None:
    game = Game("5{0+1/2+3+4}")
    explorer = checked(proof_text(Pairing(game, 2, ((0, 1), (2, 4)))))
    assert explorer.summary()["pairs"] == [[0, 1], [2, 4]]
    assert explorer.node([4])["answer"] == {"cell": 2, "by": "pair"}
    assert explorer.node([3])["answer"] == {"cell": 0, "by": "free"}
    node = explorer.node([])
    assert {reply["by"] for reply in node["replies"]} == {"pair", "free"}
    assert node["positions"] is None


def test_mirroring_begins_in_the_middle() -> None:
    game = Game("3^2:misere")
    explorer = checked(proof_text(Mirroring(game, 1, tuple(range(8, -1, -1)))))
    assert explorer.node([])["answer"] == {"cell": 4, "by": "image"}
    assert explorer.node([4, 0])["answer"] == {"cell": 8, "by": "image"}
    assert explorer.summary()["pairs"] == [[0, 8], [1, 7], [2, 6], [3, 5], [4, 4]]


def test_few_open_lines_settle_a_game() -> None:
    game = Game("9{0+1+2+3+4/4+5+6+7+8}")
    data = prevention_text(Prevention(game, 1, "no-win", {}))
    explorer = checked(data)
    node = explorer.node([0])
    assert node["answer"] == {"cell": None, "by": "potential"}
    assert "is 3/32, below 1" in node["details"]


def test_a_bound_on_line_tables_is_no_play_of_moves() -> None:
    explorer = checked((TRUTH / "leaves" / "lowest-cell.oxo").read_bytes())
    assert explorer.summary()["kind"] == "table-bound"
    assert "has no moves" in message_of(SpecError, explorer.node, [])


def followed(explorer: Explorer, rng: random.Random) -> Position:
    """Play to the end, by the replies and answers of nodes."""
    moves: list[int] = []
    while True:
        node = explorer.node(moves)
        if node["turn"] == "over":
            return explorer.position(moves)
        if node["turn"] == "proof":
            assert "plan" not in node
            moves.append(node["answer"]["cell"])
            continue
        owners = explorer.position(moves).owners
        assert all(owners[cell] == 0 for pair in node["plan"]["pairs"] for cell in pair)
        assert {cell for one in node["replies"] for cell in one["cells"]} == {
            *explorer.position(moves).legal_moves
        }
        reply = rng.choice(node["replies"])
        assert explorer.node([*moves, reply["reply"]])["answer"] in (
            {"cell": reply["cell"], "by": reply["by"]},
            {"cell": None, "by": "over"},
        )
        moves.append(reply["reply"])


@pytest.mark.more
def test_a_plan_of_breakers_is_followed() -> None:
    states = (PlanState(bytes(1), 0, True),)
    plan = KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), states)
    explorer = checked(plan_text(plan))
    summary = explorer.summary()
    assert (summary["keys"], summary["states"]) == ([2], 1)
    assert "two cells of its own" in summary["theorem"]
    assert "need never lose" in summary["words"]
    assert explorer.node([])["plan"]["pairs"] in ([[0, 1], [2, 3]], [[0, 1], [3, 4]])
    for seed in range(9):
        outcome = require(followed(explorer, random.Random(seed)).outcome)
        assert outcome.winner != 1


@pytest.mark.more
def test_a_plan_on_keys_counts_and_exchanges() -> None:
    plan = require(stored_plan(Game("7^3")))
    explorer = Explorer(plan)
    assert len(explorer.summary()["keys"]) == 25
    moves = [1]
    moves.append(explorer.node(moves)["answer"]["cell"])
    node = explorer.node(moves)
    assert node["plan"] == {"counted": [1], "exchanges": [], "settled": False, "pairs": []}
    again = Explorer(plan).node(moves)
    assert again == node


@pytest.mark.parametrize(
    "spec",
    more(["3^2:convention=maker-breaker", "4^2:convention=maker-breaker", "4^2", "5^2"], ["5^2"]),
)
def test_a_plan_with_zones_is_followed(spec: str) -> None:
    made = zone_plan(spec)
    explorer = checked(zones_text(made))
    assert explorer.summary()["rows"] == len(made.steps)
    for seed in range(4):
        outcome = require(followed(explorer, random.Random(seed)).outcome)
        assert outcome.winner != 3 - made.seat


def test_a_plan_for_several_cells_a_turn_is_shown_as_a_whole() -> None:
    explorer = checked(zones_text(zone_plan("3^2:convention=maker-breaker,bias=1+2")))
    assert "counted" not in explorer.summary()
    assert "has no moves" in message_of(SpecError, explorer.node, [])


def test_moves_that_lead_nowhere() -> None:
    explorer = checked(stored_strategy("3^2", 1, "draw"))
    first = explorer.node([])["answer"]["cell"]
    other = (first + 1) % 9
    for moves, words in (
        ([9], "move 1: "),
        ([first, first], "move 2: "),
        ([other], f"move 1: the proof plays {first}, not {other}"),
    ):
        assert words in message_of(SpecError, explorer.node, moves)


def test_threats_alone_settle_the_beginning() -> None:
    begins = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    explorer = checked(proof_text(pack(Dictionary(begins.game, 1, begins, {}))[0]))
    node = explorer.node([])
    assert (node["turn"], node["answer"]["by"], node["positions"]) == ("proof", "forced", 0)
    assert node["line"][::2] == node["answer"]["sequence"]
    position = begins
    for number, cell in enumerate(node["line"]):
        assert number % 2 == 0 or completing(position, 1) == {cell}
        position = position.play(cell)
    assert position.is_over or len(completing(position, 1)) > 1
    assert explorer.hardest([]) == []


@pytest.mark.more
def test_spoilt_files_are_refused() -> None:
    files = [
        part(stored=True),
        packed(BOARDS[0]),
        stored_strategy("3^2", 2, "draw"),
        proof_text(Pairing(Game("3{0+1}"), 2, ((0, 1),))),
    ]
    rng, tried = random.Random(5), 0
    for data in files:
        head = data.index(b"sha256 ") + 72
        for _ in range(60):
            at = rng.randrange(head, len(data))
            spoilt = data[:at] + bytes([rng.choice(b"0123456789.12#-/\n ")]) + data[at + 1 :]
            if spoilt == data:
                continue
            tried += 1
            with pytest.raises(HyperoxoError, match=r"hash is wrong|not a"):
                checked(spoilt)
            # With the right hash too, unless it happens to be another proof that holds.
            if not verify(rehash(spoilt)).proved:
                assert message_of(HyperoxoError, checked, rehash(spoilt))
    assert tried > 150
    assert "not a proof file" in message_of(CheckFailedError, checked, b"something else")


def test_the_stored_proof_wins_against_random_play() -> None:
    data = require(stored_proof(Game("4^3")))
    explorer = Explorer.read(data)
    for seed in range(8):
        rng = random.Random(seed)
        position = explorer.game.start()
        while not position.is_over:
            found = require(explorer.answer(position))
            if found.by == "line":
                assert found.cell in completing_cells(position, 1)
            if found.by == "forced":
                assert found.sequence[0] == found.cell
                assert wins(position, found.sequence)
            position = position.play(require(found.cell))
            if not position.is_over:
                position = position.play(rng.choice(position.legal_moves))
        assert require(position.outcome).winners == (1,)
    assert explorer.answer(explorer.game.start().play(63)) is None
