"""`oxo coalition` and `oxo guide` as commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.proof import verify
from hyperoxo.solvers.coalition.forces import coalition
from tests.command import answer, oxo, printed, refusal


def test_coalition_as_json(tmp_path: Path) -> None:
    file = tmp_path / "third.oxo"
    found = answer("coalition", "3^2:players=3", "--proof", str(file))
    assert [seat["forces"] for seat in found["seats"]] == ["draw"] * 3
    assert found["interesting"] is True
    assert found["maxn"] == ["="]
    assert "careful" not in found
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


def test_coalition_tells_where_the_proofs_are(tmp_path: Path) -> None:
    text = oxo("coalition", "2^2:players=3", "--proof", str(tmp_path / "x")).stdout
    assert "player 1, win: " in text
    assert f"in {tmp_path / 'x-1-win'}" in text


def test_kingmakers_are_listed() -> None:
    words = ("coalition", "3,2,2:players=3,misere", "--kingmakers", "2")
    found = answer(*words)["kingmakers"]
    assert len(found["positions"]) == 2 < found["classes"]
    text = oxo(*words).stdout
    assert f"kingmaker positions up to symmetry: {found['classes']:,}\n" in text
    for position in found["positions"]:
        assert f"  {position}\n" in text


def test_kingmakers_are_counted_up_to_symmetry_or_it_is_said_that_they_are_not() -> None:
    found = answer("coalition", "2^3:misere,players=4")
    assert found["kingmakers"] == {"classes": 2, "positions": ["........", "....1234"]}
    assert found["up_to_symmetry"] is True
    words = ("coalition", "9^1:players=3,misere,target=4", "--kingmakers", "0")
    found = answer(*words)
    assert found["up_to_symmetry"] is False
    assert "kingmaker positions (counted without symmetry): " in oxo(*words).stdout
    assert "more than 100 positions, counted without symm" in oxo(*words, "--most", "100").stdout


@pytest.mark.parametrize("answer", [None, CheckFailedError("it is too hard")])
def test_a_proof_that_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: CheckFailedError | None
) -> None:
    def no_proof(*_: object, **__: object) -> None:
        if answer is not None:
            raise answer

    monkeypatch.setattr("hyperoxo.coalition_proof", no_proof)
    words = ("--proof", str(tmp_path / "x"), "--format", "json")
    done = oxo("coalition", "2^2:players=3", *words)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["proofs"] == []
    why = "the time was too short" if answer is None else "it is too hard"
    assert f"no proof of win for player 1 is written: {why}" in done.stderr


def test_an_interrupt_answers_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = replace(coalition("2^2:players=3"), interrupted=True)
    monkeypatch.setattr("hyperoxo.coalition", lambda *_, **__: found)
    done = oxo("coalition", "2^2:players=3", "--proof", str(tmp_path / "x"))
    assert done.exit_code == 130
    assert "Player 1 can force a win" in done.stdout
    assert "interrupted" in done.stderr
    assert not list(tmp_path.iterdir())


def test_coalition_as_text() -> None:
    text = oxo("coalition", "2^2:players=3").stdout
    assert "Player 1 can force a win" in text
    assert "interesting: no" in text
    assert "by max^n: 1" in text


def test_coalition_of_a_position_and_with_nothing_to_prove(tmp_path: Path) -> None:
    file = tmp_path / "proof"
    at = "--position", "moves:0,1,2"
    found = answer("coalition", "2^2:players=3", *at, "--proof", str(file))
    assert found["position"] == "123."
    claims = ["proof-1-win", "proof-2-no-draw", "proof-3-no-draw"]
    assert [proof["file"] for proof in found["proofs"]] == [str(tmp_path / x) for x in claims]
    words = ("--seconds", "0", "--proof", str(file), "--format", "json")
    done = oxo("coalition", "5^3:players=3", *words)
    assert json.loads(done.stdout)["proofs"] == []
    assert "no proof is written" in done.stderr


def test_what_all_others_prevent(tmp_path: Path) -> None:
    found = answer("coalition", "3^3:players=3", "--proof", str(tmp_path / "x"))
    assert [proof["claim"] for proof in found["proofs"]] == ["no-draw"] * 3
    for proof in found["proofs"]:
        assert answer("verify", proof["file"])["claim"] == (
            f"player {proof['player']} cannot force even a draw in 3^3:players=3 against all "
            "others together"
        )


@pytest.mark.more
def test_positions_are_looked_at_only_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    few = answer("coalition", "3^2:players=3", "--most", "100")
    assert (few["kingmakers"], few["maxn"]) == (None, None)
    assert few["no_table"] == "there are more than 100 positions up to symmetry"
    assert "there are 16 free cells, more than 12" in oxo("coalition", "4^2:players=5").stdout
    monkeypatch.setenv("HYPEROXO_MEMORY", "1000000")
    assert "is too large" in refusal(oxo("coalition", "3^2:players=3", "--most", "1000000"))


def test_guide_as_json() -> None:
    words = ("guide", "3^2", "--seat", "2", "--agent", "greedy", "--losses", "2")
    found = answer(*words)
    assert found["wins"] + found["draws"] + found["losses"] == found["leaves"]
    assert found["verdict"] == "loses"
    assert len(found["losing_lines"]) == 2
    assert "moves:0,4," in oxo(*words).stdout


def test_guide_writes_what_it_proves(tmp_path: Path) -> None:
    file = tmp_path / "greedy.oxo"
    words = ("guide", "3^2", "--agent", "greedy", "--proof", str(file), "--merge")
    text = printed(oxo(*words, "--seat", "1"))
    assert "18 wins, 1 draw, 0 losses: 19 leaves" in text
    assert "never loses 3^2 as player 1" in text
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
    assert "there is no folder" in refusal(oxo(*words, str(tmp_path / "missing" / "x.csv")))


def test_guide_draws_its_tree(tmp_path: Path) -> None:
    file = tmp_path / "guided.svg"
    words = ("guide", "2^2", "--seat", "1", "--agent", "greedy", "--out", str(file))
    assert f"the tree is drawn in {file}" in oxo(*words).stdout
    assert file.read_text(encoding="utf-8").count('href="#board"') == 8
    found = answer(*words, "--merge")
    assert (found["picture"], found["leaves"]) == (str(file), 1)


def test_alliances_and_kingmakers_by_threats_are_told() -> None:
    words = ("coalition", "2^2:players=3", "--stake", "2")
    found = answer(*words)
    assert found["alliances"] == [
        {"against": 1, "seat": 2.0, "ally": -1.0},
        {"against": 2, "seat": -1.0, "ally": 0.5},
        {"against": 3, "seat": -1.0, "ally": 0.5},
    ]
    assert found["kingmakers_by_threats"] == {"classes": 0, "positions": []}
    text = oxo(*words).stdout
    assert "against player 3: player 3 gets -1, each of them 0.5 by lot" in text
    assert "where the mover can stop one of two rivals only: 0" in text
    assert oxo("coalition", "2^2:players=3", "--stake", "0").exit_code == 2


def test_careful_players_on_demand() -> None:
    words = ("coalition", "4,3,3:players=3", "--position", "......132..1", "--careful")
    assert oxo(*words).stdout.endswith("results by max^n: 2, =\nresults of careful players: =\n")
    found = answer(*words)
    assert (found["maxn"], found["careful"]) == (["2", "="], ["="])
