from __future__ import annotations

import threading

import pytest

import hyperoxo as ox
from hyperoxo.errors import AgentError, NotSupportedError, SpecError
from hyperoxo.game import Position
from hyperoxo.task import Task

WORTH = 100_000


def as_written(position: Position, depth: int, alpha: int, beta: int) -> tuple[int, int]:
    """The published function, written out on positions; player 2 maximises."""
    second = position.to_move == 2 if not position.is_over else False
    best, move = (-WORTH if second else WORTH), -1
    if (outcome := position.outcome) is not None:
        winner = outcome.winners[0] if len(outcome.winners) == 1 else 0
        return (0, -WORTH, WORTH)[winner], -1
    for cell in sorted(position.legal_moves):
        score, _ = as_written(position.play(cell), depth + 1, alpha, beta)
        if (score > best) if second else (score < best):
            best, move = (score - 10 * depth if second else score + 10 * depth), cell
            alpha, beta = (max(alpha, best), beta) if second else (alpha, min(beta, best))
            if beta <= alpha:
                break
    return best, move


@pytest.mark.parametrize(
    ("game", "text"),
    [("3^2", "moves:4,0"), ("3^2", "moves:0,4,8"), ("3^2", "moves:1,4,0"), ("2^3", "moves:0"),
     ("3^2:misere", "moves:4,0,1"), ("3^2:gravity", "moves:0,3"), ("4,3,3", "moves:0,1,2,3,4,5")],
)  # fmt: skip
def test_the_published_search_is_the_function_of_the_report(game: str, text: str) -> None:
    position = ox.Game(game).position(text)
    value, move = as_written(position, 0, -WORTH, WORTH)
    asked = ox.agent("minimax:reading=published")
    assert asked.choose(position) == (move if move >= 0 else position.legal_moves[0])
    why = asked.think(position)
    assert why.candidates[0][1] == (value if position.to_move == 2 else -value)


def test_the_published_search_has_no_options_and_no_memory() -> None:
    asked = ox.agent("minimax:reading=published")
    assert asked.spec == "minimax:reading=published"
    # The first best move of the empty board, as in the report: the corner 0.
    assert asked.choose(ox.Game("3^2").start()) == 0
    for words in ("depth=3", "heuristic=lines", "ties=lowest", "seconds=1", "concept=paranoid"):
        with pytest.raises(SpecError, match="no other option but nodes"):
            ox.agent(f"minimax:reading=published,{words}")
    few = ox.agent("minimax:reading=published,nodes=1000")
    with pytest.raises(AgentError, match="1,000 positions were not enough in 3"):
        few.choose(ox.Game("3^3").start())
    with pytest.raises(NotSupportedError):
        asked.choose(ox.Game("3^2:players=3").start())


def test_who_has_nothing_yet_plays_a_simpler_move(stop: threading.Event) -> None:
    """The published search returns what it has found at its end alone."""
    position = ox.Game("4^2").start()
    found = ox.agent("minimax:reading=published").think(position, 0, Task(stop=stop))
    assert found.hurried
    assert "a simpler move, by greedy" in found.reason
