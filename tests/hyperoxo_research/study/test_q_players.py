"""The study of games of q players."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, completing_cells
from hyperoxo.proof import check_proof, verify
from hyperoxo.solvers.coalition.forces import coalition, coalition_proof
from hyperoxo.solvers.coalition.table import torn
from hyperoxo_research.kernels.gather import gather, gather_rows
from hyperoxo_research.study import Bench, find_study, gathering, q_players, study
from hyperoxo_research.study.display import verdicts
from hyperoxo_research.study.q_players import alliance_line
from tests.marks import more


@pytest.mark.parametrize(
    "spec",
    more(["2^2", "2^2:players=3", "2^2:players=4", "3^2", "3^2:players=3"], ["3^2:players=3"]),
)
def test_brute_force_and_the_search_agree(spec: str) -> None:
    game = Game(spec)
    seats = [q_players.brute_force(game, seat + 1) for seat in range(game.players)]
    assert seats == [seat.forces for seat in coalition(game).seats]


@pytest.mark.more
def test_the_draft_is_compared_and_its_proofs_are_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(q_players, "BOARDS", ("2^2:players=3", "3^2:players=3"))
    monkeypatch.setattr(gathering, "SIZES", (9, 64))
    monkeypatch.setattr(gathering, "BATCHES", (1, 10))
    report = study("q-players", tmp_path)
    tables = {table.name: table.as_data()["rows"] for table in report.tables}
    assert len(tables["guided"]) == 20
    assert all(row["agrees"] for row in tables["guided"])
    assert all(row["ours"] == row["published"] for row in tables["guided"])
    said = {row["quantity"]: row for row in tables["statements"]}
    assert said["4^3, q = 3: no player can force a win"]["ours"] == "proved"
    assert said["4^3, q = 3: no player can force even a draw"]["ours"] == "proved"
    assert said["4^3, every q from 4: no player can force a win"]["ours"] == "proved"
    wrong = {quantity: row["ours"] for quantity, row in said.items() if row["agrees"] is False}
    assert wrong == {
        "3^2, q = 3: player 3 can force a draw": "yes",
        "2^2, q = 3: who forces a win": "player 1",
        "2^2, q = 4: who forces a win": "no player",
        "symmetries of 4^3": 192,
    }
    assert all(said[quantity]["remark"] for quantity in wrong)
    files = {row["file"] for row in tables["certificates"]}
    assert files == {path.name for path in (tmp_path / "files").glob("*.oxo")}
    figures = {path.name: path.read_text() for path in (tmp_path / "files").glob("*.svg")}
    assert {name: text.count('href="#board"') for name, text in figures.items()} == {
        "figure-3.svg": 41,
        "figure-4.svg": 8,
        "figure-4-merged.svg": 6,
        "figure-5.svg": 1,
        "figure-8.svg": figures["figure-8.svg"].count('href="#board"'),
    }
    page = (tmp_path / "index.html").read_text("utf-8")
    assert all(f'<img src="files/{name}"' in page for name in figures)
    assert [row["agrees"] for row in tables["payoffs"]] == [False] * 3
    assert tables["payoffs"][0]["ours"] == "1/4"
    sizes = {row["game"]: row for row in tables["tree-sizes"]}
    assert sizes["3^2"]["games to their ends"] == 255_168
    assert sizes["3^2"]["positions in the whole tree"] == 549_946
    assert tables["categories"][2]["k = 2"] == "4"
    assert len(tables["categories"]) == 12
    assert {row["board"] for row in tables["plain-python"]} == {"3^2", "4^3"}
    assert verify(tmp_path / "files" / "4-3-players-3-seat-1-no-win.oxo").proved
    assert 'href="files/4-3-players-3-seat-1-no-win.oxo"' in page
    assert [row["cells"] for row in tables["gather-sizes"]] == [9, 64]
    assert (tmp_path / "figures" / "gather-batches.svg").stat().st_size > 1000


def test_the_alliance_comes_to_the_point_where_one_rival_only_can_be_stopped() -> None:
    game = Game("3^2:players=3")
    line = alliance_line(game, 3, "greedy:defend=2")
    position = game.position("moves:" + ",".join(map(str, line)))
    assert position.to_move == 3
    assert torn(game, np.frombuffer(position.owners, np.uint8)[None])[0]
    for cell in position.legal_moves:
        after = position.play(cell)
        assert after.is_over or any(completing_cells(after, rival) for rival in (1, 2))
    assert alliance_line(Game("2^2"), 1, "greedy") == ()


@pytest.mark.more
def test_a_certificate_that_is_missing_proves_nothing() -> None:
    proof = coalition_proof("4^3:players=3", 3, "no-win")
    assert proof is not None
    good = q_players.Certified("4^3:players=3", 3, "no-win", proof, check_proof(proof))
    lost = q_players.Certified("4^3:players=3", 1, "no-win", None, None)
    assert good.proved
    assert not lost.proved
    found = q_players._statements([good, lost])[0]
    assert (found.ours, found.agrees) == (None, None)


def refuse(*_: object, **__: object) -> NoReturn:
    raise LimitError("too many")


@pytest.mark.more
def test_a_certificate_that_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(q_players, "coalition_proof", refuse)
    found = q_players.certified("4^3:players=5", 1, "no-draw", 1)
    assert not found.proved
    assert q_players._certificates([found]).rows[0][-2:] == ("not found within the limits", None)


def test_a_tree_that_is_too_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(q_players, "guide", refuse)
    assert q_players._tree(Game("3^2"), 1, "greedy", 0) == (*[None] * 5, "not counted: too many")


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 1000))
def test_kernels_gather_as_numpy_does(cells: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    boards = rng.integers(0, 4, (count, cells), dtype=np.uint8)
    places = rng.permutation(cells)
    assert np.array_equal(gather(boards[0], places), boards[0][places])
    assert np.array_equal(gather_rows(boards, places), boards[:, places])


@pytest.mark.more
def test_every_way_gathers_the_same() -> None:
    rng = np.random.default_rng(1)
    places = rng.permutation(27)
    for shape in ((27,), (6, 27)):
        boards = rng.integers(0, 4, shape, dtype=np.uint8)
        for way in gathering.WAYS:
            if not way.absent():
                found = np.asarray(way.prepare(boards, places)())
                assert np.array_equal(found, boards[..., places]), way.name


@pytest.mark.parametrize(
    ("compiler", "why"), [(None, "no C compiler"), (shutil.which("false"), "the C compiler failed")]
)
def test_without_a_compiler_c_is_said_to_be_absent(
    compiler: str | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering._compiled.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda _: compiler)
    monkeypatch.setattr(gathering, "SIZES", (9,))
    monkeypatch.setattr(gathering, "BATCHES", (2,))
    section = gathering.gathering(Bench())
    gathering._compiled.cache_clear()
    assert f"C: {why}" in section.text
    sizes = section.tables[0].as_data()["rows"][0]
    assert sizes["C"] is None
    assert sizes["Numba"] > 0


class FakeTensor:
    """A tensor of a PyTorch that is not installed."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def index_select(self, axis: int, order: FakeTensor) -> FakeTensor:
        return FakeTensor(self.values.take(order.values, axis))

    def cuda(self) -> FakeTensor:
        return self

    cpu = cuda

    def numpy(self) -> NDArray[Any]:
        return self.values

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return self.values


@pytest.mark.parametrize("gpu", [None, False, True])
def test_pytorch_is_timed_where_it_is_installed(
    gpu: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = ModuleType("torch")
    torch.from_numpy = FakeTensor  # type: ignore[attr-defined]
    torch.cuda = SimpleNamespace(  # type: ignore[attr-defined]
        is_available=lambda: gpu, synchronize=lambda: None
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(gathering, "find_spec", lambda name: gpu is not None and name == "torch")
    monkeypatch.setattr(gathering, "SIZES", (9,))
    monkeypatch.setattr(gathering, "BATCHES", (2,))
    section = gathering.gathering(Bench(scale=0.05))
    sizes = section.tables[0].as_data()["rows"][0]
    assert (sizes["PyTorch"] is None) == (gpu is None)
    assert (sizes["PyTorch on a GPU"] is None) == (not gpu)
    assert ("PyTorch is not installed" in section.text) == (gpu is None)
    assert ("there is no GPU" in section.text) == (gpu is False)
    is_open = {one.words for one in verdicts([section]) if "PyTorch" in one.quantity}
    assert (is_open == {"open"}) == (gpu is None)


@pytest.mark.slow
def test_the_whole_study() -> None:
    tables = {t.name for one in find_study("q-players").sections(Bench()) for t in one.tables}
    assert {"guided", "guided-more", "seats", "games", "certificates", "gather-sizes"} <= tables
