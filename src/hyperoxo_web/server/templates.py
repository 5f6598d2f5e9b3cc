"""HTML pages from the templates of this package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def render(name: str, **values: Any) -> str:
    """Return a template with these values, which are escaped where they are strings."""
    return _TEMPLATES.get_template(name).render(values)
