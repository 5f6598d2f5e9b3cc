from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.proof import verify
from tests.command import answer, oxo, refusal


def test_solving_by_proof_search(tmp_path: Path) -> None:
    path = tmp_path / "x.oxo"
    words = ("solve", "4,4,3", "--method", "proof", "--memory", "1", "--threads", "1")
    for leaves in ("derived", "stored"):
        found = answer(*words, "--proof", str(path), "--leaves", leaves)
        assert (found["value"], found["winner"], found["remoteness"]) == ("win", 1, None)
        assert found["proof"] == str(path)
        assert verify(path).proved
    every = answer(*words, "--every-move")
    assert {move["value"] for move in every["moves"]} == {"win"}
    draw = answer("solve", "3^2", "--method", "proof", "--every-move", "--memory", "1")
    assert draw["value"] == "draw"
    assert {move["value"] for move in draw["moves"]} == {"draw"}
    no_proof = oxo("solve", "3^2", "--method", "proof", "--proof", str(tmp_path / "none"))
    assert no_proof.exit_code == 1
    assert "certificates of proof search are for wins" in no_proof.output


def test_checkpoints_and_suggestions(tmp_path: Path) -> None:
    save, path, text = tmp_path / "save", tmp_path / "x.oxo", tmp_path / "moves.txt"
    words = ("solve", "4,4,3", "--method", "proof", "--memory", "1", "--checkpoint", str(save))
    answer(*words, "--proof", str(path))
    assert (tmp_path / "save.1.5").exists()
    again = answer(*words)
    assert again["value"] == "win"
    assert again["nodes"] == 0
    (tmp_path / "save.1.5").write_bytes(b"{}\n")
    damaged = oxo(*words)
    assert damaged.exit_code == 1
    assert "not a checkpoint of a proof search" in damaged.output
    assert oxo("proof", "export", str(path), "--dictionary", str(text)).exit_code == 0
    solving = ("solve", "4,4,3", "--method", "proof", "--memory", "1")
    assert answer(*solving, "--suggest", str(text))["value"] == "win"
    replies = ("replies", "4,4,3", "--position", "moves:5", "--memory", "1")
    assert answer(*replies, "--suggest", str(text))["winner"] == 1


@pytest.mark.more
def test_smaller_proofs(tmp_path: Path) -> None:
    path, out = tmp_path / "x.oxo", tmp_path / "small.oxo"
    words = ("solve", "4,4,3", "--method", "proof", "--memory", "1", "--position", "moves:0")
    answer(*words, "--proof", str(path))
    done = oxo("proof", "shrink", str(path), "--out", str(out), "--seconds", "0.2")
    assert done.exit_code == 0, done.output
    assert verify(out).proved
    other = tmp_path / "other.oxo"
    answer("solve", "4,4,3", "--method", "proof", "--memory", "1", "--proof", str(other))
    assert "not the same as" in refusal(
        oxo("proof", "shrink", str(path), str(other), "--out", str(out))
    )
