"""Speed of Maker-Breaker search, beside exact search of the same game."""

from __future__ import annotations

import time
from collections.abc import Iterator

from hyperoxo.game import Game
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.search import MakerSearch
from hyperoxo_research.bench.rows import Row, best_seconds
from hyperoxo_research.draws.key_plan_search import find_key_plan

_ROLES = "convention=maker-breaker"
_NODES = (("4^3", 4_000), ("5^3", 2_000), ("3^4:bias=1+5", 4_000))
_BOTH, _ALONE = "5,4,4", "4^3:bias=1+2"
_PLANNED = "7^3"


def rows(peers: bool) -> Iterator[Row]:
    """Yield positions expanded per second, and times to decide games, in processor time."""
    for spec, nodes in _NODES:
        game = _game(spec)
        search = MakerSearch(game, 1)
        search.find(game.start(), nodes=50)  # compiles
        begin = time.process_time()
        opened = search.find(game.start(), nodes=nodes).nodes
        rate = opened / (time.process_time() - begin)
        yield Row(f"Maker-Breaker search {spec}, positions", rate, "/s")
    seconds = _decided(_BOTH)
    theirs = 1000 * exact_seconds(_game(_BOTH), seat_wins=False) if peers else None
    yield Row(f"Breaker wins {_BOTH}", 1000 * seconds, "ms", theirs, "our alpha-beta, here")
    yield Row(f"Breaker wins {_ALONE}", 1000 * _decided(_ALONE), "ms")
    seconds = best_seconds(lambda: find_key_plan(_PLANNED), clock=time.process_time)
    yield Row(f"Breaker's key plan for {_PLANNED}", seconds, "s")


def _game(spec: str) -> Game:
    return Game(f"{spec}{',' if ':' in spec else ':'}{_ROLES}")


def _decided(spec: str) -> float:
    """Return the seconds to find that Breaker wins, with an empty table each time."""
    game = _game(spec)

    def decide() -> None:
        assert MakerSearch(game, 1).find(game.start()).maker_wins is False

    return best_seconds(decide, clock=time.process_time)


def exact_seconds(game: Game, seat_wins: bool) -> float:
    """Return the seconds of an exact null-window search for a win of the first player."""
    small = Game("3^2")
    ExactSearch(small).value(small.start(), 1)  # compiles
    search = ExactSearch(game)
    begin = time.process_time()
    low = 0.0 if seat_wins else -1.0
    assert (search.value(game.start(), 1, low=low, high=low + 1.0) > 0) is seat_wins
    return time.process_time() - begin
