"""`oxo coalition` and `oxo guide` as commands."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from hyperoxo.cli.main import main
from hyperoxo.proof import verify


def oxo(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_coalition_as_json(tmp_path: Path) -> None:
    file = tmp_path / "third.oxo"
    found = json.loads(
        oxo("coalition", "3^2:players=3", "--proof", str(file), "--format", "json").stdout
    )
    assert [seat["forces"] for seat in found["seats"]] == ["draw"] * 3
    assert found["interesting"] is True
    assert found["maxn"] == ["="]
    assert found["kingmakers"] == {"classes": 0, "positions": []}
    assert [proof["player"] for proof in found["proofs"]] == [1, 2, 3]
    for proof in found["proofs"]:
        verdict = verify(proof["file"])
        assert verdict.verdict == "proved", verdict.reason
        assert verdict.claim == f"player {proof['player']} gets at least a draw in 3^2:players=3"


def test_coalition_as_text() -> None:
    text = oxo("coalition", "2^2:players=3").stdout
    assert "Player 1 can force a win" in text
    assert "interesting: no" in text
    assert "by max^n: 1" in text


def test_coalition_of_a_position_and_with_nothing_to_prove(tmp_path: Path) -> None:
    file = tmp_path / "proof"
    words = ("--position", "moves:0,1,2", "--proof", str(file), "--format", "json")
    found = json.loads(oxo("coalition", "2^2:players=3", *words).stdout)
    assert found["position"] == "123."
    assert [proof["file"] for proof in found["proofs"]] == [str(file)]
    done = oxo("coalition", "3^3:players=3", "--proof", str(file), "--format", "json")
    assert json.loads(done.stdout)["proofs"] == []
    assert "no proof is written" in done.stderr


def test_guide_as_json() -> None:
    words = ("guide", "3^2", "--seat", "2", "--agent", "greedy", "--losses", "2")
    found = json.loads(oxo(*words, "--format", "json").stdout)
    assert found["wins"] + found["draws"] + found["losses"] == found["leaves"]
    assert found["verdict"] == "loses"
    assert len(found["losing_lines"]) == 2
    assert "moves:0,4," in oxo(*words).stdout


def test_guide_writes_what_it_proves(tmp_path: Path) -> None:
    file = tmp_path / "greedy.oxo"
    words = ("guide", "3^2", "--agent", "greedy", "--proof", str(file), "--merge")
    done = oxo(*words, "--seat", "1")
    assert done.exit_code == 0
    assert "18 wins, 1 draws, 0 losses: 19 leaves" in done.stdout
    assert "never loses 3^2 as player 1" in done.stdout
    assert verify(file).verdict == "proved"
    file.unlink()
    assert oxo(*words, "--seat", "2").exit_code == 1
    assert not file.exists()
