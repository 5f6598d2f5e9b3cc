"""The benchmarks, with targets and peers.

Every case yields rows; figures are the best of a few runs after compilation, on one core, unless a
case says otherwise.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game, Position
from hyperoxo_research.bench import environments, first, growth, maker_breaker
from hyperoxo_research.bench.rows import Row, best_seconds, random_play_of, rate, taken

_OPENSPIEL = "OpenSpiel MCTSBot in C++, one rollout, here"
_SEEDS = 20
_PEER_SIMULATIONS = 5_000
_PEER_PROOF_SIMULATIONS = 5_000_000


def mcts(peers: bool) -> Iterator[Row]:
    """Simulations a second, with random playouts and guided, and seconds to prove 3^3 won."""
    from hyperoxo.agents.mcts import PuctAgent
    from hyperoxo.agents.tree_search import TreeSettings, grow_tree

    for name, side, dim, settings, target in (
        ("mcts", 3, 3, TreeSettings(simulations=2_000), 6e5),
        ("mcts", 4, 3, TreeSettings(simulations=20_000), 3e5),
        ("puct", 4, 3, PuctAgent(simulations=2_000).settings, 2e5),
    ):
        start = Game(side=side, dim=dim).start()
        grow_tree(start, settings, 0)  # compiles
        begin = time.perf_counter()
        done = sum(grow_tree(start, settings, seed).simulations for seed in range(_SEEDS))
        ours = done / (time.perf_counter() - begin)
        theirs = None
        if peers and name == "mcts":
            theirs = _PEER_SIMULATIONS / _peer_seconds(side, dim, _PEER_SIMULATIONS)
        yield Row(f"{name} simulations {side}^{dim}", ours, "/s", theirs, _OPENSPIEL, target)
    start = Game("3^3").start()
    proof = TreeSettings(simulations=1_000_000)
    seconds = best_seconds(lambda: [grow_tree(start, proof, seed) for seed in range(_SEEDS)])
    theirs = _peer_seconds(3, 3, _PEER_PROOF_SIMULATIONS) if peers else None
    yield Row("mcts proves 3^3 won, mean", seconds / _SEEDS, "s", theirs, _OPENSPIEL, 1.0)


def _peer_seconds(side: int, dim: int, simulations: int) -> float:
    game = _gomoku(side, dim)
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 8000, True, 0, False)
    state = game.new_initial_state()
    begin = time.perf_counter()
    bot.mcts_search(state)
    return time.perf_counter() - begin


def _gomoku(side: int, dim: int) -> Any:
    """Load the n^d game of OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        raise MissingExtraError("adapters", "comparing with OpenSpiel") from None
    return pyspiel.load_game("gomoku", {"size": side, "dims": dim, "connect": side})


def random_games_per_second(side: int, dim: int) -> float:
    """Play random games through OpenSpiel's Python interface and count them."""
    play = random_play_of(_gomoku(side, dim))
    return rate(lambda: play() > 0, 0.5, time.perf_counter)


_NODES = (("4^3", 40_000), ("5^3", 20_000), ("4^4", 3_000))
_BOTH = "6,5,4"


def proof(peers: bool) -> Iterator[Row]:
    """Yield expanded positions per second, and the time of a game that exact search solves too."""
    from hyperoxo.solvers.proofsearch.search import ProofSearch

    for spec, nodes in _NODES:
        start = Game(spec).start()

        def search(start: Position = start, nodes: int = nodes) -> int:
            return ProofSearch(start.game, megabytes=64).run(start, nodes=nodes).nodes

        seconds = best_seconds(search)
        yield Row(f"proof search {spec}, positions", search() / seconds, "/s")
    start = Game(_BOTH).start()
    seconds = best_seconds(lambda: ProofSearch(start.game, megabytes=8).run(start))
    theirs = 1000 * maker_breaker.exact_seconds(start.game, seat_wins=True) if peers else None
    peer = "our alpha-beta, here"
    yield Row(f"proof search proves {_BOTH} won", 1000 * seconds, "ms", theirs, peer)


def qubic(_peers: bool) -> Iterator[Row]:
    """The proof that 4^3 is won, from the empty board to a checked dictionary; one run each."""
    from hyperoxo.proof.dictionary_check import check_dictionary
    from hyperoxo.solvers.proofsearch.driver import PATASHNIK, dictionary_of_tree
    from hyperoxo.solvers.proofsearch.search import ProofSearch
    from hyperoxo.solvers.proofsearch.tree import proof_tree

    game = Game("4^3")
    ProofSearch(game, megabytes=8).run(game.start(), nodes=50)  # compiles
    once = None
    for threads, count, target in ((1, "one thread", 6.0), (2, "two threads", 3.0)):
        search = ProofSearch(game)
        begin = time.perf_counter()
        assert search.run(game.start(), threads=threads).status == "win"
        seconds = time.perf_counter() - begin
        yield Row(f"proof of 4^3, {count}", seconds, "s", once, "one thread, here", target)
        once = once or seconds
    used = search.entries * 8 * search.entry_words / 2**20
    yield Row("proof of 4^3, table filled", used, "MiB", target=2048.0)
    tree = proof_tree(search, game.start())
    dictionary = dictionary_of_tree(game.start(), 1, tree)
    moves = float(len(tree.moves))
    yield Row("proof of 4^3, strategic moves", moves, "moves", PATASHNIK, "Patashnik, published")
    check_dictionary(dictionary)  # compiles
    begin = time.perf_counter()
    assert check_dictionary(dictionary).verdict == "proved"
    yield Row("check of this proof", time.perf_counter() - begin, "s", target=30.0)


_CASES = (("4^3", 60_000, 70.0), ("5^3", 3_000, None))
_HARD = 200
_GENERAL = "our search for every board and gravity, here"


def middle_games(game: Game, count: int) -> list[tuple[int, int]]:
    """Stones of the player to move and of the other, as sets of cells."""
    rng = random.Random(5)
    cells = game.cells
    lines = [sum(1 << int(cell) for cell in line) for line in game.board.lines]
    found = []
    for _ in range(count):
        played = rng.sample(range(cells), rng.randint(10 * cells // 64, 30 * cells // 64))
        sides = [sum(1 << cell for cell in played[seat::2]) for seat in range(2)]
        # A game with a full line is over, so fewer than `count` positions remain.
        if not any(line & side == line for line in lines for side in sides):
            mover = len(played) % 2
            found.append((sides[mover], sides[1 - mover]))
    return found


class _Threats:
    """Threat searches of positions, each a pair of sets of cells."""

    def __init__(self, game: Game) -> None:
        from hyperoxo.kernels.cell_sets import cells_of
        from hyperoxo.solvers.threats.search import bit_board_of

        board = bit_board_of(game)
        assert board is not None
        self.game, self.board = game, board
        self._line, self._like = np.zeros(game.cells + 2, np.int32), cells_of(0, game.cells)

    def words(self, positions: Sequence[tuple[int, int]]) -> NDArray[np.uint64]:
        """Return positions as the kernel reads them."""
        from hyperoxo.kernels.cell_sets import cells_of

        sets = [cells_of(number, self.game.cells) for pair in positions for number in pair]
        return np.ravel(np.array(sets, np.uint64))

    def fresh(self, stones: NDArray[np.uint64], bits: int = 14) -> int:
        """Search with an empty memory."""
        return self.nodes(stones, self.memory(bits))

    def memory(self, bits: int = 14) -> NDArray[np.uint64]:
        """Return an empty memory."""
        from hyperoxo.kernels.threat_bits import new_bit_work

        return new_bit_work(self.board, bits)

    def nodes(self, stones: NDArray[np.uint64], work: NDArray[np.uint64]) -> int:
        """Search, and count the positions that are looked into."""
        from hyperoxo_research.kernels.threat_counts import count_wins

        control = np.zeros(3, np.int64)
        count_wins(self.board, work, control, stones, self._like, self._line)
        return int(control[0])


def threats(peers: bool) -> Iterator[Row]:
    """Nanoseconds a node, where a search takes at least 200 nodes, with one memory for all."""
    for spec, games, target in _CASES:
        game = Game(spec)
        search, positions = _Threats(game), middle_games(game, games)
        memory = search.memory()
        hard = [pair for pair in positions if search.nodes(search.words([pair]), memory) >= _HARD]
        stones = search.words(hard)
        ours = best_seconds(partial(search.fresh, stones), 5) / search.fresh(stones) * 1e9
        theirs = _general(game, hard) if peers else None
        yield Row(f"threat search {game}, a node", ours, "ns", theirs, _GENERAL, target)
        seconds = best_seconds(partial(search.fresh, search.words(positions)))
        yield Row(f"threat search {game}, any middle game", seconds / len(positions) * 1e9, "ns")


def _general(game: Game, positions: list[tuple[int, int]]) -> float:
    """Nanoseconds a node of the search on tables and states."""
    from hyperoxo.kernels.threat_bits import FOREVER
    from hyperoxo.kernels.threats import find_win, new_work
    from hyperoxo.solvers.arrays import state_of, tables_of

    tables = tables_of(game)
    work, memo = new_work(tables), np.zeros(3 << 14, np.uint64)
    line = np.zeros(game.cells + 2, np.int32)
    states = [state_of(_position(game, pair)) for pair in positions]

    def nodes() -> int:
        control = np.zeros(3, np.int64)
        memo[:] = 0
        for state in states:
            find_win(tables, state, work, memo, control, FOREVER, line)
        return int(control[0])

    return best_seconds(nodes, 4) / nodes() * 1e9


def _position(game: Game, pair: tuple[int, int]) -> Position:
    """Return the position: the player to move has as many stones as the other, or one less."""
    from hyperoxo.solvers.proofsearch.view import owners_of

    mover = 1 if pair[0].bit_count() == pair[1].bit_count() else 2
    return Position.from_owners(game, owners_of(game, mover, pair))


def memory(_peers: bool) -> Iterator[Row]:
    """Yield the savings by the tables of the threat search and the proof search on 4^3."""
    from hyperoxo.solvers.proofsearch.search import ProofSearch

    game = Game("4^3")
    search, positions = _Threats(game), middle_games(game, _SEARCHED)
    stones = search.words(positions)

    def prove(megabytes: float) -> int:
        """Return the positions that the proofs open."""
        nodes = 0
        for position in _PROVED:
            found = ProofSearch(game, megabytes=megabytes).run(game.position(position))
            assert found.status == "win"
            nodes += found.nodes
        return nodes

    name = f"forced wins of {len(positions):,} middle games of {game}"
    works = [partial(search.fresh, stones, bits) for bits in (14, 0)]
    seconds = [1000 * best_seconds(work) for work in works]
    yield Row(name, seconds[0], "ms", seconds[1], _WITHOUT)
    nodes = [work() for work in works]
    yield Row(name, nodes[0], "positions", nodes[1], _WITHOUT)
    name = f"proofs of {game} against {len(_PROVED)} replies to cell 0"
    yield Row(name, prove(64), "positions", prove(0), _SMALL, remark=_FEW_MET_TWICE)


_SEARCHED = 2000
_PROVED = "moves:0,1", "moves:0,21", "moves:0,27", "moves:0,63"
_WITHOUT = "the same with room for one failure, here"
_SMALL = "the same with a table of 64 KiB, here"
_FEW_MET_TWICE = "threat searches close most branches, so few subtrees are met twice"

_GAMES = 500_000
_NAIVE = 2_000
_LOOKUPS = 10_000
_PUBLISHED = 20 * 60.0
_REPORT = "C++ and Python of the report, published as about 20 minutes"


def boards(_peers: bool) -> Iterator[Row]:
    """Seconds to build a board with both incidence tables."""
    from hyperoxo.board import hypercube

    for side, dim, target in ((4, 4, 0.1), (5, 5, 0.5), (3, 8, 2.0)):
        seconds = best_seconds(partial(hypercube, side, dim))
        yield Row(f"build {side}^{dim}", seconds, "s", target=target)


def _random_positions(count: int) -> NDArray[np.uint8]:
    """4^3 positions of 1 to 40 stones, laid alternately on random cells."""
    rng = np.random.default_rng(0)
    owners = np.zeros((count, 64), dtype=np.uint8)
    for row, stones in zip(owners, rng.integers(1, 41, count), strict=True):
        row[rng.permutation(64)[:stones]] = np.arange(stones) % 2 + 1
    return owners


def canonical(peers: bool) -> Iterator[Row]:
    """Canonical forms of random 4^3 positions a second, beside two other ways to make them."""
    symmetry = Game("4^3").symmetry
    owners = _random_positions(100_000)
    ours = len(owners) / best_seconds(lambda: symmetry.canonical(owners))
    theirs = None
    if peers:
        from hyperoxo_research.kernels.byte_tables import byte_tables, canonical_pairs, pairs_of

        tables = byte_tables(symmetry.permutations())
        pairs = pairs_of(owners)
        theirs = len(owners) / best_seconds(lambda: canonical_pairs(pairs, tables), 1)
    yield Row("canonical forms 4^3", ours, "/s", theirs, "plain byte tables, here", 1e6)
    if peers:
        few = owners[:_NAIVE]
        permutations = list(symmetry.permutations())
        naive = len(few) / best_seconds(lambda: _one_by_one(few, permutations), 1)
        peer = "NumPy, one permutation after the other, here"
        yield Row("canonical forms 4^3, naive peer", ours, "/s", naive, peer)


def _one_by_one(owners: NDArray[np.uint8], permutations: list[NDArray[np.int32]]) -> list[bytes]:
    """Canonical forms the naive way: every image of every position is made and compared."""
    return [
        max(position[permutation].tobytes() for permutation in permutations) for position in owners
    ]


def playouts(peers: bool) -> Iterator[Row]:
    """Random games a second, a whole batch called once from Python."""
    from hyperoxo.lab.compiled import random_play

    for side, dim, target in ((3, 2, 8e6), (3, 3, 4e6), (4, 3, 3.5e6), (3, 4, 2.5e6)):
        game = Game(side=side, dim=dim)
        seconds = best_seconds(partial(random_play, game, _GAMES))
        ours = _GAMES / seconds
        theirs = random_games_per_second(side, dim) if peers else None
        name = f"random games {side}^{dim}"
        yield Row(name, ours, "/s", theirs, "OpenSpiel gomoku from Python, here", target)


def ising(_peers: bool) -> Iterator[Row]:
    """Milliseconds for a whole game of ising against itself."""
    from hyperoxo.agents import agent
    from hyperoxo.lab.compiled import play_batch

    cases = ((3, 3, 0.05, 20.0), (4, 3, 0.2, 420.0), (5, 3, 1.0, 4500.0), (5, 4, 20.0, 1.8e6))
    for side, dim, target, published in cases:
        game = Game(side=side, dim=dim)
        seat = agent("ising").seat(game)
        assert seat is not None
        games = 2000 if side**dim < 100 else 100
        seconds = best_seconds(partial(play_batch, game, [seat, seat], games))
        milliseconds = 1000 * seconds / games
        name, peer = f"ising against itself {side}^{dim}", "C++ program of the report, published"
        yield Row(name, milliseconds, "ms", published, peer, target)


def matches(_peers: bool) -> Iterator[Row]:
    """Seconds for a million games of ising against random, with all that a match does."""
    from hyperoxo.lab.match import match

    seconds = best_seconds(lambda: match("3^2", ["ising", "random"], 1_000_000), 1)
    yield Row("10^6 games of ising and random 3^2", seconds, "s", target=10.0)


def perft(_peers: bool) -> Iterator[Row]:
    """Move sequences counted a second."""
    from hyperoxo.solvers import perft as count

    for spec, plies in (("3^2", 9), ("4^2", 6), ("7,6,4:gravity", 7)):
        start = Game(spec).start()
        total = sum(count(start, plies).sequences_by_ply)
        seconds = best_seconds(partial(count, start, plies))
        yield Row(f"perft {spec}, {plies} plies", total / seconds, "/s")


def minimax(_peers: bool) -> Iterator[Row]:
    """Milliseconds of exact minimax: a whole game on 3^2, and values from the empty board."""
    from hyperoxo.agents.minimax import MinimaxAgent

    def whole_game() -> None:
        agent = MinimaxAgent()
        position = Game("3^2").start()
        while not position.is_over:
            position = position.play(agent.choose(position, position.ply))

    yield Row("exact minimax game 3^2", 1000 * best_seconds(whole_game, 20), "ms", target=2.0)
    for spec, target in (("4^2", 200.0), ("3^3", 20.0), ("3^4", None)):
        start = Game(spec).start()
        seconds = best_seconds(lambda start=start: MinimaxAgent().search(start))  # type: ignore[misc]
        yield Row(f"minimax solves {spec}", 1000 * seconds, "ms", target=target)


_JUDGED = 500


def networks(_peers: bool) -> Iterator[Row]:
    """Positions of random games, to half of the board, judged a second of processor time."""
    from hyperoxo.agents.network import stored_network

    rng = np.random.default_rng(0)
    for spec in ("3^2", "3^3", "4^3"):
        found: list[NDArray[np.uint8]] = []
        position = Game(spec).start()
        while len(found) < _JUDGED:
            found.append(np.frombuffer(position.owners, np.uint8))
            position = position.play(int(rng.choice(position.legal_moves)))
            if position.is_over or 2 * position.ply > position.game.cells:
                position = position.game.start()
        work = partial(stored_network(spec).judge, position.game, np.stack(found))
        rate = _JUDGED / best_seconds(work, 20, time.process_time)
        yield Row(f"network judges {spec}", rate, "/s")


def states(_peers: bool) -> Iterator[Row]:
    """Seconds to count all positions through classes and one by one, and for a look-up."""
    from hyperoxo.solvers.states.enumerate import enumerate_states
    from hyperoxo.solvers.states.graph import StateGraph
    from hyperoxo.solvers.states.tables import build_table

    seconds = best_seconds(lambda: enumerate_states("3^2"), 10)
    yield Row("positions of 3^2", 1000 * seconds, "ms", target=20.0)
    if importlib.util.find_spec("networkx") is not None:
        seconds = best_seconds(lambda: StateGraph("3^2", symmetry=False).to_networkx())
        yield Row("graph of 3^2 in NetworkX", seconds, "s", _PUBLISHED, _REPORT)
    seconds = best_seconds(lambda: enumerate_states("4^2"))
    yield Row("positions of 4^2, by class", seconds, "s", target=3.0)
    enumerate_states("3^2", symmetry=False)  # compiles
    alone = taken(lambda: enumerate_states("4^2", symmetry=False), time.perf_counter)
    yield Row("positions of 4^2, one by one", alone, "s", target=15.0)
    game = Game("4^2")
    build_table(Game("3^2"))  # compiles
    begin = time.perf_counter()
    table = build_table(game)
    yield Row("values of all positions of 4^2", time.perf_counter() - begin, "s")
    position = game.position("moves:5,0,10")
    looked = best_seconds(lambda: [table.lookup(position) for _ in range(_LOOKUPS)])
    yield Row("look-up of a value", 1e9 * looked / _LOOKUPS, "ns")


_MANY = 100_000


def many(peers: bool) -> Iterator[Row]:
    """Positions of 3^2 solved a second of processor time by one call, which reads the table.

    The peers are a call for each, which remembers them all, and the limit: reading an array by
    indices that NumPy makes of the same rows.
    """
    import hyperoxo as ox
    from hyperoxo.learn.truth import all_classes

    every, _ = all_classes(Game("3^2"))
    given, single = every[np.random.default_rng(0).integers(len(every), size=_MANY)], [*every]
    values, powers = np.zeros(3**9, np.uint8), 3 ** np.arange(9)
    spent = partial(best_seconds, repeats=5, clock=time.process_time)
    ours = _MANY / spent(lambda: ox.solve_many(given))
    theirs = len(every) / spent(lambda: [ox.solve(one) for one in single]) if peers else None
    yield Row("ox.solve_many 3^2", ours, "/s", theirs, "ox.solve of each, here")
    if peers:
        limit = _MANY / spent(lambda: values[given.owners @ powers])
        yield Row("ox.solve_many 3^2, the limit", ours, "/s", limit, "indices by NumPy, here")


_BOARDS, _STEPS = 2048, 50


def batches(peers: bool) -> Iterator[Row]:
    """Steps a second of processor time on a batch of boards: of known moves, and at random.

    The known moves were chosen at random beforehand, from the same seed; every one is checked, and
    games that end start again.
    """
    from hyperoxo.adapters.batch import Batch

    cases = (("3^2", False, 20e6), ("3^2", True, 15e6), ("4^3", True, 4e6), ("3^4", True, None))
    for spec, seen, target in cases:
        batch = Batch(spec, _BOARDS, observations=seen, masks=seen)
        moves = []
        for _ in range(_STEPS):
            moves.append(batch.sample().copy())
            batch.step(moves[-1])

        def replay(batch: Batch = batch, moves: list[NDArray[np.int64]] = moves) -> None:
            batch.reset(seed=0)
            for actions in moves:
                batch.step(actions)

        rate = _BOARDS * _STEPS / best_seconds(replay, 20, time.process_time)
        name = f"batch steps {spec}{'' if seen else ', nothing seen'}"
        yield Row(name, rate, "/s", target=target)
    batch = Batch("3^2", _BOARDS)
    seconds = best_seconds(
        lambda: [batch.step(batch.sample()) for _ in range(_STEPS)], 20, time.process_time
    )
    ours = _BOARDS * _STEPS / seconds
    theirs = _pgx_rate("tic_tac_toe") if peers else None
    missing = "Pgx is not installed" if peers and theirs is None else ""
    peer = "Pgx tic_tac_toe, here"
    target = theirs and 5 * theirs
    yield Row("batch random play 3^2", ours, "/s", theirs, peer, target, missing)
    if importlib.util.find_spec("jax") is not None:
        from hyperoxo.adapters import jax as rules

        for spec, name in (("3^2", "tic_tac_toe"), ("7,6,4:gravity", "connect_four")):
            env = rules.make(spec)
            ours = _jax_rate(env, rules.auto_reset(env.step, env.init), env.sample)
            theirs = _pgx_rate(name) if peers else None
            peer = f"Pgx {name}, here"
            yield Row(f"JAX random play {spec}", ours, "/s", theirs, peer, remark=missing)


def _pgx_rate(name: str) -> float | None:
    """Steps a second of random play in Pgx, None where it is not installed."""
    if importlib.util.find_spec("pgx") is None:
        return None
    import jax
    import pgx  # type: ignore[import-not-found,unused-ignore]
    from pgx.experimental import auto_reset  # type: ignore[import-not-found,unused-ignore]

    def sample(state: Any, key: jax.Array) -> Any:
        chances = jax.random.uniform(key, state.legal_action_mask.shape)
        return (chances * state.legal_action_mask).argmax()

    env = pgx.make(name)
    return _jax_rate(env, auto_reset(env.step, env.init), sample)


def _jax_rate(env: Any, step: Callable[..., Any], sample: Callable[..., Any]) -> float:
    """Steps a second of processor time of an environment in JAX that starts again, at random."""
    import jax

    def turn(states: Any, key: jax.Array) -> tuple[Any, None]:
        keys = jax.random.split(key, _BOARDS)
        return jax.vmap(step)(states, jax.vmap(sample)(states, keys), keys), None

    keys = jax.random.split(jax.random.PRNGKey(0), _BOARDS)
    states = jax.jit(jax.vmap(env.init))(keys)
    play = jax.jit(lambda states, keys: jax.lax.scan(turn, states, keys)[0])
    # JAX returns before it has computed; NumPy waits for the values. A step takes one key.
    seconds = best_seconds(
        lambda: np.asarray(play(states, keys[:_STEPS]).rewards), 5, time.process_time
    )
    return _BOARDS * _STEPS / seconds


CASES: dict[str, Callable[[bool], Iterator[Row]]] = {
    "boards": boards,
    "canonical": canonical,
    "playouts": playouts,
    "ising": ising,
    "matches": matches,
    "perft": perft,
    "mcts": mcts,
    "threats": threats,
    "memory": memory,
    "proof": proof,
    "qubic": qubic,
    "minimax": minimax,
    "makers": maker_breaker.rows,
    "networks": networks,
    "states": states,
    "many": many,
    "batches": batches,
    "environments": environments.rows,
    "growth": growth.rows,
    "first": first.rows,
}
"""All benchmarks by name."""

LONG = ("qubic", "growth", "first")
"""Those that take half a minute or more: run with peers, or by name."""


def run(names: tuple[str, ...] = (), *, peers: bool = False) -> Iterator[Row]:
    """Run benchmarks; each row knows its case."""
    every = [name for name in CASES if peers or name not in LONG]
    for name in names or every:
        for row in CASES[name](peers):
            yield replace(row, case=name)
