"""Expectations that tests write again and again: a value that is there, an error of one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

T = TypeVar("T")
P = ParamSpec("P")


def require(value: T | None) -> T:
    """Return a value that must not be None."""
    assert value is not None
    return value


def message_of(
    error: type[BaseException], call: Callable[P, object], *values: P.args, **options: P.kwargs
) -> str:
    """Return the message of the error that a call raises, one line long."""
    with pytest.raises(error) as caught:
        call(*values, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message
