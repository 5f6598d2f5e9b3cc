"""What is varied, ``NAME=FROM:TO:STEP``, in decimal numbers, so that every value is as written."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from hyperoxo.errors import LimitError, SpecError, quoted

__all__ = ["Variation", "read_variation", "with_option"]

_MOST = 100_000


@dataclass(frozen=True)
class Variation:
    """An option and the values it takes.

    Attributes
    ----------
    name : str
        The option.
    texts : tuple of str
        The values as an agent's spec has them.
    """

    name: str
    texts: tuple[str, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The values as numbers, whole ones as int."""
        return tuple(float(text) if "." in text else int(text) for text in self.texts)


def read_variation(text: str) -> Variation:
    """Read ``NAME=FROM:TO:STEP``; the end is included.

    Parameters
    ----------
    text : str
        What is varied.

    Returns
    -------
    Variation
        The option and its values.

    Raises
    ------
    SpecError
        If the text makes no sense.
    LimitError
        If there are more than 100,000 values.

    Examples
    --------
    >>> read_variation("bias=0:1:0.25").texts
    ('0', '0.25', '0.5', '0.75', '1')
    >>> read_variation("depth=1:4:1").values
    (1, 2, 3, 4)
    """
    name, equals, span = text.partition("=")
    parts = span.split(":")
    if not name or not equals or len(parts) != 3:
        raise SpecError(f"bad variation {quoted(text)}: write NAME=FROM:TO:STEP")
    start, end, step = (_number(part, text) for part in parts)
    if step <= 0:
        raise SpecError(f"bad variation {quoted(text)}: the step must be greater than 0")
    if end < start:
        raise SpecError(f"bad variation {quoted(text)}: {end} is less than {start}")
    count = int((end - start) / step) + 1
    if count > _MOST:
        raise LimitError(f"{quoted(text)} has {count:,} values; the limit is {_MOST:,}")
    return Variation(name, tuple(_spelled(start + i * step) for i in range(count)))


def _number(part: str, text: str) -> Decimal:
    try:
        number = Decimal(part)
    except InvalidOperation:
        raise SpecError(f"bad variation {quoted(text)}: {quoted(part)} is not a number") from None
    if not number.is_finite() or abs(number.adjusted()) > 15:
        raise SpecError(f"bad variation {quoted(text)}: {quoted(part)} is out of range")
    return number


def _spelled(value: Decimal) -> str:
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def with_option(spec: str, name: str, text: str) -> str:
    """Add an option to an agent's spec."""
    return f"{spec}{',' if ':' in spec else ':'}{name}={text}"
