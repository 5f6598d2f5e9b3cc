"""Every search refuses a game with a trait that it is not known to hold for, in one line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Game, Requires, Trait, Value
from hyperoxo.lab.guide import guide, guided_strategy
from hyperoxo.solvers.coalition.forces import coalition, coalition_proof
from hyperoxo.solvers.coalition.search import COALITIONS, forcing
from hyperoxo.solvers.coalition.table import tabulated
from hyperoxo.solvers.draws.pairing import MIRRORING, mirroring_seat
from hyperoxo.solvers.limits import suits
from hyperoxo.solvers.proofsearch.driver import solve_by_proof
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH
from hyperoxo.solvers.states.enumerate import enumerate_states
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo.solvers.states.layers import STATES, VALUES
from hyperoxo.solvers.states.tables import build_table, table_of
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.search import THREATS, immediate_wins
from hyperoxo.solvers.threats.sequence import quiet_moves, verify_sequence
from tests.forced import find_forced_win

ENTRIES: tuple[tuple[Requires, Callable[[Game], object]], ...] = (
    (THREATS, lambda game: find_forced_win(game.start())),
    (THREATS, lambda game: immediate_wins(game.start())),
    (THREATS, forced_wins),
    (THREATS, lambda game: quiet_moves(game.start())),
    (THREATS, lambda game: verify_sequence(game, "0-1 3x4")),
    (PROOF_SEARCH, ProofSearch),
    (PROOF_SEARCH, lambda game: solve_by_proof(game.start())),
    (COALITIONS, lambda game: forcing(game.start(), 1, Value.WIN)),
    (COALITIONS, coalition),
    (COALITIONS, lambda game: coalition_proof(game, 1, "win")),
    (COALITIONS, lambda game: tabulated(game.start())),
    (COALITIONS, lambda game: guide(game, 1, "random")),
    (COALITIONS, lambda game: guided_strategy(game, 1, "random")),
    (STATES, enumerate_states),
    (STATES, StateGraph),
    (VALUES, build_table),
)


def with_trait(trait: Trait) -> Game:
    """A game that says of itself that it has a trait."""
    game = Game("3^2")
    game.__dict__["_spelling"] = f"3^2 ({trait.name})"  # no table of 3^2 is its own
    game.__dict__["traits"] = frozenset(
        trait if other.axis is trait.axis else other for other in game.traits
    )
    return game


@pytest.mark.parametrize("needs", [THREATS, PROOF_SEARCH, COALITIONS, STATES, VALUES])
def test_what_is_not_known_to_hold_is_refused(needs: Requires) -> None:
    for trait in (trait for trait in Trait if trait not in needs.accepted):
        for mine, enter in ENTRIES:
            if mine is needs:
                with pytest.raises(NotSupportedError, match=r"^[^\n]*not supported for 3\^2"):
                    enter(with_trait(trait))


def test_what_may_be_absent_is_absent() -> None:
    for trait in (trait for trait in Trait if trait not in MIRRORING.accepted):
        assert mirroring_seat(with_trait(trait)) is None
    for trait in (trait for trait in Trait if trait not in PROOF_SEARCH.accepted):
        assert not suits(with_trait(trait).start())
    for trait in (trait for trait in Trait if trait not in VALUES.accepted):
        assert table_of(with_trait(trait)) is None
