"""Reading the values of agent options."""

from __future__ import annotations

import math

from hyperoxo.errors import SpecError, quoted


def number_option(
    name: str, value: object, low: float = -math.inf, high: float = math.inf
) -> float:
    """Read a finite number within [low, high]."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise SpecError(f"{name} must be a number, not {quoted(value)}") from None
    if not math.isfinite(number) or not low <= number <= high:
        bounds = f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
        raise SpecError(f"{name} must be {bounds}, not {quoted(value)}")
    return number


def seconds_option(value: object) -> float | None:
    """Read a time limit in seconds, or None where none is given."""
    return None if value is None else number_option("seconds", value, 1e-3, 1e6)


def int_option(name: str, value: object, low: int, high: int) -> int:
    """Read a whole number within [low, high]."""
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise SpecError(f"{name} must be a whole number, not {quoted(value)}")
    if not low <= int(text) <= high:
        raise SpecError(f"{name} must be {low} to {high}, not {quoted(value)}")
    return int(text)


def choice_option(name: str, value: object, choices: tuple[str, ...]) -> str:
    """Read one of a few words."""
    if value not in choices:
        raise SpecError(f"{name} must be one of {', '.join(choices)}, not {quoted(value)}")
    return str(value)


def spelled(name: str, **options: tuple[object, object]) -> str:
    """Spell an agent, leaving out options (value, default) that have their default."""
    parts = [
        f"{key}={_number(value) if isinstance(value, float) else value}"
        for key, (value, default) in options.items()
        if value != default
    ]
    return name + (":" + ",".join(parts) if parts else "")


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
