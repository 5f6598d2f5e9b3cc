"""The atlas of n^d: the region of every board beside the published one, as data and as a page."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from hyperoxo import __version__
from hyperoxo.display import Result
from hyperoxo.errors import SpecError
from hyperoxo.files import replace_file
from hyperoxo.lab.plots.style import COLOURS
from hyperoxo.pictures.svg import document, tag, text_svg, title_svg
from hyperoxo.task import Progress, Stop, Task
from hyperoxo_research.draws.classify import REGION_WORDS, Classification, classify
from hyperoxo_research.draws.published import GOLOMB_HALES, PUBLISHED, UNCERTAIN
from hyperoxo_research.lab.stored_answers import AnswerCache
from hyperoxo_research.study.report import templates

__all__ = ["Atlas", "AtlasEntry", "atlas", "stored_atlas"]

SIDES, DIMENSIONS = 12, 8
STATUS = {
    "proved": ("proved here", COLOURS["green"]),
    "cited": ("proved elsewhere (cited)", COLOURS["sky"]),
    "conjectured": ("conjectured", COLOURS["yellow"]),
    "open": ("open", "#c9ccd0"),
}
"""Text and colour of each status of knowledge about a region."""

_CELL, _LEFT, _TOP, _FOOT = 64, 56, 64, 88
_DATA = "atlas.json"


@dataclass(frozen=True)
class AtlasEntry:
    """One board of the atlas.

    Attributes
    ----------
    side, dim : int
        The board n^d.
    regions : tuple of int
        Regions that are possible after what is proved here.
    cited : tuple of int
        The same with what is proved elsewhere.
    published : int or None
        The region in the table of Golomb and Hales.
    answer : dict
        The classification as `oxo classify --format json` prints it.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> entry = ox.atlas(sides=2, dims=1).entries[1]
    >>> str(entry), entry.regions, entry.published, entry.status
    ('2^1', (5,), 5, 'proved')
    """

    side: int
    dim: int
    regions: tuple[int, ...]
    cited: tuple[int, ...]
    published: int | None
    answer: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.side}^{self.dim}"

    @property
    def status(self) -> str:
        """``"proved"``, ``"cited"``, ``"conjectured"`` or ``"open"``."""
        if len(self.regions) == 1:
            return "proved"
        if len(self.cited) == 1:
            return "cited"
        sure = self.published in self.cited and (self.side, self.dim) not in UNCERTAIN
        return "conjectured" if sure else "open"

    @property
    def contradicted(self) -> bool:
        """True if the proofs here exclude the published region."""
        return self.published is not None and self.published not in self.regions

    @property
    def reason(self) -> str:
        """The claim that excludes the published region: that a draw exists, if one is proved."""
        claims: list[str] = [one["claim"] for one in self.answer["evidence"]]
        boards = [claim for claim in claims if claim.startswith("there is a full board")]
        return (boards or claims)[-1]

    def as_data(self) -> dict[str, Any]:
        """Return the entry as plain values for JSON."""
        more = {
            "status": self.status,
            "with_cited": list(self.cited),
            "published": self.published,
            "contradicted": self.contradicted,
        }
        return {**self.answer, **more}


@dataclass(frozen=True)
class Atlas(Result):
    """The regions of many boards n^d.

    Attributes
    ----------
    entries : tuple of AtlasEntry
        By side, then by dimension.
    interrupted : bool
        Whether it was stopped before all were done.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> [entry.regions for entry in ox.atlas(sides=3, dims=2).entries]
    [(1,), (1,), (5,), (1,), (5,), (4,)]
    """

    entries: tuple[AtlasEntry, ...]
    interrupted: bool = False

    @cached_property
    def by_board(self) -> dict[str, AtlasEntry]:
        """The entries by their boards, such as ``"7^3"``."""
        return {str(entry): entry for entry in self.entries}

    def as_data(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        counts = Counter(entry.status for entry in self.entries)
        return {
            "entries": [entry.as_data() for entry in self.entries],
            "counts": {status: counts[status] for status in STATUS},
            "contradicted": [str(entry) for entry in self.entries if entry.contradicted],
        }

    def _repr_svg_(self) -> str:
        return self.svg()

    def svg(self) -> str:
        """Draw the table, coloured by the state of knowledge."""
        return _picture(self.entries)


def atlas(
    folder: str | os.PathLike[str] | None = None,
    *,
    sides: int = SIDES,
    dims: int = DIMENSIONS,
    seconds: float = 60.0,
    creator: str = "",
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Atlas:
    """Classify all boards n^d up to a side and a dimension.

    Parameters
    ----------
    folder : str or path-like, optional
        Folder for the proofs, the data, a picture and a page. Files of an earlier call with the
        same limits are reused.
    sides, dims : int
        Largest side and dimension.
    seconds : float
        Time limit for each board.
    creator : str
        What the proof files name as their maker.
    workers, executor
        Where the work runs, as in `enumerate_states`.
    progress : callable, optional
        Called with (boards done, all boards that are to be done).
    stop : Stop, optional
        An event that any thread may set to end early.

    Returns
    -------
    Atlas
        The boards done; all of them unless it was stopped.

    Raises
    ------
    SpecError
        If a limit makes no sense.
    MissingExtraError
        If a page is requested and jinja2 is not installed.

    Examples
    --------
    >>> found = atlas(sides=5, dims=2)
    >>> [(str(entry), entry.regions) for entry in found.entries if entry.dim == 2][2:]
    [('3^2', (4,)), ('4^2', (4,)), ('5^2', (5,))]
    """
    if not 1 <= sides <= 99 or not 1 <= dims <= 20:
        raise SpecError("an atlas has sides 1 to 99 and dimensions 1 to 20")
    place = None if folder is None else Path(folder)
    known: dict[str, Any] = {}
    cache: AnswerCache | None = None
    if place is not None:
        templates()  # before the work rather than after it
        place.mkdir(parents=True, exist_ok=True)
        cache = AnswerCache(
            place / _DATA, {"made": {"version": __version__, "seconds": seconds}}, "boards"
        )
        # An answer counts with its proof only, whose file may have been deleted.
        known = {key: one for key, one in cache.answers.items() if (place / one["file"]).is_file()}
    boards = {f"{n}^{d}": (n, d) for n in range(1, sides + 1) for d in range(1, dims + 1)}
    with Task.shared(progress, workers, executor, stop) as task:
        made = place is not None
        pieces = [(spec, seconds, creator, made) for spec in boards if spec not in known]
        try:
            for _, (answer, proof) in task.spread(_classified, pieces):
                known[answer["game"]] = answer
                if place is not None and cache is not None:
                    replace_file(place / answer["file"], proof)
                    cache.add(answer["game"], answer)
        except KeyboardInterrupt:
            # Where the caller has set `stop`, what is done is the answer; else it is an interrupt.
            if not task.stopped:
                raise
    done = [(*board, known[spec]) for spec, board in boards.items() if spec in known]
    found = Atlas(tuple(_entry(*one) for one in done), len(done) < len(boards))
    # Both are of the whole table, so a call that was stopped leaves those of an earlier one.
    if place is not None and not found.interrupted:
        replace_file(place / "atlas.svg", found.svg().encode())
        replace_file(place / "index.html", _page(found).encode())
    return found


@cache
def stored_atlas() -> Atlas:
    """Return the atlas that comes with the program: sides up to 12, dimensions up to 8.

    Returns
    -------
    Atlas
        What `oxo atlas` found, without the proofs, which it and `classify` make.

    Examples
    --------
    >>> known = stored_atlas().by_board["7^3"]
    >>> known.regions, known.status
    ((4,), 'proved')
    """
    data = json.loads((files("hyperoxo_research") / "data" / _DATA).read_bytes())
    boards = {tuple(map(int, spec.split("^"))): found for spec, found in data["boards"].items()}
    return Atlas(tuple(_entry(side, dim, found) for (side, dim), found in boards.items()))


def _classified(
    spec: str, seconds: float, creator: str, stored: bool, task: Task
) -> tuple[dict[str, Any], bytes]:
    """Classify one board; return the answer and the file that proves it."""
    found: Classification = classify(spec, seconds=seconds, stop=task.stop)
    name = f"{spec.replace('^', '-')}.oxo" if stored else None
    more = {"file": name, "cited": list(found.cited), "cited_in": found.cited_source}
    return {**found.as_data(name), **more}, found.proof_text(creator) if stored else b""


def _entry(side: int, dim: int, answer: dict[str, Any]) -> AtlasEntry:
    region = answer["region"]
    regions = tuple(region) if isinstance(region, list) else (region,)
    published = PUBLISHED.get((side, dim))
    return AtlasEntry(side, dim, regions, tuple(answer["cited"]), published, answer)


def _picture(entries: Sequence[AtlasEntry]) -> str:
    sides = max(entry.side for entry in entries)
    dims = max(entry.dim for entry in entries)
    high = _CELL // 2
    foot = _TOP + sides * high + 24
    parts = [
        tag("rect", width="100%", height="100%", fill="#ffffff"),
        _words(_LEFT + dims * _CELL / 2, 22, "dimension"),
        _words(24, _TOP - 12, "side"),
        *(_words(_LEFT + (dim - 0.5) * _CELL, _TOP - 12, str(dim)) for dim in range(1, dims + 1)),
        *(_words(24, _TOP + (n - 0.3) * high, str(n)) for n in range(1, sides + 1)),
    ]
    for entry in entries:
        x, y = _LEFT + (entry.dim - 1) * _CELL, _TOP + (entry.side - 1) * high
        words, colour = STATUS[entry.status]
        text = " ".join(map(str, entry.cited)) + (" *" if entry.contradicted else "")
        title = f"{entry}: region {' or '.join(map(str, entry.cited))}, {words}"
        if entry.contradicted:
            title += f"; published: {entry.published}"
        box = {"x": x + 1, "y": y + 1, "width": _CELL - 2, "height": high - 2, "rx": 5}
        middle = _words(x + _CELL / 2, y + high * 0.68, text)
        parts.append(tag("g", title_svg(title), tag("rect", **box, fill=colour), middle))
    for number, (words, colour) in enumerate(STATUS.values()):
        x, y = 16 + (number % 2) * 270, foot + (number // 2) * 24
        parts.append(tag("rect", x=x, y=y - 13, width=26, height=16, rx=4, fill=colour))
        parts.append(_words(x + 34, y, words, "start"))
    parts.append(_words(16, foot + 48, "* contradicts the published table", "start"))
    title = "Regions of n^d, coloured by how much is known"
    width = max(_LEFT + dims * _CELL + 16, 560)
    return document(width, foot - 24 + _FOOT, title, parts, "sans-serif")


def _words(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return text_svg(x, y, 15, text, f'fill="#23262b" text-anchor="{anchor}"')


def _page(found: Atlas) -> str:
    return (
        templates()
        .get_template("atlas.html")
        .render(
            entries=found.entries, counts=found.as_data()["counts"], picture=found.svg(),
            source=GOLOMB_HALES, regions=REGION_WORDS, status=STATUS,
        )
    )  # fmt: skip
