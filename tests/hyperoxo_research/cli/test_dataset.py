"""`oxo dataset` as a command; what it writes is tested where it is written."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command import answer, oxo, printed


def test_write_and_score(tmp_path: Path) -> None:
    data, answers = tmp_path / "data.jsonl", tmp_path / "answers.jsonl"
    text = printed(oxo("dataset", "2^2", "2^2:players=3", "--out", str(data)))
    assert text.splitlines()[0].split() == ["game", "positions"]
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    answers.write_text(
        "".join(json.dumps({"id": row["id"], "answer": "cell 0"}) + "\n" for row in rows)
    )
    score = answer("dataset", "--score", str(data), str(answers))["all"]
    assert score["positions"] == len(rows)
    assert score["best"] == sum(0 in row["best"] for row in rows) / len(rows)
    shown = oxo("dataset", "--score", str(data), str(answers)).stdout
    assert f"{100 * score['best']:.2f}" in shown.splitlines()[1]
    assert "2^2:players=3" in shown


def test_parquet_of_a_sample(tmp_path: Path) -> None:
    out = str(tmp_path / "a.parquet")
    found = answer("dataset", "3^3", "--out", out, "--positions", "5", "--seed", "1")
    assert found["positions"] == 5
    assert found["file"] == out
