"""`oxo coalition` and `oxo guide` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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
    assert found["no_table"] == ""
    proofs = found["proofs"]
    assert [(one["player"], one["claim"]) for one in proofs] == [
        (player, claim) for player in (1, 2, 3) for claim in ("draw", "no-win")
    ]
    for proof in proofs:
        assert proof["file"] == str(tmp_path / f"third-{proof['player']}-{proof['claim']}.oxo")
        verdict = verify(proof["file"])
        assert verdict.verdict == "proved", verdict.reason
        does = "gets at least a draw in" if proof["claim"] == "draw" else "cannot force a win in"
        assert verdict.claim.startswith(f"player {proof['player']} {does} 3^2:players=3")


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
    claims = ["proof-1-win", "proof-2-no-draw", "proof-3-no-draw"]
    assert [proof["file"] for proof in found["proofs"]] == [str(tmp_path / x) for x in claims]
    words = ("--seconds", "0", "--proof", str(file), "--format", "json")
    done = oxo("coalition", "5^3:players=3", *words)
    assert json.loads(done.stdout)["proofs"] == []
    assert "no proof is written" in done.stderr


def test_what_all_others_prevent(tmp_path: Path) -> None:
    words = ("--proof", str(tmp_path / "x"), "--format", "json")
    found = json.loads(oxo("coalition", "3^3:players=3", *words).stdout)
    assert [proof["claim"] for proof in found["proofs"]] == ["no-draw"] * 3
    for proof in found["proofs"]:
        assert json.loads(oxo("verify", proof["file"], "--format", "json").stdout)["claim"] == (
            f"player {proof['player']} cannot force even a draw in 3^3:players=3 against all "
            "others together"
        )


def test_positions_are_looked_at_only_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    few = json.loads(oxo("coalition", "3^2:players=3", "--most", "100", "--format", "json").stdout)
    assert (few["kingmakers"], few["maxn"]) == (None, None)
    assert few["no_table"] == "there are more than 100 positions up to symmetry"
    assert "there are 16 free cells, more than 12" in oxo("coalition", "4^2:players=5").stdout
    monkeypatch.setenv("HYPEROXO_MEMORY", "1000000")
    done = oxo("coalition", "3^2:players=3", "--most", "1000000")
    assert done.exit_code == 2
    assert "is too large" in done.stderr


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


@pytest.mark.parametrize(
    "words",
    [
        ("coalition", "2^2:players=3", "--proof"),
        ("guide", "3^2", "--seat", "1", "--agent", "greedy", "--proof"),
        ("states", "2^2", "--out"),
    ],
)
def test_the_folder_must_be_there_before_the_work_begins(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = oxo(*words, str(tmp_path / "missing" / "x.csv"))
    assert done.exit_code == 2
    assert "there is no folder" in done.stderr
