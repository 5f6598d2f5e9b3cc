"""Answers of language models, scored by a data set of positions with exact values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperoxo.errors import NotationError
from hyperoxo.intervals import wilson_interval
from hyperoxo.untrusted import parse_json, read_lines

__all__ = ["Score", "score_answers"]

_NUMBER = re.compile(r"\d+")
_FIELDS = ("legal", "keeps", "best")


@dataclass(frozen=True)
class Score:
    """How many of some positions were answered, and how well."""

    positions: int
    """Positions of the data set."""
    answered: int
    """Those with an answer; the others count as wrong."""
    legal: int
    """Answers that are legal moves, keep the value, and are best moves."""
    keeps: int
    """Answers that are legal moves, keep the value, and are best moves."""
    best: int
    """Answers that are legal moves, keep the value, and are best moves."""

    def as_data(self) -> dict[str, Any]:
        """Return plain values: shares of all positions, and the interval of best moves."""
        total = max(self.positions, 1)
        return {
            "positions": self.positions,
            "answered": self.answered,
            **{name: getattr(self, name) / total for name in _FIELDS},
            "interval": wilson_interval(self.best, self.positions),
        }


def score_answers(
    data: str | Path, answers: str | Path, *, split: str | None = None
) -> dict[str, Any]:
    """Score the answers to a data set of JSON lines.

    Each line of the answers has the ``id`` of a position and an ``answer``: a cell number, or a
    text in which the last whole number is the move.

    Parameters
    ----------
    data : str or path-like
        The data set, as `dataset` writes it.
    answers : str or path-like
        The answers, one JSON object a line.
    split : str, optional
        Only positions of this split.

    Returns
    -------
    dict
        ``all``, ``by_game`` and ``by_ply``: see `Score`.

    Raises
    ------
    NotationError
        If a line of either file is not what it should be; the message names it.
    """
    given: dict[str, int | None] = {}
    for where, record in _records(answers):
        name = _field(record, "id", str, where)
        if name in given:
            raise NotationError(f"{where}: a second answer to {name!r}")
        given[name] = _move(record.get("answer"), where)
    tallies: dict[tuple[str, Any], list[int]] = {}
    known = set()
    for where, record in _records(data):
        name = _field(record, "id", str, where)
        known.add(name)
        if split is not None and record.get("split") != split:
            continue
        row = [1, name in given]
        row += [given.get(name) in _field(record, field, list, where) for field in _FIELDS]
        for key in (("all", ""), ("by_game", record["game"]), ("by_ply", record["ply"])):
            old = tallies.get(key, [0] * len(row))
            tallies[key] = [a + b for a, b in zip(old, row, strict=True)]
    strange = [name for name in given if name not in known]
    if strange:
        raise NotationError(f"{answers}: there is no position {strange[0]!r} in {data}")
    found: dict[str, Any] = {"all": Score(0, 0, 0, 0, 0).as_data(), "by_game": {}, "by_ply": {}}
    for (kind, key), tally in sorted(tallies.items()):
        score = Score(*tally).as_data()
        if kind == "all":
            found["all"] = score
        else:
            found[kind][str(key)] = score
    return found


def _move(answer: object, where: str) -> int | None:
    """Return the move of an answer; None where a text has no number."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        return answer
    if isinstance(answer, str):
        numbers = _NUMBER.findall(answer)
        return int(numbers[-1][:9]) if numbers else None
    raise NotationError(f"{where}: 'answer' must be a cell number or a text")


def _records(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        record = None
        with suppress(NotationError):
            record = parse_json(line)
        if not isinstance(record, dict):
            raise NotationError(f"{path}, line {number}: not a JSON object")
        yield f"{path}, line {number}", record


def _field(record: dict[str, Any], name: str, kind: Callable[..., Any], where: str) -> Any:
    value = record.get(name)
    if not isinstance(value, kind):  # type: ignore[arg-type]
        raise NotationError(f"{where}: '{name}' is missing or of the wrong kind")
    return value
