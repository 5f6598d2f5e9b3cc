from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import oxo


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_DATA", str(tmp_path / "data"))


@pytest.mark.more
def test_tree(tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    done = oxo("tree", "3^2", "--out", str(file))
    assert done.exit_code == 0
    assert done.stdout == f"{file}: 172 boards\n"
    rings = oxo("tree", "3^2", "--layout", "rings", "--out", str(file))
    assert rings.stdout == f"{file}: 162 boards\n"
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert oxo("tree", "2^2", "--out", "-").stdout.endswith("</svg>\n")
    assert oxo("tree", "2^2", "--whole", "--out", str(file)).stdout == f"{file}: 41 boards\n"
    line = oxo("tree", "3^2", "--line", "4,1,0", "--out", str(file), "--format", "json")
    assert json.loads(line.stdout) == {"game": "3^2", "file": str(file), "boards": 4}
    page = tmp_path / "tree.html"
    assert oxo("tree", "2^2", "--out", str(page)).stdout == f"{page}: 4 boards\n"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    for bad in (
        ("--line", "4,4"),
        ("--line", "4", "--whole"),
        ("--layout", "down", "--out", "a.html"),
    ):
        assert oxo("tree", "3^2", *bad).exit_code == 2
    refused = oxo("tree", "3^3", "--plies", "12", "--out", str(file))
    assert refused.exit_code == 2
    assert "too many to draw" in refused.stderr


def test_map(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    said = json.loads(oxo("map", "3^2", "--out", str(file), "--format", "json").stdout)
    assert said == {"game": "3^2", "seat": 1, "file": str(file), "boards": 91}
    assert file.read_text(encoding="utf-8").count("#board") == 91
    assert oxo("map", "3^2", "--seat", "3").exit_code == 2
    assert "two players" in oxo("map", "3^2:players=3").stderr
