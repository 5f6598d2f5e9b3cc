"""Measured figures of the pages come from a role, or from output that a test replays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.text

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

NUMBER = r"(?<![\w^,.=+-])\d[\d,]*(?:\.\d+)?"
UNIT = (
    r"(?:ns|µs|ms|s|seconds?|minutes?|hours?|days|kB|MB|GB|KiB|MiB|GiB|%|million|billion"
    r"|positions|games|states|rows|nodes|replies)(?!\w)"
)
FIGURE = re.compile(
    rf"{NUMBER}(?:,? (?:to|of|and|or) {NUMBER})?\s(?:(?:more|strategic|quiet)\s)?{UNIT}"
    r"|(?<![\w^.,=+-])\d{1,3}(?:,\d{3})+(?!\w)"
)
"""A number with a unit of what is measured, or one so large that its digits are in groups."""

BOUND = re.compile(
    r"(?:up\sto|at\s(?:most|least)|(?:more|fewer|less|longer)\sthan|over|under|below|beyond|within"
    r"|limit\sis|least|most|over|unless)\s(?:of\s)?$"
)
"""Before a figure: it is a limit, which is part of what the program does."""

GIVEN = {
    "README": {"120 GB": "published", "2,929": "published"},
    "agents": {
        "10,000": "defaults, and games of the command",
        "10,000 games": "games of the command",
        "4,000,000": "a default",
        "5,000,000": "a default",
        "60 to 80 %": "the aim of the levels",
        "60 and 80 %": "the same",
        "95 %": "of intervals",
    },
    "analysis": {"64 MB": "a setting", "250,000 positions": "a setting"},
    "benchmarks": {"94 %": "of intervals", "2,048": "a size of the benchmark"},
    "key-plans": {"120 GB": "published"},
    "draws": {"5 s": "a setting"},
    "laboratory": {
        "95 %": "of intervals",
        "100,000": "a default",
        "1,000": "curves of the bootstrap",
    },
    "learning": {
        "200 games": "games of the command",
        "2,000": "games of the command; positions of the sample",
        "20,000": "positions of the sample",
        "60 games": "games of the command",
    },
    "proof-search": {
        "200,000 positions": "a setting",
        "2,929": "published",
    },
    "robustness": {"256 MiB": "a default"},
    "serve": {"15 seconds": "a setting", "200 games": "games of the command"},
    "states": {"2 GiB": "a default"},
    "studies": {"45,651 positions": "published", "64 KiB": "a setting"},
    "threats": {"2,000 games": "a setting"},
    "truth": {"95 %": "of intervals"},
    "web": {"95 %": "of intervals", "1,000": "a limit of moves"},
}
"""Figures that are not measured: published ones, defaults, settings and sizes of samples."""


def prose(text: str) -> str:
    """Leave out code, output, roles and what a comment says that a figure comes from."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\S+\s\w*\s*<!-- (?:result|bench): .*? -->", "", text)
    return re.sub(r"\{\w+\}`[^`]*`|`+[^`]*`+", "X", text)


def figures(text: str) -> set[str]:
    plain = prose(text)
    return {
        re.sub(r"\s", " ", found[0])
        for found in FIGURE.finditer(plain)
        if not BOUND.search(plain[: found.start()])
    }


def test_a_figure_by_hand_is_found() -> None:
    text = (
        "It takes 3.6\nhours, 12 to 15 s, 1,234 rooms, or {bench}`walk`; up to 40 s, 3 cells, 8^3."
    )
    assert figures(text) == {"3.6 hours", "12 to 15 s", "1,234"}
    assert not figures("```console\n9 s\n```\n1,966 <!-- result: one: two --> and `7 s`")


def test_no_figure_is_kept_by_hand() -> None:
    found = {page.stem: figures(page.read_text("utf-8")) for page in PAGES}
    assert {page: those for page, those in found.items() if those} == {
        page: {*those} for page, those in GIVEN.items()
    }
