"""The game on the table: branches, turns of people, records."""

from __future__ import annotations

import pytest

from hyperoxo.errors import HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.notation import Record
from hyperoxo.rules import Game
from hyperoxo.terminal.tui.table import Table


def table(spec: str, *seats: str, moves: tuple[int, ...] = ()) -> Table:
    made = Table.new(Game(spec).start(), seats)
    for cell in moves:
        made.play(cell)
    return made


def history(game: Table) -> tuple[int, ...]:
    return game.position.history


def test_back_goes_to_the_last_turn_of_a_person() -> None:
    game = table("3^2", "human", "greedy", moves=(4, 0, 8))
    assert game.agent_to_move == "greedy"
    game.back()
    assert history(game) == (4, 0)
    game.back()
    assert history(game) == ()
    with pytest.raises(IllegalMoveError, match="take back"):
        game.back()


def test_forward_plays_again_and_branches_are_kept() -> None:
    game = table("3^2", "human", "human", moves=(4, 0, 8))
    game.back()
    game.play(2)
    assert history(game) == (4, 0, 2)
    nodes = game.branches(game.node)
    assert [game.tree.nodes[node].cell for node in nodes] == [8, 2]
    game.go(nodes[0])
    assert history(game) == (4, 0, 8)
    game.back()
    game.forward()
    assert history(game) == (4, 0, 8)
    with pytest.raises(IllegalMoveError, match="play again"):
        game.forward()


def test_resigning_ends_the_game_until_it_is_taken_back() -> None:
    game = table("3^2", "human", "human", moves=(4,))
    game.resign()
    assert game.is_over
    assert game.record().result == "1"
    with pytest.raises(IllegalMoveError):
        game.play(0)
    with pytest.raises(IllegalMoveError):
        game.resign()
    game.back()
    assert history(game) == (4,)
    game.play(0)


def test_a_record_is_gone_on_with_in_its_seats() -> None:
    record = Record(Game("3^2"), (4, 0), players=("human", "greedy"))
    game = Table.of_record(record)
    assert game.seats == ("human", "greedy")
    assert game.record().moves == record.moves
    strangers = Table.of_record(Record(Game("3^2"), (4,), players=("Ada", "Bob")))
    assert strangers.seats == ("human", "expert")


def test_a_set_up_position_is_kept_in_the_record() -> None:
    game = Table.new(Game("3^2").position("12......."), ["human", "human"])
    game.play(4)
    assert game.record().setup == "12......."


def test_wrong_seats_are_refused() -> None:
    with pytest.raises(SpecError):
        table("3^2", "human")
    with pytest.raises(HyperoxoError):
        table("3^2", "human", "nobody")
