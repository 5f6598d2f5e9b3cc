from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.proof import verify
from tests.command import answer, oxo


def test_quiet_depth_with_its_proof(tmp_path: Path) -> None:
    path = tmp_path / "x.oxo"
    found = answer("quiet", "3^3", "--proof", str(path), "--memory", "1")
    result = found["results"][0]
    assert (result["at_least"], result["at_most"], result["exact"]) == (1, 1, True)
    assert found["proof"] == str(path)
    assert verify(path).proved


def test_quiet_depth_of_every_reply() -> None:
    words = ("quiet", "3^3", "--position", "moves:0", "--every-reply", "--memory", "1")
    results = answer(*words)["results"]
    assert isinstance(results, list)
    assert {row["reply"]: row["at_most"] for row in results if row["wins"]} == dict.fromkeys(
        (1, 2, 4, 5, 8, 14, 17, 26), 0
    )
    assert [row["reply"] for row in results if row["wins"] is False] == [13]
    assert "no win" in oxo(*words).output
    assert oxo("quiet", "3^3", "--every-reply").exit_code == 2
    assert oxo(*words, "--proof", "x").exit_code == 2


@pytest.mark.more
def test_no_proof_of_what_is_not_won(tmp_path: Path) -> None:
    path = tmp_path / "x.oxo"
    assert oxo("quiet", "3^2", "--proof", str(path)).exit_code == 1
    assert not path.exists()


def test_replies(tmp_path: Path) -> None:
    path, memory = tmp_path / "x.oxo", tmp_path / "memory"
    words = ("replies", "3^3", "--position", "moves:13", "--memory", "1")
    found = answer(*words, "--proof", str(path), "--checkpoint", str(memory))
    assert found["winner"] == 1
    assert found["undecided"] == []
    assert verify(path).proved
    assert [row["value"] for row in found["replies"]] == ["loss"] * 3
    text = oxo(*words, "--checkpoint", str(memory)).output
    assert "player 1 wins: every reply loses" in text
    open_words = ("replies", "3^2", "--position", "moves:4", "--memory", "1")
    text = oxo(*open_words, "--proof", str(tmp_path / "none")).output
    assert "player 1 cannot win after 0" in text
    assert oxo(*open_words, "--proof", str(tmp_path / "none")).exit_code == 1
    assert oxo("replies", "3^3").exit_code == 2
    assert oxo(*words, "--checkpoint", str(memory)).output.count(" loss ") == 3
    assert oxo(*words, "--checkpoint", str(memory), "--all").output.count(" loss ") == 26
