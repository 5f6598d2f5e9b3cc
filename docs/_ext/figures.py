"""Figures of speed from `benchmarks/results.json`, and the tables of levels from the package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from docutils import nodes

from hyperoxo.agents.level import SKILLS
from hyperoxo.lab.plots.style import save
from hyperoxo_research.bench.bench import CASES
from hyperoxo_research.bench.rows import HEADINGS, Growth, Point, Row, figure
from hyperoxo_research.lab.experts import BOUTS, bouts_table
from hyperoxo_research.lab.league import ENTRIES, league_table
from hyperoxo_research.lab.levels import STEPS, Step
from hyperoxo_research.plots.growth import growth_figure

SEPARATE = (
    *("batches", "makers", "environments", "growth", "first"),
    *("server", "pages", "library", "cluster"),
)
"""Cases that have a table of their own; all others share one."""

_OURS = ("numba", "numpy", "llvmlite")


def setup(app: Any) -> dict[str, Any]:
    """Write the tables before Sphinx reads the page that includes them."""
    app.connect("builder-inited", lambda app: write_tables(Path(app.srcdir)))
    app.add_role("bench", _role)
    return {"version": "1", "parallel_read_safe": True}


def read(docs: Path) -> tuple[dict[str, Any], list[Row]]:
    """Read the last full run: the machine, and the rows."""
    data = json.loads((docs.parent / "benchmarks" / "results.json").read_text("utf-8"))
    return data["machine"], [row_of(row) for row in data["rows"]]


def row_of(data: dict[str, Any]) -> Row:
    """Return the row that `Row.as_data` has written."""
    given = {one.name: data[one.name] for one in fields(Row) if data.get(one.name) is not None}
    if growth := given.get("growth"):
        points = tuple(Point(**point) for point in growth["points"])
        given["growth"] = Growth(**{**growth, "points": points})
    return Row(**given)


def write_tables(docs: Path) -> None:
    """Write what `benchmarks.md` includes."""
    folder = docs / "_figures"
    folder.mkdir(exist_ok=True)
    machine, rows = read(docs)
    (folder / "machine.md").write_text(describe(machine) + "\n", "utf-8")
    for name in SEPARATE:
        _write(folder / f"{name}.md", [row for row in rows if row.case == name])
    rest = [name for name in CASES if name not in SEPARATE]
    _write(folder / "rest.md", [row for row in rows if row.case in rest])
    save(growth_figure(rows), folder / "growth.svg")
    (folder / "skills.md").write_text("\n".join(_skills()) + "\n", "utf-8")
    (folder / "levels.md").write_text("\n".join(_levels()) + "\n", "utf-8")
    for name, (head, table) in {
        "experts": bouts_table(BOUTS.stored),
        "league": league_table(ENTRIES.stored),
    }.items():
        (folder / f"{name}.md").write_text("\n".join(_by_game(head, table)) + "\n", "utf-8")


def describe(machine: dict[str, Any]) -> str:
    """Return the machine of a run as a sentence."""
    packages = machine["packages"]
    peers = ", ".join(f"{name} {packages[name]}" for name in packages if name not in _OURS)
    load = machine["load"], machine.get("load_at_end")
    loads = " and ".join("unknown" if one is None else f"{one:.1f}" for one in load)
    return (
        f"Measured on {machine['began'][:10]} with hyperoxo {machine['hyperoxo']}, Python "
        f"{machine['python']} and Numba {packages['numba']} on {machine['cores']} cores of "
        f"{machine['processor']} ({machine['system']}), in {machine['seconds'] / 60:.0f} minutes; "
        f"other programs: {peers or 'none'}. The load average was {loads} before and after; the "
        "run itself is one."
    )


def _write(path: Path, rows: Sequence[Row]) -> None:
    path.write_text("\n".join(_table(rows)) + "\n", "utf-8")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Write the columns in which anything stands."""
    used = [
        number
        for number, _ in enumerate(HEADINGS)
        if not number or any(row.cells[number] for row in rows)
    ]
    yield _line([HEADINGS[number] for number in used])
    yield _line(["---"] * len(used))
    for row in rows:
        yield _line([row.cells[number] for number in used])


def _skills() -> Iterator[str]:
    """Write the settings of the levels: sight, attention, simulations."""
    yield _line(["kind", *map(str, range(1, 8))])
    yield _line(["---"] * 8)
    for kind, skills in SKILLS.items():
        cells = [(f"{part:g}" for part in skill if part) for skill in skills]
        yield _line([kind, *(" / ".join(cell) or "0" for cell in cells)])


def _levels() -> Iterator[str]:
    """Write what each level takes from the one below."""
    games: dict[str, list[Step]] = {}
    for step in STEPS.stored:
        games.setdefault(step.game, []).append(step)
    yield _line(["game", *(f"{level} on {level - 1}" for level in range(2, 9))])
    yield _line(["---"] * 8)
    for game, steps in games.items():
        yield _line([f"`{game}`", *map(_step, steps)])


def _by_game(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Write rows that begin with a game."""
    yield _line(head)
    yield _line(["---"] * len(head))
    for game, *cells in rows:
        yield _line([f"`{game}`", *cells])


def _step(step: Step) -> str:
    low, high = step.interval
    draws = f", {step.drawn} draws" if 2 * step.drawn > step.games else ""
    return f"{100 * step.share:.0f} ({100 * low:.0f} to {100 * high:.0f}){draws}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def said(rows: Sequence[Row], asked: str) -> str:
    """Return a figure for the text: ours, or after the name of the row ` | ratio` or ` | peer`.

    Where several rows have one name, the unit of the one meant stands next to it: ` | positions`.
    """
    name, *words = (part.strip() for part in asked.split("|"))
    column = words.pop() if words and words[-1] in ("ratio", "peer") else "ours"
    found = [row for row in rows if row.name == name and (not words or row.unit == words[0])]
    if len(found) != 1 or len(words) > 1:
        raise ValueError(f"benchmarks/results.json has {len(found)} rows for {asked!r}")
    row = found[0]
    if column == "ours":
        return row.text
    value = row.ratio if column == "ratio" else row.peer
    if value is None:
        raise ValueError(f"benchmarks/results.json has no {column} for {asked!r}")
    return f"{value:.2g}" if column == "ratio" else figure(value, row.unit)


def _role(
    _name: str, raw: str, text: str, line: int, inliner: Any, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    _, rows = read(Path(inliner.document.settings.env.srcdir))
    try:
        return [nodes.Text(said(rows, text))], []
    except ValueError as error:
        message = inliner.reporter.error(str(error), line=line)
        return [inliner.problematic(raw, raw, message)], [message]
