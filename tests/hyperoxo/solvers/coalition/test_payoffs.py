"""Alliances against one player: the sum of all is nothing, and the lot is fair."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hyperoxo.solvers.coalition.forces import alliances, coalition


@pytest.mark.parametrize("spec", ["2^2:players=3", "2^2:players=4", "2^2", "3^2:players=3"])
def test_all_payoffs_sum_to_nothing(spec: str) -> None:
    found = coalition(spec)
    players = found.position.game.players
    for one, seat in zip(alliances(found, 6), found.seats, strict=True):
        assert one.seat is not None
        assert one.ally is not None
        assert one.seat + (players - 1) * one.ally == 0
        wins = {"win": 6, "draw": 0, "nothing": Fraction(-6, players - 1)}
        assert one.seat == wins[seat.forces]
        if seat.forces == "nothing":
            # By lot one ally wins 6, and the other q - 2 lose 6 / (q - 1) each.
            lot = [Fraction(6), *[Fraction(-6, players - 1)] * (players - 2)]
            assert one.ally == sum(lot) / (players - 1)


def test_what_is_unknown_has_no_payoff() -> None:
    unknown = alliances(coalition("5^3:players=3", seconds=0))
    assert all(one.seat is None or one.ally is not None for one in unknown)
    assert any(one.seat is None for one in unknown)
    assert [one.against for one in unknown] == [1, 2, 3]
