"""Tables from the code: requests over HTTP, limits of a server, kinds of proofs."""

from __future__ import annotations

import inspect
import re
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from hyperoxo.proof.registry import KINDS
from hyperoxo_web.server import Core
from hyperoxo_web.server.api.application import create_app
from hyperoxo_web.server.limits import HOME, PUBLIC, Limits

Data = dict[str, Any]

_NAMES = {"room": "ID", "job": "ID", "run": "N", "code": "CODE", "number": "NUMBER"}
"""Parts of a path, as the page calls them; others are in capitals."""

_ANSWERS = {"lines_owned": "the state", "repeated": "a receipt"}
"""Answers that the page describes, by a key that only they have."""


def setup(app: Any) -> Data:
    """Write the tables before Sphinx reads the page that includes them."""
    app.connect("builder-inited", lambda app: write_tables(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True}


def write_tables(docs: Path) -> None:
    """Write a file for each table, or each tag of the OpenAPI document."""
    folder = docs / "_reference"
    folder.mkdir(exist_ok=True)
    found = {"limits": [*limits()], "proofs-kinds": [*kinds_of_proofs()], **tables(document())}
    for name, lines in found.items():
        (folder / f"{name.replace(' ', '-')}.md").write_text("\n".join(lines) + "\n", "utf-8")


def limits() -> Iterator[str]:
    """Return the table of a server's limits, for this machine and for others."""
    yield from ("| limit | this machine | others |", "| --- | --- | --- |")
    for field in fields(Limits):
        values = (getattr(one, field.name) for one in (HOME, PUBLIC))
        yield f"| `{field.name}` | {' | '.join(f'{value:,}' for value in values)} |"


def kinds_of_proofs() -> Iterator[str]:
    """Return the table of kinds of proofs: first line, value, and theorem."""
    yield from ("| first line | value | is a proof because |", "| --- | --- | --- |")
    for line, kind in sorted(KINDS.items()):
        value, theorem = _cell(inspect.getdoc(kind.value) or "", whole=False), _cell(kind.theorem)
        yield f"| `{line.decode()}` | `{kind.value.__name__}`: {value} | {theorem} |"


def document() -> Data:
    """Return the OpenAPI document of a server that is not started."""
    with tempfile.TemporaryDirectory() as folder:
        return create_app(Core(Path(folder) / "games.sqlite")).openapi()


def tables(document: Data) -> dict[str, list[str]]:
    """Return the tables of each tag."""
    models = document["components"]["schemas"]
    found: dict[str, list[tuple[str, str, Data]]] = {}
    for path, verbs in document["paths"].items():
        for verb, request in verbs.items():
            found.setdefault(request["tags"][0], []).append((verb.upper(), path, request))
    return {tag: [*_tables(requests, models)] for tag, requests in found.items()}


def _tables(requests: list[tuple[str, str, Data]], models: Data) -> Iterator[str]:
    yield from ("| request | does | takes | gives |", "| --- | --- | --- | --- |")
    meanings: dict[str, list[str]] = {}
    for verb, path, request in requests:
        parameters = request.get("parameters", [])
        # A token may come with most requests; the page describes it.
        query = {
            one["name"]: one
            for one in parameters
            if one["in"] == "query" and one["name"] != "token"
        }
        keys = {**query, **_body(request, models)}
        for name, one in keys.items():
            meaning = _cell(one.get("description", ""))
            if meaning and meaning not in meanings.setdefault(name, []):
                meanings[name].append(meaning)
        address = re.sub(r"{(\w+)}", lambda part: _NAMES.get(part[1], part[1].upper()), path)
        does, gives = _cell(request["description"]), _gives(request, models)
        yield f"| `{verb} {address}` | {does} | {_names(keys)} | {gives} |"
    if meanings:
        yield from ("", "| key | meaning |", "| --- | --- |")
        yield from (f"| `{name}` | {' / '.join(texts)} |" for name, texts in meanings.items())


def _body(request: Data, models: Data) -> Data:
    """Return the keys of a request's body."""
    return _keys(request.get("requestBody", {}).get("content", {}), models)


def _gives(request: Data, models: Data) -> str:
    """Return the keys of the answer, or its type; the page describes a state."""
    content: Data = {}
    for status, answer in request["responses"].items():
        if status.startswith("2"):
            content = answer.get("content", {})
    keys = _keys(content, models)
    for key, name in _ANSWERS.items():
        if key in keys:
            return name
    return _names(keys or {kind: None for kind in content if kind != "application/json"})


def _keys(content: Data, models: Data) -> Data:
    schema = content.get("application/json", {}).get("schema", {})
    for choice in (schema, *schema.get("anyOf", ())):
        if "$ref" in choice:
            schema = models[choice["$ref"].rpartition("/")[2]]
    keys: Data = schema.get("properties", {})
    return keys


def _names(keys: Data) -> str:
    return ", ".join(f"`{name}`" for name in keys)


def _cell(text: str, *, whole: bool = True) -> str:
    """Return a text, or its first paragraph, as a cell of a table."""
    return " ".join((text if whole else text.partition("\n\n")[0]).split()).replace("|", "\\|")
