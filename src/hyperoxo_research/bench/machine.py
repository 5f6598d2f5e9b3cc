"""On which machine benchmarks ran, with what, when, and how busy it was."""

from __future__ import annotations

import os
import platform
import time
from typing import Any

from hyperoxo import __version__
from hyperoxo.cli.doctor import processor, version_of
from hyperoxo.processes import cores

_PACKAGES = ("numba", "numpy", "llvmlite", "open_spiel", "pettingzoo", "jax", "pgx")
_PEERS_AT = 3


def about(begun: dict[str, Any] | None = None) -> dict[str, Any]:
    """Describe this machine; with what was said when the run began, how long it took as well.

    The load is the mean number of processes that wanted to run in the minute before: about 0 for a
    machine that was quiet when the run began.
    """
    if begun is not None:
        began = time.mktime(time.strptime(begun["began"], _FORMAT))
        return {**begun, "seconds": round(time.time() - began), "load_at_end": _load()}
    return {
        "processor": processor()["name"],
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "hyperoxo": __version__,
        "packages": {name: version for name in _PACKAGES if (version := version_of(name))},
        "began": time.strftime(_FORMAT),
        "load": _load(),
    }


_FORMAT = "%Y-%m-%d %H:%M:%S"


def in_words(machine: dict[str, Any]) -> str:
    """Say in a sentence what `about` found."""
    packages = machine["packages"]
    peers = ", ".join(
        f"{name} {packages[name]}" for name in _PACKAGES[_PEERS_AT:] if name in packages
    )
    load = machine["load"], machine.get("load_at_end")
    loads = " and ".join("unknown" if one is None else f"{one:.1f}" for one in load)
    return (
        f"Measured on {machine['began'][:10]} with hyperoxo {machine['hyperoxo']}, Python "
        f"{machine['python']} and Numba {packages['numba']} on {machine['cores']} cores of "
        f"{machine['processor']} ({machine['system']}), in {machine['seconds'] / 60:.0f} minutes; "
        f"other programs: {peers or 'none'}. The load average was {loads} before and after; the "
        "run itself is one."
    )


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
