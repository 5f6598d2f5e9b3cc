"""The trees of proofs: what is drawn, in which order, and what the figures count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.lab.pictures.tree_nodes import Place
from hyperoxo.play.explorer.readers import read_any
from hyperoxo.play.pictures import proof_tree as module
from hyperoxo.play.pictures.proof_tree import draw_proof, proof_page
from hyperoxo.proof import Dictionary, Strategy, read_strategy
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.proof.thompson import read_dictionary
from hyperoxo.solvers import solve
from hyperoxo.solvers.threats.search import ThreatSearch
from hyperoxo.solvers.threats.sequence import is_quiet

PART = Path(__file__).parents[3] / "truth" / "qubic_0_60_3_22.txt"


@pytest.fixture(scope="module")
def part() -> Dictionary:
    """A proof of 36 moves from a position of 4^3."""
    begins = Game("4^3").position("moves:0,60,3,22")
    return read_dictionary(PART, begins.game, begins=begins).dictionary


def places(proof: Dictionary | Strategy, plies: int) -> Iterator[Place]:
    return module._page(proof, None, plies, 10**6, None).root.walk()


@pytest.mark.more
def test_a_dictionary_drawn_to_its_end_has_all_its_moves(part: Dictionary) -> None:
    forms, listed, search = canonical_forms_of(part.game), set(), ThreatSearch(part.game)
    for place in places(part, 40):
        position = place.position
        if place.equal is not None:
            continue
        if position.to_move == part.seat:
            wins = search.forced_win(position).status == "win"
            assert wins == (not place.children)
            if place.children:
                (child,) = place.children
                assert child.means in ("quiet", "threatens", "blocks")
                assert (child.means == "quiet") <= is_quiet(position, child.position.history[-1])
                if child.means != "blocks":
                    listed.add(forms.of(position.owners))
            continue
        shown = {forms.of(child.position.owners) for child in place.children}
        assert len(shown) == len(place.children)
        for cell in position.legal_moves:
            after = position.play(cell)
            lost = search.forced_win(after).status == "win"
            assert lost == (forms.of(after.owners) not in shown), cell
    assert listed == set(part.moves)


def test_the_figures_count_the_listed_moves(part: Dictionary) -> None:
    page = module._page(part, None, 3, 10**6, None)
    signs = {place.number: page.sign(place) for place in page.places}
    assert signs[1] == "36"
    assert page.sign(page.root.children[0]) == "35"
    assert "36 listed moves in all" in page.remarks
    later = page.root.children[0].children[0].position
    alone = module._page(part, later, 0, 10**6, None)
    assert alone.sign(alone.root) == page.sign(page.root.children[0].children[0])
    laid = Position.from_owners(part.game, later.owners)
    alone = module._page(part, laid, 0, 10**6, None)
    assert alone.notes[id(alone.root)].endswith(f"goes on: --position {laid.text}")
    assert draw_proof(part, plies=1).count('href="#board"') == 2


def test_a_strategy_drawn_to_its_end_has_all_its_moves(tmp_path: Path) -> None:
    game = Game("3^2")
    solve(game, proof=tmp_path / "draw.oxo", proof_seat=1)
    strategy = read_strategy(tmp_path / "draw.oxo").strategy
    listed, page = set(), module._page(strategy, None, 9, 10**6, None)
    for place in page.places:
        if place.equal is None and not place.position.is_over:
            assert bool(place.children)
            if place.position.to_move == 1:
                listed.add(canonical_forms_of(game).of(place.position.owners))
    assert listed == set(strategy.moves)
    assert page.sign(page.root) == str(len(strategy.moves))
    text = proof_page(strategy)
    assert len(re.findall(r"<details|class=\"leaf\"", text)) == len(page.places)
    assert "equivalent to board" in text
    assert "the game is over" in text


def test_moves_of_endgames_are_not_counted(tmp_path: Path) -> None:
    game = Game("5,4,4:gravity")
    solve(game, proof=tmp_path / "endgames.oxo", proof_seat=1)
    strategy = read_any((tmp_path / "endgames.oxo").read_bytes())
    assert isinstance(strategy, EndgameStrategy)
    page = module._page(strategy, None, 1, 10**6, None)
    assert page.sign(page.root) == str(len(strategy.moves))


def test_what_cannot_be_drawn(part: Dictionary, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match="the proof is for 4\\^3, not for 3\\^3"):
        draw_proof(part, Game("3^3").start())
    with pytest.raises(CheckFailedError, match="no move is listed"):
        draw_proof(part, part.game.position("moves:0,1"))
    monkeypatch.setattr(module, "_LIMIT", 10)
    with pytest.raises(LimitError, match="more than 10 boards within 4 moves"):
        draw_proof(part, plies=6)
