"""HTML pages from the templates of this package."""

from __future__ import annotations

import re
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


_ADDRESS = re.compile(r'(?<=[=\s]")/(?!/)')


def rooted(markup: str, root: str) -> str:
    """Prefix the addresses in a page with the server's root path."""
    return _ADDRESS.sub(f"{root}/", markup) if root else markup


def render(name: str, **values: Any) -> str:
    """Render a template; string values are escaped."""
    return _TEMPLATES.get_template(name).render(values)
