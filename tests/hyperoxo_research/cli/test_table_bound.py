"""`oxo leaves`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import answer, oxo, printed


@pytest.mark.more
def test_the_bound_its_proof_and_a_table_that_has_it(tmp_path: Path) -> None:
    proof, out = str(tmp_path / "x.proof"), str(tmp_path / "x.json")
    words = ("leaves", "3^2", "--seat", "2", "--proof", proof, "--out", out)
    found = answer(*words)
    assert (found["leaves"], found["exact"], found["proof"]) == (16, True, proof)
    assert "proved: every line table has at least 16" in oxo("verify", proof).stdout
    tree = ("guide", "3^2", "--seat", "2", "--agent", f"td:checkpoint={out}", "--every-tie")
    assert answer(*tree)["losses"] == 16
    assert oxo(*tree, "--proof", proof).exit_code == 2
    assert "0 losing leaves: the fewest" in oxo("leaves", "3^2", "--seat", "1").stdout


def test_what_is_not_found_in_time_is_said() -> None:
    answer = printed(oxo("leaves", "3^2", "--seat", "2", "--seconds", "0"), 1)
    assert "at least 0 losing leaves" in answer
    words = ("leaves", "4^2", "--seat", "2", "--by-ply", "--out", "x.json")
    assert "--out writes tables for up to 9 plies" in oxo(*words).stderr


@pytest.mark.more
def test_a_table_for_every_ply_has_the_fewest_leaves_too(tmp_path: Path) -> None:
    out = str(tmp_path / "x.json")
    words = ("leaves", "3^2", "--seat", "1", "--by-ply", "--ties", "lowest", "--out", out)
    assert "0 losing leaves" in oxo(*words).stdout
    tree = ("guide", "3^2", "--seat", "1", "--agent", f"td:checkpoint={out}")
    assert answer(*tree)["losses"] == 0
