"""The section on directions of lines."""

from __future__ import annotations

from hyperoxo.lab.study.ising_figures import directions


def test_lines_and_directions_by_class() -> None:
    section = directions()
    rows = [row for row in section.tables[0].as_data()["rows"] if row["board"] in ("3^3", "4^3")]
    assert [(row["lines"], row["directions"]) for row in rows] == [
        (13, 26), (5, 9), (4, 5), (7, 7),
        (7, 14), (4, 7), (4, 5), (7, 7),
    ]  # fmt: skip
    assert {one.name for one in section.pictures} == {
        "directions-3-2", "directions-3-3", "directions-4-3", "directions-3-4",
    }  # fmt: skip
