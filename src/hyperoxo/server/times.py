"""The clock of the server."""

from __future__ import annotations

import time

__all__ = ["now"]


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
