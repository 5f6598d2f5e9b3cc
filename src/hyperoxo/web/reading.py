"""Reads what browsers send: anything may come, so each value is checked."""

from __future__ import annotations

from typing import Any

from hyperoxo.server import RefusedError

_LONGEST = 1_000


def number(value: dict[str, Any], name: str) -> int:
    """Return a whole number."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise RefusedError("bad-request", f"{name} must be a whole number")
    return found


def share(value: dict[str, Any], name: str) -> float:
    """Return a number from 0 to 1."""
    found = value.get(name)
    if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= 1:
        raise RefusedError("bad-request", f"{name} must be a number from 0 to 1")
    return float(found)


def text(value: dict[str, Any], name: str, longest: int = _LONGEST) -> str | None:
    """Return a text that is neither empty nor too long, or None."""
    found = value.get(name)
    return found if isinstance(found, str) and 0 < len(found) <= longest else None


def a_list(value: dict[str, Any], name: str, most: int) -> list[Any]:
    """Return a list of at most `most` things; an empty one where there is none."""
    found = value.get(name)
    return found[:most] if isinstance(found, list) else []
