from __future__ import annotations

from functools import partial

import pytest

from tests.command import answer, oxo

explain = partial(answer, "explain", "--seed", "0")


def test_minimax_tells_what_it_visited() -> None:
    told = explain("3^2", "--agent", "minimax:depth=2,heuristic=lines,prune=off")
    assert told["visits_by_depth"] == [1, 9, 72]
    assert told["maxstates"] == 140
    assert told["move"] == 4
    assert told["candidates"][0]["cell"] == 4


def test_a_position_and_a_line() -> None:
    told = explain("3^3", "--agent", "minimax", "--position", "moves:13,0")
    assert told["exact"]
    top = told["candidates"][0]["score"]
    best = {row["cell"] for row in told["candidates"] if row["score"] == top}
    assert {told["variation"][0], told["move"]} <= best
    assert told["reason"].endswith("wins in 5 moves.")


@pytest.mark.parametrize(
    "agent", ["greedy", "ising", "mcts:simulations=50", "expert:simulations=50"]
)
def test_every_agent_that_has_reasons(agent: str) -> None:
    told = explain("3^2", "--agent", agent, "--position", "moves:4,0,2")
    assert told["move"] == 6
    assert told["reason"].startswith("Cell a1")


def test_an_agent_without_reasons() -> None:
    assert explain("3^2", "--agent", "random")["reason"] is None
    assert "gives no reasons" in oxo("explain", "3^2", "--agent", "random").stdout


@pytest.mark.more
def test_text() -> None:
    text = oxo("explain", "4^3", "--agent", "minimax:depth=2").stdout
    assert "best line: " in text
    assert "and 52 more" in text
    assert "maxstates of a whole game" in text


@pytest.mark.parametrize(
    ("words", "code"),
    [(["3^2", "--agent", "nobody"], 2), (["3^2", "--position", "moves:4,4"], 2)],
)
def test_wrong_requests(words: list[str], code: int) -> None:
    done = oxo("explain", *words)
    assert done.exit_code == code


def test_what_a_stored_proof_knows_of_the_move() -> None:
    words = ["explain", "4^3", "--agent", "ising:ties=lowest", "--position"]
    lost = oxo(*words, "moves:0").stdout
    assert " loses: proved.\nStored proof: player 1 wins 4^3" in lost
    won = oxo(*words, "moves:0,21,3,22").stdout
    assert "Stored proof: player 1 wins 4^3" in won
    assert " wins: proved." in won or "Player 1 wins here, but of this move" in won
    other = ["explain", "3^3", "--agent", "random"]
    assert "Stored proof" not in oxo(*other).stdout
