"""How values show themselves in notebooks: boards as pictures, results as tables."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape, unescape
from typing import Any

__all__ = ["Drawn", "Shown", "as_html"]

MOST_ROWS = 20
"""Rows of a table that are shown; what follows is only counted."""

_MOST_WORDS = 12
_SECTION = '<div style="margin:.6em 0 .2em"><b>{}</b></div>'
_CELL = '<td style="text-align:{}">{}</td>'


class Drawn:
    """A value that a notebook shows as a picture."""

    def _repr_svg_(self) -> str | None:
        """Return the picture; None where there is none, as of a board that is too large."""
        return picture_of(self)

    def _repr_html_(self) -> str | None:
        return image(self._repr_svg_()) or None


class Shown:
    """A result that a notebook shows: its picture, if it has one, above what it holds."""

    def _repr_svg_(self) -> str | None:
        return picture_of(self)

    def _repr_html_(self) -> str:
        return as_html(self, self._repr_svg_())


def picture_of(value: object) -> str | None:
    """Return the picture of a value as SVG; None without an extension that draws its class."""
    from hyperoxo.extensions import extensions

    draws = extensions("hyperoxo.pictures")
    known = [draws[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in draws]
    return known[0].load()(value) if known else None


def image(svg: str | None) -> str:
    """Set a picture into a page, where its names and styles meet no others; "" for none."""
    if svg is None:
        return ""
    title = re.search("<title>(.*?)</title>", svg)
    data = base64.b64encode(svg.encode()).decode()
    about = escape(unescape(title[1])) if title else ""
    return f'<img alt="{about}" src="data:image/svg+xml;base64,{data}">'


def as_html(result: Any, svg: str | None = None) -> str:
    """Write what a result holds: single values first, then each of its lists as a table.

    A result with `as_data` is shown by what that returns, any other by its fields.
    """
    data = result.as_data() if hasattr(result, "as_data") else _fields(result)
    single = {key: _one(value) for key, value in data.items() if not _is_listed(value)}
    parts = [_SECTION.format(_words(type(result).__name__).capitalize()), image(svg)]
    parts.append(
        _table([[_words(key), value] for key, value in single.items() if value], left=True)
    )
    for key, value in data.items():
        if _is_listed(value) and value:
            parts += [_SECTION.format(_words(key)), _listed(value)]
    return "".join(parts)


def _fields(result: Any) -> dict[str, Any]:
    return {field.name: getattr(result, field.name) for field in fields(result)}


def _is_listed(value: object) -> bool:
    """Tell whether a value needs a table, or a list of sentences, of its own."""
    return isinstance(value, list | tuple) and any(
        isinstance(one, Mapping) or is_dataclass(one) or (isinstance(one, str) and " " in one)
        for one in value
    )


def _listed(rows: Sequence[Any]) -> str:
    if isinstance(rows[0], str):
        return f"<ul>{''.join(f'<li>{escape(row)}</li>' for row in rows)}</ul>"
    maps = [row if isinstance(row, Mapping) else _fields(row) for row in rows[:MOST_ROWS]]
    keys = [key for key in maps[0] if any(_one(row.get(key)) for row in maps)]
    more = f"<div>and {len(rows) - MOST_ROWS:,} more</div>" if len(rows) > MOST_ROWS else ""
    return _table([[_one(row.get(key)) for key in keys] for row in maps], keys) + more


def _table(
    rows: Sequence[Sequence[str]], headings: Sequence[str] = (), *, left: bool = False
) -> str:
    """Write a table; numbers are set to the right, unless all is wanted to the left."""
    if not rows:
        return ""
    head = "".join(f"<th>{escape(_words(heading))}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(_set(cell, left) for cell in row)}</tr>" for row in rows)
    return (
        f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
    )


def _set(cell: str, left: bool) -> str:
    numeric = not left and re.fullmatch(r"[-+]?[\d,]*\.?\d+(e[-+]\d+)?", cell) is not None
    return _CELL.format("right" if numeric else "left", escape(cell))


def _words(name: str) -> str:
    """Write a name of the program as words: ``games_per_second``, ``MatchResult``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _one(value: Any) -> str:
    """Write one value; an empty text stands for nothing."""
    match value:
        case None:
            text = ""
        case bool():
            text = "yes" if value else "no"
        case int():
            text = f"{value:,}" if abs(value) < 10**15 else str(value)  # seeds are no amounts
        case float():
            text = f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
        case Mapping() if len(value) > _MOST_WORDS or any(map(_is_listed, value.values())):
            text = ""  # too much for one cell
        case Mapping():
            text = "; ".join(f"{_words(str(key))} {_one(one)}" for key, one in value.items())
        case list() | tuple():
            text = ", ".join(_one(one) for one in value[:_MOST_WORDS])
            if len(value) > _MOST_WORDS:
                text += f" and {len(value) - _MOST_WORDS:,} more"
        case Drawn():
            text = str(value)
        case _ if hasattr(value, "shape"):
            text = f"array of {' × '.join(map(str, value.shape))}"
        case _ if is_dataclass(value):
            text = _one(_fields(value))
        case _:
            text = str(value)
    return text
