"""Parsing of agent options."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING

from hyperoxo.errors import SpecError, quoted

if TYPE_CHECKING:
    from hyperoxo.agents.base import Agent


def number_option(
    name: str, value: object, low: float = -math.inf, high: float = math.inf
) -> float:
    """Read a finite number within [low, high]."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise SpecError(f"{name} must be a number, not {quoted(value)}") from None
    if not math.isfinite(number) or not low <= number <= high:
        bounds = f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
        raise SpecError(f"{name} must be {bounds}, not {quoted(value)}")
    return number


def seconds_option(value: object, least: float = 1e-3) -> float | None:
    """Read a time limit in seconds, or None if none is given."""
    return None if value is None else number_option("seconds", value, least, 1e6)


def int_option(name: str, value: object, low: int, high: int) -> int:
    """Read a whole number within [low, high]."""
    text = str(value)
    # `isdigit` alone accepts "²", at which `int` fails; 18 digits fit into 64 bits.
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


def read_options(kind: str, spec: str, alone: str = "") -> dict[str, str]:
    """Read the options of ``name:option=value,...``; the first may be a value for `alone`."""
    _, colon, tail = spec.partition(":")
    if colon and not tail:
        raise SpecError(f"bad {kind} {quoted(spec)}: an option must follow ':'")
    found: dict[str, str] = {}
    for place, option in enumerate(tail.split(",") if tail else ()):
        key, equals, value = option.partition("=")
        if alone and not place and not equals:
            key, equals, value = alone, "=", option
        if not key or not equals or not value:
            raise SpecError(f"bad {kind} {quoted(spec)}: {quoted(option)} is not option=value")
        if key in found:
            raise SpecError(f"bad {kind} {quoted(spec)}: option {quoted(key)} is given twice")
        found[key] = value
    return found


def spelled(agent: Agent, **values: object) -> str:
    """Spell an agent by the parameters of its constructor that differ from their defaults.

    Values not given are those of the attributes with the parameters' names.
    """
    parts = []
    for key, parameter in inspect.signature(type(agent)).parameters.items():
        value = values[key] if key in values else getattr(agent, key)
        value = getattr(value, "name", value)
        if value != parameter.default:
            parts.append(f"{key}={_number(value) if isinstance(value, float) else value}")
    return agent.name + (":" + ",".join(parts) if parts else "")


def _number(value: float) -> str:
    # `g` keeps six digits; the spec must give the same number when it is read again.
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
