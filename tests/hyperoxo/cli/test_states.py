from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import answer, oxo, refusal


def test_counts_as_json() -> None:
    for way in ([], ["--one-by-one"]):
        found = answer("states", "3^2", *way)
        assert found["positions"] == 5478
        assert found["classes"] == 765
        assert found["positions_by_ply"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
        assert found["classes_by_ply"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
        assert found["finals"] == {"wins": [626, 316], "draws": 16}
        assert found["games"] == {"wins": [131184, 77904], "draws": 46080}
        assert found["complete"] is True


def test_counts_as_text() -> None:
    text = oxo("states", "3^2").stdout
    assert "5,478 positions, 765 up to symmetry" in text
    assert "complete games: 131,184 won by 1, 77,904 won by 2, 46,080 drawn" in text
    assert "no classes: the board has 20922789888000 symmetries" in oxo("states", "2^4").stdout


def test_large_boards_need_a_bound() -> None:
    assert "years" in refusal(oxo("states", "4^3"))
    bounded = oxo("states", "4^3", "--plies", "2")
    assert "some games go on beyond these plies" in bounded.stdout
    assert answer("states", "4^3", "--plies", "2")["positions_by_ply"] == [1, 64, 4032]


def test_files(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("a.csv", "a.graphml", "a.dot")]
    outs = [word for name in names for word in ("--out", str(name))]
    done = oxo("states", "3^2", *outs)
    assert done.exit_code == 0
    assert done.stderr.count("wrote") == 3
    assert names[0].read_text().count("\n") == 766
    oxo("states", "3^2", "--one-by-one", "--out", str(names[0]))
    assert names[0].read_text().count("\n") == 5479
    oxo("states", "3^2", "--published", "--out", str(names[0]))
    assert names[0].read_text().count("\n") == 5478 + 10
    unknown = oxo("states", "3^2", "--out", str(tmp_path / "a.png"))
    assert (unknown.exit_code, unknown.stdout) == (2, "")


def test_an_interrupt_names_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "count"

    def interrupted(*_: object, **__: object) -> None:
        path.write_text("")
        raise KeyboardInterrupt

    monkeypatch.setattr("hyperoxo.enumerate_states", interrupted)
    stopped = oxo("states", "3^2", "--checkpoint", str(path))
    assert stopped.exit_code == 130
    assert f"resumes from {path}" in stopped.stderr
