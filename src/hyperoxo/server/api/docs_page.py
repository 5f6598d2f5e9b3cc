"""The HTTP interface described on one page of plain HTML, made from its OpenAPI document."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["docs_page"]

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
background:#faf8f4;color:#222}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
h2{margin-top:2.5rem}h3{margin:1.8rem 0 .2rem}
.verb{display:inline-block;min-width:4.5rem;font-weight:600}
table{border-collapse:collapse;margin:.5rem 0}
td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#1c1b19;color:#e8e5df}a{color:#9ec1ff}}
"""


def docs_page(document: dict[str, Any]) -> str:
    """Return a page about every address of an OpenAPI document."""
    info = document["info"]
    models = document.get("components", {}).get("schemas", {})
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(info['title'])}</h1>",
        f"<p>Version {escape(info['version'])}. {escape(info.get('description', ''))}</p>",
        '<p>The same for programs: <a href="/api/openapi.json">OpenAPI</a>.</p>',
    ]
    heading = None
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            tag = (operation.get("tags") or [""])[0]
            if tag != heading:
                parts.append(f"<h2>{escape(tag.capitalize())}</h2>")
                heading = tag
            parts += _operation(verb, path, operation, models)
    return "".join([*parts, "</body></html>"])


def _operation(
    verb: str, path: str, operation: dict[str, Any], models: dict[str, Any]
) -> list[str]:
    rows = [
        (entry["name"], entry["in"], entry.get("schema", {}), entry.get("description", ""))
        for entry in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    for name, schema in _model(body.get("schema", {}), models).get("properties", {}).items():
        rows.append((name, "body", schema, schema.get("description", "")))
    described = escape(operation.get("description", "")).replace("\n\n", "</p><p>")
    parts = [
        f"<h3>{escape(operation.get('summary', ''))}</h3>",
        f'<div><code><span class="verb">{escape(verb.upper())}</span>{escape(path)}</code></div>',
        f"<p>{described}</p>",
    ]
    if rows:
        parts.append("<table>")
        for name, place, schema, about in rows:
            kind = f"{_kind(schema, models)}{_default(schema)}"
            parts.append(
                f"<tr><td><code>{escape(name)}</code></td><td>{escape(place)}</td>"
                f"<td>{escape(kind)}</td><td>{escape(about)}</td></tr>"
            )
        parts.append("</table>")
    return parts


def _model(schema: dict[str, Any], models: dict[str, Any]) -> dict[str, Any]:
    """Return the object that a schema is or refers to."""
    for choice in (schema, *schema.get("anyOf", [])):
        if "$ref" in choice:
            found: dict[str, Any] = models.get(choice["$ref"].rpartition("/")[2], {})
            return found
    return schema


def _kind(schema: dict[str, Any], models: dict[str, Any]) -> str:
    if "anyOf" in schema:
        kinds = [_kind(choice, models) for choice in schema["anyOf"]]
        return " or ".join(kind for kind in kinds if kind != "null")
    if "$ref" in schema:
        fields = _model(schema, models).get("properties", {})
        return "{" + ", ".join(fields) + "}"
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}), models)}"
    return str(schema.get("type", ""))


def _default(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return "" if default in (None, "", [], {}) else f", {default} unless given"
