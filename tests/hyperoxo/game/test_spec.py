"""The grammar of game specs."""

from __future__ import annotations

import pytest
from hypothesis import given

from hyperoxo.board.registry import BoardSpec
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game
from hyperoxo.game.spec import _NAMED, GameSpec, OpeningSpec, parse_game_spec
from tests.expect import message_of
from tests.strategies import game_specs


@given(game_specs())
def test_the_canonical_spelling_reads_back(spec: str) -> None:
    game = Game(spec)
    assert Game(str(game)) == game
    assert str(Game(str(game))) == str(game)
    assert hash(Game(str(game))) == hash(game)
    assert Game(str(game)).board == game.board


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("3^2", "3^2"),
        ("03^02", "3^2"),
        ("3^2:players=2,target=1", "3^2"),
        ("3^4:blocked=centre,target=9", "3^4:target=9,blocked=centre"),
        ("3^4:blocked=40", "3^4:blocked=centre"),
        ("3^4:blocked=41+40", "3^4:blocked=40+41"),
        ("4^3:gravity=0", "4^3:gravity"),
        ("4^3:gravity=2", "4^3:gravity=2"),
        ("3^2:opening=7+1+5+3", "3^2:opening=poor"),
        ("3^2:opening=4", "3^2:opening=rich"),
        ("3^2:opening=0+1+2+3+4+5+6+7+8", "3^2"),
        ("3^2:opening=poorx1", "3^2:opening=poor"),
        ("3^2:opening=0+8x2,misere", "3^2:misere,opening=0+8x2"),
        ("2^2:opening=poor", "2^2"),
        ("7,6,4:gravity", "7,6,4:gravity"),
        ("4{2+1+0/3+2}", "4{0+1+2/2+3}"),
        ("3{}", "3{}"),
        ("3^2:gravity=1,players=8,misere,target=3", "3^2:players=8,target=3,misere,gravity=1"),
        ("5^2:misere,connect=4", "5^2:connect=4,misere"),
        ("5^2:connect=5", "5^2"),
        ("5^2:wrap,connect=5", "5^2:wrap"),
        ("5^2:wrap=1+0,connect=4", "5^2:connect=4,wrap"),
        ("3^3:wrap=2+0", "3^3:wrap=0+2"),
        ("7,6,4:gravity,wrap=1", "7,6,4:wrap=1,gravity"),
        ("3^2:wrap,opening=poor", "3^2:wrap"),
        ("15,15,5:players=3,exact", "15,15,5:exact,players=3"),
        ("5^2:exact,connect=4", "5^2:connect=4,exact"),
        ("5^2:connect=5,exact", "5^2"),
        ("3,4,4:exact", "3,4,4"),
        ("3^2:first-turn=1,bias=2+2", "3^2:bias=2+2,first-turn=1"),
        ("3^2:first-turn=2,bias=2+2", "3^2:bias=2+2"),
        ("3^2:first-turn=1,bias=1+3,first=2", "3^2:bias=1+3,first=2,first-turn=1"),
    ],
)
def test_canonical_spelling(spec: str, canonical: str) -> None:
    assert str(Game(spec)) == canonical


def test_parts_of_a_spec() -> None:
    assert parse_game_spec("3^4:blocked=centre,target=9") == GameSpec(
        BoardSpec("hypercube", (3, 4)), target=9, blocked="centre"
    )
    assert parse_game_spec("7,6,4:gravity,opening=3+4x2") == GameSpec(
        BoardSpec("mnk", (7, 6, 4)), gravity=0, opening=OpeningSpec((3, 4), 2)
    )
    assert parse_game_spec("5^2:wrap,misere,connect=4") == GameSpec(
        BoardSpec("hypercube", (5, 2), connect=4, wrap=()), misere=True
    )
    assert parse_game_spec("3{0+1/2}").board == BoardSpec("lines", (3,), ((0, 1), (2,)))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "a board is SIDE^DIM such as 3^2, or M,N,K such as 7,6,4 (character 1)"),
        ("3", "a board is SIDE^DIM"),
        ("Connect Four", "did you mean '7,6,4:gravity'? (character 1)"),
        ("tic_tac_toe:misere", "did you mean '3^2'?"),
        ("3 ^2", "a board is SIDE^DIM"),
        ("-3^2", "a board is SIDE^DIM"),
        ("٣^2", "a board is SIDE^DIM"),
        ("3,3", "a board is SIDE^DIM"),
        ("3{0+1/}", "line: a cell must be a whole number, not ''"),
        ("3{0+0}", "line names a cell twice"),
        ("3^2:", "an option must follow ':' (character 5)"),
        ("3^2:misere,", "unknown option ''"),
        ("3^2:mizere", "unknown option 'mizere'; did you mean 'misere'? (character 5)"),
        ("3^2:quick", "unknown option 'quick'; options are connect, wrap, exact, players"),
        ("7x6", "how many in a row? Write 7,6,K (character 1)"),
        ("15x15", "how many in a row? Write 15,15,K"),
        ("7x6x4", "did you mean '7,6,4'?"),
        ("3x3x", "a board is SIDE^DIM"),
        ("1x11", "how many in a row? Write 1,11,K"),
        ("3^2:misere,players=x", "players must be a whole number, not 'x' (character 12)"),
        ("3^2:players", "players needs a value, as in 'players=2'"),
        ("3^2:players=", "option 'players' has no value after '='"),
        ("3^2:players=2,players=2", "option 'players' is given twice (character 15)"),
        ("3^2:players=1000000000", "players is too large"),
        ("3^2:players=1", "players must be 2 to 8, not 1"),
        ("3^2:players=9", "players must be 2 to 8, not 9"),
        ("3^2:target=0", "target must be at least 1, not 0"),
        ("3^2:first-turn=2", "first-turn must be 1 to 1, as in the bias, not 2"),
        ("3^2:bias=1+3,first=2,first-turn=0", "first-turn must be 1 to 3, as in the bias"),
        ("3^2:first-turn", "first-turn needs a value, as in 'first-turn=2'"),
        ("3^2:bias=2+2,first-turn=1,first-turn=1", "option 'first-turn' is given twice"),
        ("3^2:misere=1", "option 'misere' takes no value"),
        ("4,4,3:exact=4", "option 'exact' takes no value"),
        ("4,4,3:exact,wrap=1", "exact needs lines that end, and lines that wrap do not"),
        ("4,4,1:exact", "exact needs lines of at least 2 cells, not of 1"),
        ("6{0+1}:exact", "exact needs a board SIDE^DIM such as 3^2 or M,N,K such as 7,6,4"),
        ("3^2:gravity=2", "gravity axis must be 0 to 1, not 2"),
        ("3^2:gravity=x", "gravity must be a whole number"),
        ("3{0+1}:gravity", "gravity needs a board with coordinates"),
        ("3^2:blocked", "blocked needs cells"),
        ("3^2:blocked=9", "there is no cell 9; cells are 0 to 8"),
        ("3^2:blocked=0+0", "blocked names a cell twice"),
        ("3^2:blocked=center", "blocked: a cell must be a whole number, not 'center'"),
        ("4^2:blocked=centre", "this board has no centre cell to block"),
        ("3{0+1}:blocked=centre", "this board has no centre cell to block"),
        ("1^1:blocked=0", "every cell is blocked"),
        ("3^2:opening=9", "opening: there is no cell 9"),
        ("3^2:blocked=4,opening=4", "opening: cell 4 is blocked"),
        ("3^2:opening=0x0", "opening must restrict at least 1 move, not 0"),
        ("3^2:opening=0x", "opening: the number of moves must be a whole number"),
        ("3^2:gravity,opening=4", "opening leaves player 1 no legal first move"),
        ("0^2", "side must be a positive integer, not 0"),
        ("3^0", "dimension must be a positive integer, not 0"),
        ("3,0,3", "all three must be positive"),
        ("2{0+2}", "line 0: there is no cell 2"),
        ("3{0+1/1+0}", "line 1 repeats line 0"),
        ("4^2:connect=5", "connect must be 1 to 4, not 5"),
        ("4^2:connect=0", "connect must be 1 to 4, not 0"),
        ("4^2:connect", "connect needs a value, as in 'connect=2'"),
        ("7,6,4:connect=3", "connect needs a board SIDE^DIM such as 3^2"),
        ("3{0+1}:wrap", "wrap needs a board SIDE^DIM such as 3^2 or M,N,K such as 7,6,4"),
        ("4^2:wrap=2", "wrap: there is no axis 2; axes are 0 to 1"),
        ("4^2:wrap=x", "wrap: an axis must be a whole number"),
        ("4^2:wrap=1+1", "wrap names an axis twice"),
        ("7,6,4:wrap,gravity", "gravity along axis 0 needs a floor"),
    ],
)
def test_what_is_refused(spec: str, message: str) -> None:
    found = message_of(SpecError, Game, spec)
    assert message in found
    assert found.startswith("bad game ")


def test_long_specs_are_cut_in_messages() -> None:
    spec = "3^2:blocked=" + "+".join(map(str, range(500))) + "+x"
    assert len(message_of(SpecError, Game, spec)) < 200


@pytest.mark.parametrize("spec", ["10001^2", "1^999999999", "999999999^999999999", "9999,9999,1"])
def test_too_large(spec: str) -> None:
    with pytest.raises(LimitError, match=r"the limit is|would need about"):
        Game(spec)


@pytest.mark.parametrize(
    ("text", "spec"),
    [("3x3", "3^2"), ("4x4x4:gravity", "4^3:gravity"), ("4×4", "4^2"), ("2x2x2x2", "2^4")],
)
def test_equal_sides_may_be_joined_by_a_cross(text: str, spec: str) -> None:
    assert str(Game(text)) == spec


def test_names_of_games_lead_to_canonical_specs() -> None:
    for name, spec in _NAMED.items():
        assert str(Game(spec)) == spec
        assert name.isalnum()
        assert name == name.lower()
