"""Proof search: how fast it is, and the whole proof of 4^3 from nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator

from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.rules import Game

_NODES = (("4^3", 40_000), ("5^3", 20_000), ("4^4", 3_000))
_BOTH = "6,5,4"
_PATASHNIK = 2929


def proof(peers: bool) -> Iterator[Row]:
    """Positions opened a second from the empty board, and a game that exact search does too."""
    from hyperoxo.solvers.proofsearch.search import ProofSearch

    for spec, nodes in _NODES:
        game = Game(spec)

        def search(game: Game = game, nodes: int = nodes) -> int:
            return ProofSearch(game, megabytes=64).run(game.start(), nodes=nodes).progress.nodes

        opened = search()
        yield Row(f"proof search {spec}, positions", opened / best_seconds(search), "/s")
    start = Game(_BOTH).start()
    seconds = best_seconds(lambda: ProofSearch(start.game, megabytes=8).run(start))
    theirs = _exact_seconds() if peers else None
    peer = "our alpha-beta, here"
    yield Row(f"proof search proves {_BOTH} won", 1000 * seconds, "ms", theirs, peer)


def _exact_seconds() -> float:
    """Milliseconds of exact search to find that the first player wins."""
    from hyperoxo.solvers.exact.seat_value import ExactSearch

    game = Game(_BOTH)
    ExactSearch(Game("3^2")).value(Game("3^2").start(), 1)
    search = ExactSearch(game)
    begin = time.perf_counter()
    assert search.value(game.start(), 1, low=0.0, high=1.0) > 0
    return 1000 * (time.perf_counter() - begin)


def qubic(_peers: bool) -> Iterator[Row]:
    """The proof that 4^3 is won, from the empty board to a checked dictionary; one run each."""
    from hyperoxo.proof.dictionary_check import check_dictionary
    from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
    from hyperoxo.solvers.proofsearch.search import ProofSearch
    from hyperoxo.solvers.proofsearch.tree import proof_tree

    game = Game("4^3")
    ProofSearch(game, megabytes=8).run(game.start(), nodes=50)
    once = None
    for threads, target in ((1, 90.0), (2, 20.0)):
        search = ProofSearch(game)
        begin = time.perf_counter()
        assert search.run(game.start(), threads=threads).status == "win"
        seconds = time.perf_counter() - begin
        count = "one thread" if threads == 1 else "two threads"
        yield Row(f"proof of 4^3, {count}", seconds, "s", once, "one thread, here", target)
        once = once or seconds
    used = search.entries * 8 * search.entry_words / 2**20
    yield Row("proof of 4^3, table filled", used, "MiB", target=2048.0)
    tree = proof_tree(search, game.start())
    dictionary = dictionary_of_tree(game.start(), 1, tree)
    moves = float(len(tree.moves))
    yield Row("proof of 4^3, strategic moves", moves, "moves", _PATASHNIK, "Patashnik, published")
    check_dictionary(dictionary)
    begin = time.perf_counter()
    assert check_dictionary(dictionary).verdict == "proved"
    yield Row("check of this proof", time.perf_counter() - begin, "s", target=30.0)
