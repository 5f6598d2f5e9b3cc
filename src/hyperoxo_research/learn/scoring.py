"""Answers of language models, scored by a data set of positions with exact values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hyperoxo.errors import NotationError
from hyperoxo.intervals import wilson_interval
from hyperoxo.untrusted import parse_json, read_lines

__all__ = ["score_answers"]

_NUMBER = re.compile(r"\d+")
_FIELDS = ("legal", "keeps", "best")


def score_answers(
    data: str | Path, answers: str | Path, *, split: str | None = None
) -> dict[str, Any]:
    """Score the answers to a data set of JSON lines.

    Each line of the answers has the ``id`` of a position and an ``answer``: a cell number, or text
    whose last whole number is the move.

    Parameters
    ----------
    data : str or path-like
        The data set, as `dataset` writes it.
    answers : str or path-like
        The answers, one JSON object per line.
    split : str, optional
        Only positions of this split.

    Returns
    -------
    dict
        ``all``, ``by_game`` and ``by_ply``, each with the numbers of ``positions`` and of those
        ``answered``; the shares of all positions whose answer is a ``legal`` move, ``keeps`` the
        value and is a ``best`` move (no answer counts as wrong); and the 95 % ``interval`` of the
        last.

    Raises
    ------
    NotationError
        If a line of either file is malformed; the message names it.
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
        # No answer is None, which no list of cells contains.
        row += [given.get(name) in _field(record, field, list, where) for field in _FIELDS]
        for key in (("all", ""), ("by_game", record["game"]), ("by_ply", record["ply"])):
            old = tallies.get(key, [0] * len(row))
            tallies[key] = [a + b for a, b in zip(old, row, strict=True)]
    # Refused, since a misspelt id would count as a missing answer.
    if strange := [name for name in given if name not in known]:
        raise NotationError(f"{answers}: there is no position {strange[0]!r} in {data}")
    found: dict[str, Any] = {"all": {"": _score([0] * 5)}, "by_game": {}, "by_ply": {}}
    for (kind, key), tally in sorted(tallies.items()):
        found[kind][str(key)] = _score(tally)
    return {**found, "all": found["all"][""]}


def _score(tally: list[int]) -> dict[str, Any]:
    """Return the numbers of positions and answers, and shares of all positions."""
    positions, answered, *counts = tally
    return {
        "positions": positions,
        "answered": answered,
        **{name: n / max(positions, 1) for name, n in zip(_FIELDS, counts, strict=True)},
        "interval": wilson_interval(counts[-1], positions),
    }


def _move(answer: object, where: str) -> int | None:
    """Return the move of an answer; None if its text has no number."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        return answer
    if isinstance(answer, str):
        numbers = _NUMBER.findall(answer)
        # Nine digits exceed every cell; Python refuses to read numbers of thousands of digits.
        return int(numbers[-1][:9]) if numbers else None
    raise NotationError(f"{where}: 'answer' must be a cell number or text")


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
