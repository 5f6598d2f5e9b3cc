"""The energy of a position and of its lines, against definitions written out."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.errors import SpecError
from hyperoxo.game import Position
from hyperoxo.heuristics import HEURISTICS, as_heuristic
from tests.command import answer, oxo, printed
from tests.strategies import positions, running_positions

OPEN = running_positions()


@pytest.mark.more
@given(OPEN, st.sampled_from(sorted(HEURISTICS)), st.floats(0, 2))
def test_energies_of_moves_are_those_of_the_positions_they_lead_to(
    position: Position, name: str, bias: float
) -> None:
    # Full lines that beat everything have a stand-in in the tables of games.
    values = move_values(position, as_heuristic(name), bias)
    sign = -1.0 if position.game.misere else 1.0
    for cell, value in zip(position.legal_moves, values, strict=True):
        total = 0.0
        for seat in range(1, position.game.players + 1):
            owners = bytearray(position.owners)
            owners[cell] = seat
            after = Placed(position, bytes(owners))
            worth = ox.energy(after, name).players[seat - 1]  # type: ignore[arg-type]
            total += (1.0 if seat == position.to_move else bias) * worth if worth else 0.0
        if math.isfinite(total):
            assert sign * total == pytest.approx(value, rel=1e-9, abs=1e-9)


class Placed:
    """Stones on a board, whether or not they can be reached."""

    def __init__(self, position: Position, owners: bytes) -> None:
        self.game, self.owners, self.ply = position.game, owners, position.ply + 1


@pytest.mark.more
@given(positions(), st.sampled_from(sorted(HEURISTICS)), st.floats(-3, 3), st.floats(-3, 3))
def test_a_position_is_worth_its_lines_and_its_spins(
    position: Position, name: str, coupling: float, field: float
) -> None:
    found = ox.energy(position, name, coupling=coupling, field=field)
    assert sum(found.spins) == (2 - position.game.players) * position.ply
    for seat, worth in enumerate(found.players):
        lines = sum(line.players[seat] for line in found.lines)
        if math.isfinite(lines):
            assert worth == pytest.approx(coupling * lines + field * found.spins[seat])


def test_the_energies_of_the_report() -> None:
    position = ox.Game("3^2").position("moves:4,0,3,8")
    c = 4 ** (1 / 3)
    found = ox.energy(position)
    rows = {line.cells: line.players for line in found.lines}
    # Two stones: 2! c^2, one: c, an empty line: 1, a line of both: 0.
    assert rows[3, 4, 5] == pytest.approx((2 * c**2, 0))
    assert rows[0, 1, 2] == pytest.approx((0, c))
    assert rows[0, 4, 8] == pytest.approx((0, 0))
    # A full line is worth (n + 1)!.
    over = ox.Game("3^2").position("moves:4,0,3,8,5")
    won = ox.energy(over)
    assert {line.cells: line.players for line in won.lines}[3, 4, 5] == pytest.approx((24, 0))
    assert math.isinf(ox.energy(over, "traps").players[0])


def test_a_heuristic_of_positions_has_no_lines() -> None:
    def begun(owners, counts, sizes, player):  # type: ignore[no-untyped-def]
        return float((counts[:, player - 1] > 0).sum())

    position = ox.Game("3^2").position("moves:4,1")
    found = ox.energy(position, ox.position_heuristic(begun))
    assert (found.players, found.lines) == ((4.0, 2.0), ())


def test_any_line_table_is_an_energy_of_ising() -> None:
    position = ox.Game("3^2").position("moves:4,1")
    asked = ox.agent("ising:heuristic=kutner,bias=0.5")
    assert asked.spec == "ising:bias=0.5,heuristic=kutner"
    why = asked.think(position, 0)
    values = move_values(position, as_heuristic("kutner"), 0.5)
    assert dict(why.candidates) == pytest.approx(
        dict(zip(position.legal_moves, values.tolist(), strict=True))
    )
    squares = ox.line_heuristic(lambda own, rivals: float(own**2 * (not rivals)), full="weight")
    assert ox.agent("ising", heuristic=squares).choose(position, 0) in position.legal_moves
    for words in ("reading=scan", "c=2"):
        with pytest.raises(SpecError, match="belong to heuristic=ising"):
            ox.agent(f"ising:heuristic=traps,{words}")
    assert ox.match("3^2", ["random", "ising:heuristic=traps"], games=20, seed=1).games == 20


@pytest.mark.more
@given(OPEN, st.floats(0.1, 5), st.floats(-5, 5), st.floats(0, 1))
def test_coupling_and_field_change_values_and_no_move(
    position: Position, coupling: float, field: float, bias: float
) -> None:
    plain = ox.agent("ising", bias=bias)
    changed = ox.agent("ising", bias=bias, coupling=coupling, field=field)
    assert plain.choose(position, 3) == changed.choose(position, 3)
    one, other = plain.think(position, 3), changed.think(position, 3)
    shifts = [b[1] - coupling * a[1] for a, b in zip(one.candidates, other.candidates, strict=True)]
    assert shifts == pytest.approx([shifts[0]] * len(shifts), abs=1e-6)


def test_the_coupling_divides_the_temperature() -> None:
    hot = ox.agent("ising:temperature=4,coupling=2").seat(ox.Game("3^2"))
    cold = ox.agent("ising:temperature=2").seat(ox.Game("3^2"))
    assert hot is not None
    assert cold is not None
    assert hot.temperature == cold.temperature


def explain(*words: str) -> str:
    return printed(oxo("explain", *words))


def test_the_command_shows_the_energy() -> None:
    at = ("3^2", "--position", "moves:4,0,3", "--agent", "ising:coupling=2,field=1")
    found = answer("explain", *at, "--energy", "ising")["energy"]
    assert (found["coupling"], found["field"], found["spins"]) == (2.0, 1.0, [1, -1])
    expected = ox.energy(ox.Game("3^2").position("moves:4,0,3"), coupling=2, field=1)
    assert found == json.loads(json.dumps(expected.as_data()))
    assert "energy by ising: " in explain(*at, "--energy", "ising")
    over = ("3^2", "--position", "moves:4,0,3,8,5")
    assert "energy by traps: ∞ to player 1" in explain(*over, "--energy", "traps")
    trapped = answer("explain", *over, "--energy", "traps")["energy"]["players"]
    assert trapped[0] is None
    assert oxo("explain", "3^2", "--energy", "nothing").exit_code == 2
