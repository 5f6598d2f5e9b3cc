from __future__ import annotations

from pathlib import Path

from hyperoxo.proof import write_strategy
from tests.command import answer, oxo, printed
from tests.hyperoxo.proof.brute import strategy


def write(folder: Path) -> Path:
    found = strategy("3^2", 1, "draw")
    assert found is not None
    write_strategy(found, folder / "x.proof")
    return folder / "x.proof"


def test_a_proof(tmp_path: Path) -> None:
    file = write(tmp_path)
    found = answer("verify", str(file))
    assert found["claim"] == "player 1 gets at least a draw in 3^2"
    assert (found["verdict"], found["reason"]) == ("proved", "")
    assert found["positions"] > 0
    assert oxo("verify", str(file)).stdout.startswith("proved: player 1 gets at least a draw")
    assert oxo("verify", "-", data=file.read_bytes()).exit_code == 0


def test_a_damaged_proof(tmp_path: Path) -> None:
    file = write(tmp_path)
    file.write_bytes(file.read_bytes() + b"\n")
    found = answer("verify", str(file), code=1)
    assert found["verdict"] == "rejected"
    assert found["reason"] == "the file is damaged: its hash is wrong"
    assert oxo("verify", str(file)).stdout.startswith("rejected: the file is damaged")


def test_no_proof(tmp_path: Path) -> None:
    missing = printed(oxo("verify", str(tmp_path / "none")), 2)
    assert missing == ""


def test_a_game_is_told_from_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "game.oxo"
    for text, notation in (("3^2 4-0-8\n", "record"), ('[Game "3^2"]\n\n1. 4 0 *\n', "pgn")):
        file.write_text(text)
        done = oxo("verify", str(file))
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{file} is a game (notation '{notation}'), not a proof" in done.stderr
        assert f"'oxo analyse {file}' judges its moves" in done.stderr
    file.write_text("nothing known\n")
    assert "rejected: this is not a proof file" in oxo("verify", str(file)).stdout
