"""Display of results: `as_data` for JSON, `as_text` for the terminal, `as_html` for notebooks.

A result is a dataclass. ``_data`` declares the values that `as_data` returns, a line of keys:

- ``value``: the attribute of this name; ``*``: all fields;
- ``game=position.game``: an attribute of an attribute, under another key; ``position.text`` is
  short for ``position=position.text``;
- ``seconds:6``: rounded to that many digits; ``run|None``: None if it is empty or 0;
- ``test?``: left out if it is None.

Without ``_data`` these are all fields. The text is declared in ``_text``, of which every line is

- a sentence with fields in braces, as `str.format` has them; see `Words` for more formats;
- ``?key sentence`` or ``!key sentence``: printed if the value is true, or if it is not;
- ``*key sentence``: printed for each item of a list, of which ``{}`` is the item itself;
- ``|key| heading | heading={field} |``: a table with a row for each item of a list.

Columns of numbers are set to the right, and so are those whose heading ends with >; one that ends
with ? is left out if no item has such a key. Items of a mapping are its ``key`` and ``value``.
Names that are not keys of the data are attributes.

Without ``_text``, single values are listed, and every list of results becomes a table.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from html import escape, unescape
from math import isfinite
from pathlib import PurePath
from string import Formatter
from typing import TYPE_CHECKING, Any

from hyperoxo.errors import displayed

if TYPE_CHECKING:
    from rich.table import Table

MOST_ROWS = 20
"""Rows of an HTML table; further rows are only counted."""

UNBROKEN = 1000
"""Width of text that goes into a file or a pipe, where lines should not be broken."""

_MOST_WORDS = 12
_SECTION = '<div style="margin:.6em 0 .2em"><b>{}</b></div>'
_FOLDED = "<details><summary>{}</summary>"
_CELL = '<td style="text-align:{}">{}</td>'


class Drawn:
    """A value that a notebook shows as a picture."""

    def _repr_svg_(self) -> str | None:
        """Return the picture; None if there is none, as of a board that is too large."""
        return picture_of(self)

    def _repr_html_(self) -> str | None:
        return image(self._repr_svg_()) or None


class Result:
    """A result that notebooks display: its picture, if it has one, above its values."""

    def as_data(self) -> dict[str, Any]:
        """Return the result as plain values, as JSON has it."""
        return _data_of(self)

    def _repr_svg_(self) -> str | None:
        return picture_of(self)

    def _repr_html_(self) -> str:
        return as_html(self, self._repr_svg_())


# Data.


def as_data(result: Any, keys: str = "") -> dict[str, Any]:
    """Return a result as plain values, by `keys` where others than its own are wanted."""
    if keys or not hasattr(result, "as_data"):
        return _data_of(result, keys)
    own: dict[str, Any] = result.as_data()
    return own


def _data_of(result: Any, keys: str = "") -> dict[str, Any]:
    """Return the values that are declared in ``_data``."""
    data: dict[str, Any] = {}
    for key, path, digits, empty, optional in _declared(keys or getattr(result, "_data", "*")):
        if key == "*":
            data |= {name: _plain(value) for name, value in _fields(result).items()}
            continue
        value = _plain(_at(result, path))
        if digits is not None and value is not None:
            value = round(value, digits)
        if not (optional and value is None):
            data[key] = value or None if empty else value
    return data


_KEY = re.compile(r"(?:([\w*]+)=)?([\w.*]+)(?::(\d+))?(\|None)?(\?)?")


@cache
def _declared(text: str) -> list[tuple[str, str, int | None, bool, bool]]:
    """Read a line of keys: key, path, digits, whether empty is None, whether None is left out."""
    found = []
    for word in text.split():
        match = _KEY.fullmatch(word)
        assert match is not None, word
        key, path, digits, empty, optional = match.groups()
        number = None if digits is None else int(digits)
        found.append((key or path.partition(".")[0], path, number, bool(empty), bool(optional)))
    return found


def _at(value: Any, path: str) -> Any:
    """Follow names of attributes or keys; None where one on the way is None."""
    for name in path.split("."):
        if value is None:
            return None
        if isinstance(value, _Values):
            value = value[name]
        elif isinstance(value, Mapping):
            value = value.get(name)
        else:
            value = value[int(name)] if name.isdigit() else getattr(value, name)
    return value


def _plain(value: Any) -> Any:
    plain = value
    if isinstance(value, Drawn):
        plain = str(getattr(value, "text", value))
    elif hasattr(value, "as_data") or is_dataclass(value):
        plain = as_data(value)
    elif isinstance(value, Mapping):
        plain = {key: _plain(one) for key, one in value.items()}
    elif isinstance(value, list | tuple):
        plain = [_plain(one) for one in value]
    elif isinstance(value, Fraction):
        plain = float(value)
    elif isinstance(value, float) and not isfinite(value):
        plain = None
    elif isinstance(value, PurePath):
        plain = str(value)
    return plain


def _fields(result: Any) -> dict[str, Any]:
    return {field.name: getattr(result, field.name) for field in fields(result)}


# Text.


def number_of(count: int, noun: str) -> str:
    """Write a number with its noun; ``"class|classes"`` names a plural that has no -s alone."""
    one, _, many = noun.partition("|")
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class Words(Formatter):
    """`str.format` for values of results.

    ``{line.text}`` is an attribute or a key, and ``{wins/games}`` a share. None prints nothing, and
    truths are yes and no. More formats are ``{moves:#move}`` for a number with its noun,
    ``{share:.1p}`` for a percentage, ``{seconds:.1m}`` for thousandths, ``{name:?none}`` with what
    is printed instead of nothing, and ``{cells:,d;x}`` for a list, joined by what follows the
    semicolon. A mapping prints its numbers with their keys.

    >>> Words().format("{moves:#move}, {share:.1p} %: {cells:;x}", moves=2, share=0.5, cells=[1, 2])
    '2 moves, 50.0 %: 1x2'
    """

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Follow a path of names, or divide the values of two."""
        if "/" in field_name:
            part, whole = (self.get_field(one, args, kwargs)[0] for one in field_name.split("/"))
            return part / whole, field_name
        first, _, rest = field_name.partition(".")
        value = self.get_value(int(first) if first.isdigit() else first, args, kwargs)
        return (_at(value, rest) if rest else value), first

    def format_field(self, value: Any, format_spec: str) -> Any:
        """Write one value."""
        spec, asked, empty = format_spec.partition("?")
        if asked:
            text = self.format_field(value, spec) or empty
        elif value is None:
            text = ""
        elif isinstance(value, Mapping):
            text = ", ".join(f"{one:,} {key}" for key, one in value.items())
        elif isinstance(value, list | tuple):
            spec, _, between = format_spec.partition(";")
            text = (between or ", ").join(self.format_field(one, spec) for one in value)
        elif format_spec.startswith("#"):
            text = number_of(value, format_spec[1:])
        elif format_spec[-1:] in _FACTORS:
            text = format(_FACTORS[format_spec[-1]] * value, f"{format_spec[:-1]}f")
        elif isinstance(value, bool):
            text = "yes" if value else "no"
        else:
            text = super().format_field(value, format_spec)
        return text


_FACTORS = {"p": 100, "m": 1000}
_WORDS = Words()
_LINE = re.compile(r"([?!*|])([\w.]+)(?:[ |](.*))?", re.DOTALL)


class _Values(dict[str, Any]):
    """Plain values of a result; names that are none of them are its attributes, or nothing."""

    result: Any = None

    def __missing__(self, key: str) -> Any:
        return getattr(self.result, key, None)


def as_text(result: Any) -> str:
    """Write a result as plain text."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(file=stream, width=UNBROKEN, highlight=False, emoji=False, no_color=True)
    for part in parts(result):
        if isinstance(part, str):
            stream.write(f"{part}\n")
        else:
            console.print(part)
    return stream.getvalue().removesuffix("\n")


def parts(
    result: Any, template: str | None = None, data: Mapping[str, Any] | None = None
) -> Iterator[str | Table]:
    """Yield the lines and tables of the text that ``_text`` or another template gives.

    `data` are the values of a result where there are more than its own.
    """
    # Names in the template are looked up in the data first, then as attributes of the result.
    values = _Values(as_data(result) if data is None else data)
    values.result = result
    text = template or getattr(result, "_text", "")
    if not text:
        yield from _listing(values)
    for line in text.strip("\n").split("\n") if text else ():
        match = _LINE.fullmatch(line)
        if match is None:
            yield _WORDS.vformat(line, (), values)
            continue
        kind, path, rest = match.groups("")
        value = _at(values, path)
        items = value
        if isinstance(value, Mapping):
            items = [{"key": key, "value": one} for key, one in value.items()]
        if kind == "|":
            if items:
                yield _rows(items, rest, values)
        elif kind == "*":
            for item in items or ():
                yield _WORDS.vformat(rest, (item,), _within(values, item))
        elif bool(value) == (kind == "?"):
            yield _WORDS.vformat(rest, (), values)


def _within(values: _Values, item: Any) -> _Values:
    """Return the values of a result and, before them, those of one item of it."""
    found = _Values({**values, **(item if isinstance(item, Mapping) else {})})
    found.result = values.result
    return found


def _rows(items: Sequence[Any], columns: str, values: _Values) -> Table:
    headings, cells, right = [], [], set()
    for column in columns.strip("|").split("|"):
        heading, found, cell = column.strip(" ").partition("={")
        name = heading.rstrip("?>")
        if heading.endswith("?") and all(item.get(name) is None for item in items):
            continue
        headings.append(_WORDS.vformat(name, (), values))
        cells.append(f"{{{cell}" if found else f"{{{name.replace(' ', '_')}}}")
        if heading.endswith(">"):
            right.add(name)
    rows = [[_cell(one, _within(values, item)) for one in cells] for item in items]
    return table(headings, rows, right=right)


def _cell(cell: str, values: Mapping[str, Any]) -> Any:
    """Return a number that is a cell by itself as it is, so that its column aligns."""
    value = _at(values, cell[1:-1]) if re.fullmatch(r"\{[\w.]+\}", cell) else None
    alone = _is_number(value) and not isinstance(value, bool)
    return value if alone else _WORDS.vformat(cell, (), values)


def _listing(data: Mapping[str, Any]) -> Iterator[str | Table]:
    """List single values, then a table for each list of results."""
    single, listed = _sections(data)
    width = max((len(name) for name, _ in single), default=0)
    yield from (f"{name:<{width}}  {text}" for name, text in single if text)
    for name, headings, rows in listed:
        numeric = [all(map(_NUMBER.fullmatch, cells)) for cells in zip(*rows, strict=True)]
        right = {one for one, alike in zip(headings, numeric, strict=False) if alike}
        yield f"\n{name}"
        yield from [table(headings, rows, right=right)] if headings else [row for (row,) in rows]


def _sections(
    data: Mapping[str, Any],
) -> tuple[list[tuple[str, str]], list[tuple[str, list[str], list[list[str]]]]]:
    """Return single values by name, and the headings and rows of each list of results."""
    single = [(_words(key), _one(value)) for key, value in data.items() if not _is_listed(value)]
    listed = [(_words(key), *_columns(value)) for key, value in data.items() if _is_listed(value)]
    return single, listed


def _columns(items: Sequence[Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells of a list of results, or its sentences without headings."""
    if isinstance(items[0], str):
        return [], [[item] for item in items]
    maps = [item if isinstance(item, Mapping) else _fields(item) for item in items]
    keys = [key for key in maps[0] if any(_one(row.get(key)) for row in maps)]
    return list(map(_words, keys)), [[_one(row.get(key)) for key in keys] for row in maps]


_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(e[-+]\d+)?")


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str | None = None,
    right: Container[str] = (),
) -> Table:
    """Make a table, None as nothing; columns of numbers are set to the `right`."""
    from rich.table import Table
    from rich.text import Text

    filled = [tuple(row) for row in rows]
    head = None if title is None else Text(displayed(title), "table.title")
    shown = Table(title=head, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column, heading in enumerate(headings):
        numeric = heading in right or all(_is_number(row[column]) for row in filled)
        shown.add_column(Text(displayed(heading)), justify="right" if numeric else "left")
    for row in filled:
        shown.add_row(*(Text("" if cell is None else displayed(str(cell))) for cell in row))
    return shown


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) or hasattr(value, "dtype")


# Pages.


def picture_of(value: object) -> str | None:
    """Return the picture of a value as SVG; None without a registered drawer of its class."""
    from hyperoxo.extensions import extensions

    draws = extensions("hyperoxo.pictures")
    known = [draws[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in draws]
    return known[0].load()(value) if known else None


def text_of(position: object, labels: Mapping[int, str] | None = None) -> str:
    """Draw a position in characters, with labels on cells; its `repr` where nothing draws."""
    from hyperoxo.extensions import extensions

    draw = extensions("hyperoxo.pictures").get("text")
    return repr(position) if draw is None else str(draw.load()(position, labels))


def image(svg: str | None) -> str:
    """Set a picture into a page, where its names and styles meet no others; "" for none."""
    if svg is None:
        return ""
    title = re.search("<title>(.*?)</title>", svg)
    data = base64.b64encode(svg.encode()).decode()
    about = escape(unescape(title[1])) if title else ""
    return f'<img alt="{about}" src="data:image/svg+xml;base64,{data}">'


def as_html(result: Any, svg: str | None = None) -> str:
    """Write a result as HTML: single values first, then each of its lists as a table.

    Below a picture come the first line of its text and, folded, the values and tables.
    """
    single, listed = _sections(as_data(result))
    title = _words(type(result).__name__).capitalize()
    claim = next(iter(as_text(result).strip().splitlines()), "Values") if svg else ""
    pages = [_SECTION.format(title), image(svg), _FOLDED.format(escape(claim)) if svg else ""]
    pages.append(_table([row for row in single if row[1]], left=True))
    for name, headings, rows in listed:
        more = len(rows) - MOST_ROWS
        pages += [_SECTION.format(name), _table(rows[:MOST_ROWS], headings)]
        pages.append(f"<div>and {more:,} more</div>" if more > 0 else "")
    return "".join([*pages, "</details>" if svg else ""])


def _is_listed(value: object) -> bool:
    """Return True if a value needs a separate table or list of sentences."""
    return isinstance(value, list | tuple) and any(
        isinstance(one, Mapping) or is_dataclass(one) or (isinstance(one, str) and " " in one)
        for one in value
    )


def _table(
    rows: Sequence[Sequence[str]], headings: Sequence[str] = (), *, left: bool = False
) -> str:
    """Write a table; numbers are set to the right, unless all is wanted to the left."""
    if not rows:
        return ""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(_set(cell, left) for cell in row)}</tr>" for row in rows)
    return (
        f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
    )


def _set(cell: str, left: bool) -> str:
    numeric = not left and _NUMBER.fullmatch(cell) is not None
    return _CELL.format("right" if numeric else "left", escape(cell))


def _words(name: str) -> str:
    """Write a name of the program as words: ``games_per_second``, ``MatchResult``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _one(value: Any) -> str:
    """Write one value; the empty text for None."""
    match value:
        case None:
            text = ""
        case bool():
            text = "yes" if value else "no"
        case int():
            text = f"{value:,}" if abs(value) < 10**15 else str(value)  # seeds are not amounts
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
