"""The study of the Ising agent: its own measurements, on small samples."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import SpecError
from hyperoxo.lab.plots.style import save
from hyperoxo.lab.recall import recall
from hyperoxo.lab.requests import request_of
from hyperoxo.lab.results import ResultStore, result_rows, run_infos
from hyperoxo.lab.results.listing import Filter
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.sweep import Point
from hyperoxo.task import Task
from hyperoxo_research.study import Bench, ising_boards, ising_sweeps
from hyperoxo_research.study.ising_boards import best_of
from hyperoxo_research.study.ising_exact import ExactPlay, exactly
from hyperoxo_research.study.ising_figures import (
    Best,
    Pairing,
    ProgramSweep,
    best_figure,
    pairings_figure,
    polar_figure,
    rates_figure,
    times_figure,
)
from hyperoxo_research.study.ising_network import Network, network, network_figure, paths_figure
from hyperoxo_research.study.ising_program import (
    ProgramSeating,
    known_lines,
    program_games,
    program_losses,
)
from hyperoxo_research.study.ising_sweeps import Printed, program_sweeps
from hyperoxo_research.study.parts import compared, python_command, share


def test_games_of_the_program_are_repeatable() -> None:
    result = program_games("5^2", "random", 0.647, 250, 3)
    assert result == program_games("5^2", "random", 0.647, 250, 3)
    assert sum(result.counts) == 250
    # The first hundred games are the same whatever comes after.
    first = program_games("5^2", "random", 0.647, 100, 3)
    assert first.wins[0] <= result.wins[0]
    other = program_games("5^2", "random", 0.647, 250, 4)
    assert other != result


def test_the_program_loses_on_5_by_5_what_it_wins_by_the_rules() -> None:
    own = program_games("5^2", "random", 0.8, 400)
    rules = program_games("5^2", "random", 0.8, 400, wins="rules")
    # Published: about 13 % lost. By the rules the same energies hardly lose a game.
    assert own.wins[0] > 20
    assert rules.wins[0] < own.wins[0] / 2


def test_the_command_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    command = python_command(program_games, "3^2", "random", 0.8, 50, 7)
    words = shlex.split(command)
    assert words[:2] == ["python", "-c"]
    exec(words[2], {})
    assert capsys.readouterr().out.strip() == str(program_games("3^2", "random", 0.8, 50, 7))


def test_a_part_of_the_samples_has_fewer_games_and_no_more_values() -> None:
    swept = ising_sweeps._sweep(Bench(scale=0.02), ising_sweeps._SWEEPS[0])
    assert (len(swept.at), swept.games) == (51, 10)


def swept(lost: list[int], games: int = 1000) -> ProgramSweep:
    at = np.linspace(0, 1, len(lost))
    return ProgramSweep("3^2", at, np.array(lost), games, 2, 1)


STEEP = swept([40 + round(900 * (b - 0.6) ** 2) for b in np.linspace(0, 1, 21)])


@pytest.mark.parametrize(
    ("sample", "printed", "agrees"),
    [
        (STEEP, Printed(0.6, 0.01, 1000, "here"), True),
        (STEEP, Printed(0.3, 0.01, 1000, "here"), False),
        # Three lost games in a thousand, whatever b is: a minimum may lie anywhere.
        (swept([3] * 21), Printed(0.5, 0.01, 100, "here"), None),
        (swept([3] * 21), Printed(0.5, 0.01, 100, "here", lossless=True), None),
    ],
)
def test_a_printed_minimum_is_held_against_samples_of_its_own_size(
    sample: ProgramSweep, printed: Printed, agrees: bool | None
) -> None:
    found = ising_sweeps._minimum_finding("minimum", sample, printed)
    assert found.agrees is agrees
    assert found.where == "here"
    assert "samples as large as the published one (100 values of" in found.remark
    # Ours is noted one step further right, as the published one is.
    value, _ = ising_sweeps._minimum(sample)
    assert found.ours == pytest.approx(value + 0.01, abs=1e-3)


def test_the_value_without_a_loss_nearest_to_the_minimum() -> None:
    lost = [500] * 9 + [0] * 3 + [500] * 9
    found = ising_sweeps.published_samples(
        swept(lost, 500), Printed(0.5, 0.05, 200, "here", lossless=True)
    )
    # Between 0.45 and 0.55 nothing is lost, and what is tried at b is noted one step higher.
    assert ((found > 0.49) & (found < 0.61)).mean() > 0.9


def test_every_published_figure_says_where_it_was_read() -> None:
    one = share("x", (50.0, 100), (500, 1000), where="Table 2")
    two = share("y", (50.0, 100), (500, 1000))
    alone = share("z", None, (500, 1000))
    rows = compared("t", "T", [one, two, alone], where="section 4").as_data()["rows"]
    assert [row["read in"] for row in rows] == ["Table 2", "section 4", ""]


def test_lines_that_the_program_knows() -> None:
    assert known_lines("3^3") == (49, 49, 0)
    assert known_lines("4^2")[:2] == (10, 0)


def test_games_of_the_program_do_not_depend_on_how_they_are_cut() -> None:
    seating = ProgramSeating.of("4^2", (0.3, 0.8), 5)
    whole = seating.play(0, 230)
    parts = [seating.play(first, last) for first, last in ((90, 130), (0, 90), (130, 230))]
    total = parts[0] + parts[1] + parts[2]
    assert (total.wins, total.draws, total.plies) == (whole.wins, whole.draws, whole.plies)
    assert (seating.chunk, ProgramSeating.of("5^4", (0.3, 0.8), 5).chunk) == (100, 1)


def test_games_of_the_program_are_kept_and_gone_on_with(tmp_path: Path) -> None:
    biases, seeds = [0.0, 0.5, 1.0], [4, 5, 6]
    plain = [program_games("4^2", "random", b, 150, s) for b, s in zip(biases, seeds, strict=True)]
    heard: list[int] = []

    def leave(games: int, _: int) -> None:
        heard.append(games)
        raise KeyboardInterrupt

    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(RunInterrupted):
            program_losses("4^2", biases, seeds, 150, store=store, task=Task(leave))
        (left,) = run_infos(store)
        assert (left.kind, left.state, left.games) == ("program", "interrupted", heard[0])
        with Task.shared(None, workers=2) as task:
            again = program_losses("4^2", biases, seeds, 150, store=store, task=task)
        assert again == [result.wins[0] for result in plain]
        assert program_games("4^2", "random", 0.0, 150, 4, store=store) == plain[0]
        rows = result_rows(store, Filter(run=left.run))
        assert [(row.agents[1], row.seed, row.tally.games) for row in rows] == [
            ("ising:bias=0,reading=doubled", 4, 150),
            ("ising:bias=0.5,reading=doubled", 5, 150),
            ("ising:bias=1,reading=doubled", 6, 150),
        ]
        assert all(row.tally.seconds > 0 and row.info.versions["numba"] for row in rows)
        assert len(run_infos(store)) == 2  # nothing was begun twice
        with pytest.raises(SpecError, match="it has nothing but its rows"):
            recall(store, left.run)
        with pytest.raises(SpecError, match="only be started from Python"):
            request_of(left)


@pytest.mark.parametrize("game", ["3^2:players=3", "4,4,3", "1^2"])
def test_the_program_plays_plain_boards_alone(game: str) -> None:
    with pytest.raises(SpecError, match="the program plays"):
        program_games(game, "random", 0.8, 1)


def test_exact_chances_of_random_play() -> None:
    play = ExactPlay("3^2")
    assert np.array(play.chances(None, None)) * 1260 == pytest.approx([737, 160, 363])
    # With the last free cell drawn: 81,792 of 9! paths are wins of nine moves.
    shares = play.chances(None, None, scoring="report")
    assert shares[0] == pytest.approx(737 / 1260 - 81_792 / 362_880)


@pytest.mark.parametrize("reading", ["formula", "scan"])
def test_exact_chances_are_those_of_games(reading: str) -> None:
    play = ExactPlay("3^2", reading)
    result = ox.match("3^2", ["random", f"ising:bias=0.1,reading={reading}"], 20_000, 1)
    shares = [result.wins[0] / 20_000, result.draws / 20_000, result.wins[1] / 20_000]
    assert shares == pytest.approx(play.chances(None, 0.1), abs=0.015)
    steps = play.losses(reading)
    place = int(np.searchsorted(steps.edges, 0.1)) - 1
    assert steps.shares[place] == pytest.approx(play.chances(None, 0.1)[0])
    assert steps.shares[-1] == pytest.approx(play.chances(None, 0.647)[0])
    assert (np.diff(steps.edges) > 0).all()


def test_the_published_match_is_that_of_the_scan() -> None:
    tables = {table.name: table.as_data()["rows"] for table in exactly().tables}
    rows = [row for row in tables["exact"] if row["of games"] == 10_000]
    assert [row["agrees"] for row in rows] == [True] * 3
    parabolas = [row["ours"] for row in tables["exact-parabola"]]
    assert all(0.5 < value < 0.8 for value in parabolas)


def test_the_network_of_3_by_3() -> None:
    net = Network.of("3^2", symmetry=False)
    assert (len(net.plies), len(net.sources)) == (5478, 16167)
    assert net.paths_on()[0].tolist() == [131_184, 77_904, 46_080]
    assert np.bincount(net.ends).tolist() == [4520, 626, 316, 16]
    over = net.ends > 0
    assert int(net.paths_to[over].sum()) == 255_168
    rows = {table.name: table.as_data()["rows"] for table in network().tables}
    assert rows["network-lengths"][-1]["% in random play"] == pytest.approx(100)
    assert sum(row["games"] for row in rows["network-first-moves"]) == 255_168


def test_best_bias_of_made_up_sweeps() -> None:
    rates = (0.5, 0.2, 0.3)
    flat = best_of("3^2", [Point((b,), 50, 0, 50) for b in (0.0, 0.5, 1.0)], rates)
    assert (flat.value, flat.low, flat.may) == (None, None, (0.0, 0.5, 1.0))
    steep = best_of("3^2", [Point((0.0,), 0, 0, 500), Point((0.5,), 400, 100, 0),
                            Point((1.0,), 410, 90, 0)], rates)  # fmt: skip
    assert steep.may == (0.5, 1.0)
    assert steep.value == 0.75
    assert steep.low is not None
    assert steep.low <= 0.75 <= (steep.high or 0)


def test_boards_that_do_not_differ_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ising_boards, "BOARDS", ("3^2", "4^2"))
    monkeypatch.setattr(ising_boards, "_STEP", "0.5")
    section = ising_boards.boards(Bench())
    assert "Against random play: not decided." in section.text
    rows = section.tables[-1].as_data()["rows"]
    assert all(row["verdict"] == "not decided: too few boards" for row in rows)
    assert all(
        row["command"].startswith("oxo sweep") for row in section.tables[0].as_data()["rows"]
    )


def test_there_are_a_dozen_boards() -> None:
    assert len(set(ising_boards.BOARDS)) >= 12


PAIRINGS = {
    (i, j): Pairing((34, 41, 41), (30, 40, 30), 1e-3, 0.05 if j == 2 else None)
    for i in range(3)
    for j in range(3)
}
NAMES = ("random", "MiniMax", "Ising")
FOUND = [
    Best("3^2", 0.5, 0.4, 0.6, (0.4, 0.6), (0.6, 0.1, 0.3)),
    Best("4^2", None, None, None, (0.0, 1.0), (0.3, 0.4, 0.3)),
]


@pytest.mark.more
def test_pairings_are_drawn_with_the_published_marks(tmp_path: Path) -> None:
    save(pairings_figure(PAIRINGS, NAMES), tmp_path / "pairings.svg")
    assert (tmp_path / "pairings.svg").stat().st_size > 1000


@pytest.mark.slow
def test_all_figures_are_drawn(tmp_path: Path) -> None:
    classes = Network.of("2^2", symmetry=True)
    drawn = {
        "polar": polar_figure(PAIRINGS, NAMES),
        "times": times_figure(PAIRINGS, NAMES),
        "best": best_figure(FOUND),
        "rates": rates_figure(FOUND),
        "paths": paths_figure(classes),
        "network": network_figure(Network.of("2^2", symmetry=False), classes),
    }
    for name, figure in drawn.items():
        save(figure, tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000


@pytest.mark.slow
def test_what_the_report_says_of_its_sweeps() -> None:
    rows = {row["quantity"]: row for row in program_sweeps(Bench()).tables[0].as_data()["rows"]}
    assert rows["5^2: lost, mean % (“approximately”)"]["agrees"]
    assert rows["5^2: values of b without a loss"]["agrees"]
    assert rows["6^2: losses over those on 5^2"]["agrees"]
    assert rows["4^2, step 0.01: minimum of the fit of degree 2"]["agrees"]
    assert not [row for row in rows.values() if row["agrees"] is False or not row["read in"]]
