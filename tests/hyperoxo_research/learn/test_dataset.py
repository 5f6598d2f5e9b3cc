"""Data sets against the values of their positions, and answers scored by them."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import LimitError, MissingExtraError, NotationError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof import check_proof, read_prevention, verify
from hyperoxo_research.learn.dataset import LONGEST, dataset, prompt, proofs_of, rules_text
from hyperoxo_research.learn.scoring import score_answers
from tests.expect import require
from tests.judge import judge_of, words
from tests.strategies import games, running_positions

ODD = ("3^2", "2,3,2:misere", "2^2:players=3", "3,2,2:gravity")


def records(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        parquet: Any = importlib.import_module("pyarrow.parquet")
        rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return rows
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.more
@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_every_class_stands_there_with_its_values(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"all{suffix}"
    written = dataset(ODD, path)
    rows = records(path)
    assert written.positions == len(rows)
    assert written.games == Counter(row["game"] for row in rows)
    assert written.splits == Counter(row["split"] for row in rows)
    assert sum(row["orbit"] for row in rows if row["game"] == "3^2") == 4_520
    for row in rows:
        position = Game(row["game"]).position(row["position"])
        answer = ox.move_values([position])
        assert row["legal"] == list(position.legal_moves)
        assert row["best"] == answer.best[0].nonzero()[0].tolist()
        assert row["keeps"] == answer.keeps[0].nonzero()[0].tolist()
        assert (row["ply"], row["to_move"]) == (position.ply, position.to_move)
        worth, plies = answer.of(0)[row["best"][0]]
        assert (row["value"], row["remoteness"]) == (worth, plies)
        assert row["move_values"] == [value.sign for value, _ in answer.of(0).values()]
        if suffix == ".jsonl":
            assert row["id"] == f"{row['game']} {row['position']}"
            assert row["prompt"] == prompt(position)
            end = position
            for cell in row["line"]:
                end = end.play(cell)
            assert end.is_over
            assert plies in (None, len(row["line"]))
            assert {claim_of(text) for text in row["proof"]} == claims_of(row)


def claim_of(text: str) -> tuple[str, str, int, str]:
    """Game, position, seat and claim of a proof, which is checked."""
    verdict = verify(text.encode())
    assert verdict.proved, verdict
    head = dict(line.split(" ", 1) for line in text.splitlines()[1:9])
    return head["game"], head["position"], int(head["seat"]), head["claim"]


def claims_of(row: dict[str, Any]) -> set[tuple[str, str, int, str]]:
    """What has to be proved for the value of a row."""
    claims = {"win": ["win"], "draw": ["draw", "no-win"]}.get(row["value"], ["no-draw"])
    return {(row["game"], row["position"], row["to_move"], claim) for claim in claims}


def test_a_spoilt_proof_is_rejected(tmp_path: Path) -> None:
    dataset(["2,3,3", "2,3,2:misere"], tmp_path / "data.jsonl")
    texts = [text for row in records(tmp_path / "data.jsonl") for text in row["proof"]]
    for text in texts[::5]:
        for at in range(0, len(text), 7):
            changed = "1" if text[at] != "1" else "2"
            assert not verify((text[:at] + changed + text[at + 1 :]).encode()).proved
        # A proof that is sealed again, but claims more than it shows.
        if "claim no-win" in text:
            sealed = replace(read_prevention(text.encode()), claim="no-draw")
            assert not check_proof(sealed).proved
    assert any("claim no-win" in text for text in texts[::5])


def test_proofs_that_are_long_or_not_to_be_had_are_left_out() -> None:
    (whole,) = require(proofs_of(Game("3^3").start(), 1))
    assert len(whole) <= LONGEST
    assert claim_of(whole)[2:] == (1, "win")
    assert proofs_of(Game("4^2").start(), 0) is None
    assert proofs_of(Game("3^2:convention=maker-breaker").start(), 1) is None
    # Nothing is handed out for what is not so.
    assert proofs_of(Game("3^2").start(), 1) is None
    assert proofs_of(Game("3^2").start(), -1) is None


@pytest.mark.more
def test_all_images_are_all_positions_in_the_split_of_their_class(tmp_path: Path) -> None:
    path = tmp_path / "all.parquet"
    assert dataset("3^2", path, all_images=True).positions == 4_520
    rows, game, splits = records(path), Game("3^2"), dict[bytes, set[str]]()
    judge = judge_of(game)
    assert len({row["position"] for row in rows}) == 4_520
    for row in rows:
        position = game.position(row["position"])
        assert (row["value"], row["remoteness"]) == words(judge(position), 2)
        images = game.symmetry.permutations()
        form = min(bytes(position.owners[c] for c in image) for image in images)
        splits.setdefault(form, set()).add(row["split"])
    assert len(splits) == 627
    assert {len(found) for found in splits.values()} == {1}


@pytest.mark.more
def test_samples_are_different_classes_and_the_same_again(tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl"))
    assert dataset("3^3", first, positions=12, seed=4).positions == 12
    dataset("3^3", again, positions=12, seed=4)
    dataset("3^3", other, positions=12, seed=5)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    assert len({row["position"] for row in records(first)}) == 12
    # There are no more than these.
    assert dataset("2^2", tmp_path / "d.jsonl", positions=50).positions == 3


@pytest.mark.more
def test_nothing_is_left_behind_by_a_run_that_ends_early(tmp_path: Path) -> None:
    stop, told = threading.Event(), list[int]()

    def halt(done: int, total: int) -> None:
        told.append(total)
        stop.set()

    with pytest.raises(KeyboardInterrupt):
        dataset(["3^2", "2^2"], tmp_path / "a.parquet", progress=halt, stop=stop)
    assert told == [627]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(LimitError, match="sample"):
        dataset(["3^2", "4^3"], tmp_path / "a.jsonl")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SpecError, match=r"must end in \.parquet, \.jsonl"):
        dataset("3^2", tmp_path / "a.csv")
    with pytest.raises(SpecError, match="needs a game"):
        dataset([], tmp_path / "a.jsonl")
    with pytest.raises(SpecError, match="must be positive"):
        dataset("3^2", tmp_path / "a.jsonl", positions=0)


def test_parquet_without_pyarrow_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="tables"):
        dataset("3^2", tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=60)
@given(running_positions(games(new_rules=True)))
def test_prompts_name_every_line_every_stone_and_every_move(position: Position) -> None:
    asked, board = prompt(position), position.game.board
    assert f"the legal moves are {', '.join(map(str, position.legal_moves))}." in asked
    for number in range(board.line_count):
        assert "-".join(map(str, board.line(number).tolist())) in asked
    drawn = asked.split("\n\n", 1)[1].split("Free cells show")[0].split()
    marks = [
        str(cell) if owner == 0 else "#" if owner == 255 else f"P{owner}"
        for cell, owner in enumerate(position.owners)
    ]
    assert drawn == marks
    assert f"Player {position.to_move} is to move" in asked


def test_rules_in_words() -> None:
    assert "A player with a full line wins." in rules_text(Game("3^2"))
    misere = rules_text(Game("3^2:misere,players=3"))
    assert "A player with a full line loses." in misere
    assert "all the others win" in misere
    assert "wins." not in misere
    assert "fewest full lines" in rules_text(Game("3^2:misere,target=2"))
    assert "several players have the most" in rules_text(Game("3^2:target=2"))
    assert "is a draw" not in rules_text(Game("3^2:convention=maker-breaker"))


def answers_file(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.more
@settings(max_examples=20)
@given(data=st.data())
def test_scores_count_answers(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    dataset(["2^2", "2,3,2:misere"], folder / "data.jsonl")
    rows = records(folder / "data.jsonl")
    given_moves = {row["id"]: data.draw(st.one_of(st.none(), st.integers(0, 6))) for row in rows}
    spelled = [
        {"id": name, "answer": data.draw(st.sampled_from([move, f"9 or rather {move}."]))}
        for name, move in given_moves.items()
        if move is not None
    ]
    found = score_answers(folder / "data.jsonl", answers_file(folder / "answers.jsonl", spelled))
    for score, chosen in (
        (found["all"], rows),
        (found["by_game"]["2^2"], [row for row in rows if row["game"] == "2^2"]),
        (found["by_ply"]["1"], [row for row in rows if row["ply"] == 1]),
    ):
        assert score["positions"] == len(chosen)
        assert score["answered"] == sum(given_moves[row["id"]] is not None for row in chosen)
        for field in ("legal", "keeps", "best"):
            right = sum(given_moves[row["id"]] in row[field] for row in chosen)
            assert score[field] == pytest.approx(right / len(chosen))


@pytest.mark.more
def test_scores_of_one_split(tmp_path: Path) -> None:
    written = dataset("3^2", tmp_path / "data.jsonl")
    rows = records(tmp_path / "data.jsonl")
    perfect = [{"id": row["id"], "answer": row["best"][0]} for row in rows]
    answers = answers_file(tmp_path / "answers.jsonl", perfect)
    found = score_answers(tmp_path / "data.jsonl", answers, split="test")["all"]
    assert found["positions"] == written.splits["test"]
    assert found["best"] == found["keeps"] == found["legal"] == found["interval"][1] == 1.0


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("no", "line 1: not a JSON object"),
        ('{"id": "2^2 ....", "answer": 0}\n[]', "line 2: not a JSON object"),
        ('{"answer": 0}', "line 1: 'id' is missing"),
        ('{"id": "2^2 ....", "answer": true}', "line 1: 'answer' must be"),
        ('{"id": "2^2 ....", "answer": 1.5}', "line 1: 'answer' must be"),
        ('{"id": "2^2 ....", "answer": 0}\n' * 2, "line 2: a second answer to '2\\^2 ....'"),
        ('{"id": "3^2 ....", "answer": 0}', "there is no position '3\\^2 ....'"),
        ("[" * 100_000, "line 1: not a JSON object"),
    ],
)
def test_bad_answers_are_one_line(tmp_path: Path, answers: str, message: str) -> None:
    dataset("2^2", tmp_path / "data.jsonl")
    (tmp_path / "answers.jsonl").write_text(answers)
    with pytest.raises(NotationError, match=message):
        score_answers(tmp_path / "data.jsonl", tmp_path / "answers.jsonl")


def test_bad_data_sets_are_one_line(tmp_path: Path) -> None:
    answers = answers_file(tmp_path / "answers.jsonl", [])
    (tmp_path / "data.jsonl").write_text('{"id": "x"}\n')
    with pytest.raises(NotationError, match="line 1: 'legal' is missing"):
        score_answers(tmp_path / "data.jsonl", answers)
    (tmp_path / "data.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="not UTF-8"):
        score_answers(tmp_path / "data.jsonl", answers)
