"""What is known, as the documentation says, is what commands find."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.game import Game, Trait
from hyperoxo_research.lab.atlas import stored_atlas
from hyperoxo_research.lab.values import PLIES, table_of_values
from tests.docs.test_documents import load, parsed
from tests.marks import more

DOCS = Path(__file__).parents[2] / "docs"
PAGE = load(DOCS / "_ext" / "known.py")
ROWS = PAGE.read_rows(DOCS)
PROVED = [row for row in ROWS if row["status"] == "proved"]
LONG = [row for row in PROVED if row["game"] in {
    "3^2:blocked=centre", "3^2:wrap", "3^3:blocked=centre", "3^3:misere", "3^3:target=2",
    "4^2:misere", "4^2:players=3", "4^3:misere", "4^3:opening=poor", "6,4,4", "6,5,5",
    "7^3:convention=maker-breaker", "3^4:blocked=centre,target=12", "4^3:opening=poorx2",
    "5,5,4", "6,5,4", "6,6,5", "6,6,4:gravity", "7,6,4:gravity",
    "7,6,4:gravity,misere", "4^3:gravity,misere",
}]  # fmt: skip


def said(game: str, how: str, value: str) -> str:
    """Return what the command finds, in the words of the table, where it has a value."""
    if how.startswith("oxo coalition"):
        forces = {seat.forces for seat in ox.coalition(game).seats}
        return {
            frozenset({"draw"}): "each player can force a draw",
            frozenset({"nothing"}): "no player can force anything",
        }[frozenset(forces)]
    if how.startswith("oxo classify"):
        regions = ox.classify(game).regions
        assert set(regions) in ({2}, {4}, {5})
        return "the first player wins" if regions == (2,) else "draw"
    method = re.search(r"--method (\w+)", how)
    seconds = re.search(r"--seconds (\d+)", how)
    # What bounds an open value is known at once, and a value alone in less time than its moves.
    limit = 1 if value.startswith("open") else int(seconds[1]) if seconds else 20
    found = ox.solve(game, method=method[1] if method else "auto", seconds=limit, value_only=True)
    names = {1: "the first player", 2: "the second player"}
    if Trait.MAKER_BREAKER in Game(game).traits:
        names = {1: "Maker", 2: "Breaker"}
    elif Trait.AVOIDER_ENFORCER in Game(game).traits:
        names = {1: "Avoider", 2: "Enforcer"}
    if found.value == "unknown":
        assert [str(one) for one in found.bounds] == ["loss", "draw"]
        return "open: the first player does not win"
    return f"{names[found.winner]} wins" if found.winner else str(found.value)


def test_the_table_is_whole() -> None:
    assert len({row["game"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row["kind"] in PAGE.KINDS, row
        assert str(Game(row["game"])), row
        assert bool(row["how"]) == (row["status"] == "proved"), row
        assert bool(row["rests"]) == (row["status"] != "open"), row
        assert row["status"] in PAGE.STATUSES, row


@pytest.mark.parametrize("row", more(PROVED, LONG), ids=lambda row: row["game"])
def test_what_is_said_to_be_proved_is_found(row: dict[str, str]) -> None:
    how = row["how"].strip("`")
    parsed(how.split())
    assert row["game"] in how.split()
    assert said(row["game"], how, row["value"]) == row["value"]


def test_tables_of_boards(tmp_path: Path) -> None:
    for file in ("known.csv", "connect_four.json"):
        (tmp_path / file).write_text((DOCS / file).read_text("utf-8"), "utf-8")
    PAGE.write_tables(tmp_path)
    cubes = (tmp_path / "_known" / "cubes.md").read_text("utf-8").splitlines()
    assert len(cubes) == 2 + len(stored_atlas().entries)
    row = next(line for line in cubes if line.startswith("| 7^3 |"))
    assert "| draw | 4 | 4 | proved here |" in row
    assert any("| open: a draw, or the first player wins | 3 or 4 | 2 ✗ |" in one for one in cubes)
    wrong = (tmp_path / "_known" / "wrong.md").read_text("utf-8")
    assert re.findall(r"^\| (\d\^\d)", wrong, re.MULTILINE) == [
        *("4^5", "4^6", "4^7", "5^7", "5^8"),
    ]
    games = (tmp_path / "_known" / "games.md").read_text("utf-8")
    assert all(f"| `{row['game']}` |" in games for row in ROWS)
    text = (DOCS / "known.md").read_text("utf-8")
    assert re.findall(r"_known/(\w+)\.md", text) == ["wrong", "cubes", "sizes", "games"]
    sizes = (tmp_path / "_known" / "sizes.md").read_text("utf-8").splitlines()
    assert sizes[4].startswith("| 6 | draw 24 ✓ | draw 30 ✓ | second 36 ✓ | first 41 ✓ |")


def test_sizes_of_connect_four_are_as_published(tmp_path: Path) -> None:
    found = {one["game"]: one for one in PAGE.read_sizes(DOCS)}
    assert {spec for spec in PLIES if Game(spec).cells <= 42} <= set(found)
    assert all(one["agrees"] and one["plies"] for one in found.values())
    for again in table_of_values(tmp_path, ("4,4,4:gravity", "6,4,4:gravity")).entries:
        shown = ("value", "plies", "by_search_alone", "proofs")
        assert all(again[key] == found[again["game"]][key] for key in shown)
