"""The benchmarks measure what they say, beside the peers that are installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo_research.bench import bench
from hyperoxo_research.bench import environments as bench_environments
from hyperoxo_research.bench import first as bench_first
from hyperoxo_research.bench import growth as bench_growth
from hyperoxo_research.bench import maker_breaker as bench_makers
from hyperoxo_research.bench.growth import Operation, Series, every_series, measured, slope
from hyperoxo_research.bench.rows import EXPONENT, Row
from hyperoxo_research.kernels.byte_tables import byte_tables, canonical_pairs, pairs_of
from hyperoxo_research.plots.growth import growth_figure
from tests.expect import require


def test_middle_games_are_positions() -> None:
    for spec in ("4^3", "5^3"):
        game = Game(spec)
        for pair in bench.middle_games(game, 30):
            position = bench._position(game, pair)
            assert not position.is_over
            signs = {position.to_move: pair[0], 3 - position.to_move: pair[1]}
            for cell, owner in enumerate(position.owners):
                assert [player for player in signs if signs[player] >> cell & 1] == (
                    [owner] if owner else []
                )


def test_long_cases_run_by_name_or_with_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    def only(name: str) -> Callable[[bool], Iterator[Row]]:
        return lambda _peers: iter([Row(name, 1, "s")])

    for name in bench.CASES:
        monkeypatch.setitem(bench.CASES, name, only(name))
    assert "qubic" in bench.LONG
    assert {row.name for row in bench.run()} == set(bench.CASES) - set(bench.LONG)
    assert {row.name for row in bench.run(peers=True)} == set(bench.CASES)
    assert [row.name for row in bench.run(("qubic",))] == ["qubic"]


def test_memory_saves_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PROVED", ("moves:0,27,63,42,21,1",))
    wins, nodes, opened = bench.run(("memory",))
    assert (wins.unit, opened.unit) == ("ms", "positions")
    assert require(nodes.ratio) > 5
    assert require(opened.peer) >= opened.ours
    assert "few subtrees are met twice" in opened.cells[-1]


@pytest.mark.slow
def test_the_proof_of_qubic() -> None:
    rows = {row.name: row for row in bench.run(("qubic",))}
    assert 2000 < rows["proof of 4^3, strategic moves"].ours < 6000
    assert rows["proof of 4^3, table filled"].met


def test_all_ways_tell_the_same_classes() -> None:
    symmetry = Game("4^3").symmetry
    permutations = symmetry.permutations()
    rng = np.random.default_rng(1)
    first = bench._random_positions(20)
    images = np.stack([position[permutations[rng.integers(192)]] for position in first])
    owners = np.concatenate([first, images])
    ours = [form.tobytes() for form in symmetry.canonical(owners)]
    tables = byte_tables(permutations)
    theirs = [form.tobytes() for form in canonical_pairs(pairs_of(owners), tables)]
    naive = bench._one_by_one(owners, list(permutations))
    for forms in (ours, theirs, naive):
        assert forms[:20] == forms[20:]
        assert len(set(forms)) == len(set(ours))


@pytest.mark.more
def test_rows_of_canonical_forms() -> None:
    rows = list(bench.canonical(peers=True))
    assert [row.peer_name.split(",")[0] for row in rows] == ["plain byte tables", "NumPy"]
    assert all(row.ratio is not None and row.ratio > 0 for row in rows)
    assert len(list(bench.canonical(peers=False))) == 1


def once(work: Callable[[], object], repeats: int, clock: object) -> float:
    work()
    return 12e-6


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_BOARDS", 4)
    monkeypatch.setattr(bench, "_STEPS", 3)
    monkeypatch.setattr(bench, "best_seconds", once)
    monkeypatch.setattr(bench, "_jax_rate", lambda *_: 3e6)


@pytest.mark.usefixtures("small")
def test_every_row_is_measured() -> None:
    rows = {row.name: row for row in bench.run(("batches",))}
    assert [*rows] == [
        *(f"batch steps {name}" for name in ("3^2, nothing seen", "3^2", "4^3", "3^4")),
        *("batch random play 3^2", "JAX random play 3^2", "JAX random play 7,6,4:gravity"),
    ]
    assert rows["batch steps 3^2"].ours == pytest.approx(1e6)
    assert not rows["batch steps 3^2"].met
    assert rows["batch random play 3^2"].target is None
    assert rows["batch random play 3^2"].remark == ""


@pytest.mark.usefixtures("small")
def test_many_positions_are_solved_beside_single_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_MANY", 60)
    many, limit = bench.run(("many",), peers=True)
    assert (many.ours, many.ratio) == pytest.approx((5e6, 60 / 627))
    assert limit.ratio == 1
    assert [(row.peer, row.unit) for row in bench.run(("many",))] == [(None, "/s")]


@pytest.mark.usefixtures("small")
def test_the_target_is_five_times_pgx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_pgx_rate", lambda _: 3e5)
    row = next(row for row in bench.run(("batches",), peers=True) if "random" in row.name)
    assert row.target == pytest.approx(1.5e6)
    assert row.ratio == pytest.approx(10 / 3)


@pytest.mark.usefixtures("small")
def test_a_remark_says_that_pgx_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without_pgx(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "pgx" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_pgx)
    rows = [row for row in bench.run(("batches",), peers=True) if "random" in row.name]
    assert [(row.peer, row.remark) for row in rows] == [(None, "Pgx is not installed")] * 3


def test_rows_of_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_environments, "_SECONDS", 0.0)
    monkeypatch.setattr(bench_environments, "_ROUNDS", 1)
    monkeypatch.setattr(bench_environments, "_BOARDS", 8)
    rows = list(bench.run(("environments",), peers=True))
    libraries = [*["PettingZoo"] * 3, *["Gymnasium"] * 2, "OpenSpiel"]
    assert [row.name.partition(" ")[0] for row in rows] == libraries
    assert all(row.ours > 0 for row in rows)
    assert [row.peer is not None for row in rows] == [True, True, False, True, True, True]
    assert len(list(bench.run(("environments",)))) == len(rows)


def test_the_peer_is_loaded_without_its_pictures() -> None:
    here = sys.modules.get("pygame")
    game = bench_environments._tictactoe()
    assert sys.modules.get("pygame") is here
    assert game.raw_env().possible_agents == ["player_1", "player_2"]


def test_without_the_libraries_there_are_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not list(bench.run(("environments",)))


def test_the_same_result_as_exact_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_makers, "_NODES", (("3^3", 50),))
    monkeypatch.setattr(bench_makers, "_BOTH", "4,4,3:bias=1+2")
    monkeypatch.setattr(bench_makers, "_ALONE", "4^2")
    monkeypatch.setattr(bench_makers, "_PLANNED", "5^2")
    opened, both, alone, plan = bench.run(("makers",), peers=True)
    assert opened.unit == "/s"
    assert both.ratio is not None
    assert (both.unit, alone.unit, alone.peer) == ("ms", "ms", None)
    assert (plan.case, plan.unit) == ("makers", "s")


def test_a_slow_answer_without_a_word_misses_the_target() -> None:
    times = (0.9, None), (9.0, 0.6), (9.0, None)
    quick, slow, silent = (list(bench_first._both("it", found, 0.5)) for found in times)
    assert [row.name for row in quick] == ["first answer: it"]
    assert [(row.ours, row.met) for row in slow] == [(9.0, None), (0.6, True)]
    assert [(row.ours, row.met) for row in silent] == [(9.0, None), (9.0, False)]


def test_a_command_is_timed_until_its_first_word(tmp_path: Path) -> None:
    pytest.importorskip("pty")
    seconds, said = bench_first._command(("board", "3^2"), str(tmp_path))
    assert said is not None
    assert 0 < said <= seconds


SIZES = (1, 2, 4)


def clocked(power: float) -> Series:
    """Work whose clock alone says how long it takes: size ** power seconds."""
    now = [0.0]

    def work(size: int) -> None:
        now[0] += float(size**power)

    operations = tuple(Operation(size, partial(work, size), size**2) for size in SIZES)
    return Series("work", "size", "squares", operations, lambda: now[0])


def test_the_exponent_is_that_of_the_times() -> None:
    row = measured(clocked(1.5))
    assert row.growth is not None
    assert row.ours == pytest.approx(1.5)
    assert (row.growth.low, row.growth.high) == pytest.approx((1.5, 1.5))
    assert row.peer == pytest.approx(2)
    assert (row.unit, row.ratio, row.met) == (EXPONENT, None, None)
    assert row.cells[1:4] == ("1.50 (1.50 to 1.50)", "", "2.00")
    assert [point.seconds for point in row.growth.points] == pytest.approx([1, 2**1.5, 8])


def test_short_work_is_repeated() -> None:
    runs, time = count(), count()
    operations = tuple(Operation(size, lambda: next(runs), 1) for size in SIZES)
    measured(Series("work", "size", "nothing", operations, lambda: next(time) / 1000, repeats=2))
    # Once to compile, once to see how long it takes, and twice 50 times a millisecond.
    assert next(runs) == len(SIZES) * (2 + 2 * 50)


def test_what_grows_as_it_must_has_the_expected_exponent() -> None:
    series = next(one for one in every_series() if one.name == "build n^3")
    sizes = [operation.at for operation in series.operations]
    lines = [((n + 2) ** 3 - n**3) / 2 * n for n in sizes]
    assert [operation.touched for operation in series.operations] == lines
    assert 2.8 < slope(sizes, lines) < 3


def test_rows_know_their_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_growth, "every_series", lambda: iter([clocked(1)]))
    assert [row.case for row in bench.run(("growth",))] == ["growth"]


def test_only_growth_is_drawn() -> None:
    figure = growth_figure([measured(clocked(1)), measured(clocked(2))])
    assert [axes.get_xlabel() for axes in figure.axes] == ["size", "size"]
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels == ["expected 2.00", "found 1.00"]
    with pytest.raises(SpecError, match="growth"):
        growth_figure([Row("speed", 1.0, "s")])
