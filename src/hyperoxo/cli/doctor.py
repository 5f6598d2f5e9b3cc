"""`oxo doctor`: what this installation has, and what it lacks."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

import hyperoxo
from hyperoxo import __version__
from hyperoxo.cli import options as cli
from hyperoxo.processes import cores

DEPENDENCIES = ("click", "llvmlite", "numba", "numpy", "platformdirs", "rich", "scipy")

EXTRAS = {
    "adapters": ("gymnasium", "pettingzoo", "pyspiel"),
    "cluster": ("dask", "distributed"),
    "graph": ("networkx",),
    "plot": ("matplotlib",),
    "ratings": ("openskill",),
    "research": ("jinja2", "matplotlib", "pysat"),
    "rl": ("jax", "mctx", "optax"),
    "sat": ("pysat",),
    "tables": ("pyarrow",),
    "tui": ("textual",),
    "web": ("fastapi", "jinja2", "nicegui", "segno", "uvicorn"),
}
"""Modules that each extra brings."""

FEATURES = ("popcnt", "bmi2", "avx", "avx2", "avx512f", "avx512vl", "neon")


_TEXT = """
hyperoxo {hyperoxo}, Python {python} on {platform}
{cores} cores, {processor.name}: {processor.features:?no feature that matters}
compiled kernels: {numba_cache.folder:?not kept}, {numba_cache.functions} functions
?numba_cache.removed   {numba_cache.removed} files were damaged or of an earlier version, and are \
removed; what they held is compiled again when it is needed
data: {data_folder.folder}

|versions| package={key} | version={value:?missing} |

|extras| extra={key} | installed={value} |

*problems problem: {}
!problems Everything needed is here.
"""


@click.command()
@cli.shared_options
def command(options: cli.Options) -> int:
    """Check this installation: versions, extras, processor, caches.

    The exit code is 1 if something is missing that hyperoxo cannot work without.
    """
    found = examine()
    options.emit(found, _TEXT)
    return 1 if found["problems"] else 0


def examine() -> dict[str, Any]:
    """Look at the installation."""
    versions = {name: _version(name) for name in DEPENDENCIES}
    extras = {
        name: all(importlib.util.find_spec(module) is not None for module in modules)
        for name, modules in EXTRAS.items()
    }
    cache = {**_numba_cache(), **_kept_code()}
    data = _data_folder()
    problems = [f"{name} is not installed" for name, version in versions.items() if not version]
    if cache["folder"] is None:
        problems.append("compiled kernels cannot be kept: no cache folder is writable")
    if cache["stuck"]:
        problems.append(
            f"{cache['stuck']} files of compiled kernels are damaged and cannot be removed: what "
            "they held is compiled again each time"
        )
    if not data["writable"]:
        problems.append(f"the data folder {data['folder']} is not writable")
    return {
        "hyperoxo": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "versions": versions,
        "extras": extras,
        "cores": cores(),
        "processor": _processor(),
        "numba_cache": cache,
        "data_folder": data,
        "problems": problems,
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> dict[str, Any]:
    """Name the processor and its features, as the compiler sees them."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        return {"name": platform.machine(), "features": []}
    has = llvm.get_host_cpu_features()
    return {
        "name": llvm.get_host_cpu_name(),
        "features": [feature for feature in FEATURES if has.get(feature)],
    }


def _numba_cache() -> dict[str, Any]:
    """Find the folder for compiled kernels, in the order in which Numba looks for one."""
    import platformdirs

    source = importlib.util.find_spec("hyperoxo.kernels")
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        candidates = [Path(named)]
    else:
        candidates = [Path(platformdirs.user_cache_dir("numba", appauthor=False))]
        if source is not None and source.origin is not None:
            candidates.insert(0, Path(source.origin).parent / "__pycache__")
    for folder in candidates:
        if _writable(folder):
            return {"folder": str(folder), "writable": True}
    return {"folder": None, "writable": False}


def _kept_code() -> dict[str, int]:
    """Read what was compiled, and remove what cannot be used: it is compiled again when needed."""
    try:
        from hyperoxo.kept_code import tidy
    except ImportError:  # without Numba there is none
        return {"functions": 0, "removed": 0, "stuck": 0}
    found = tidy(Path(hyperoxo.__file__).parent)
    return {"functions": found.sound, "removed": found.removed, "stuck": found.stuck}


def _data_folder() -> dict[str, Any]:
    import platformdirs

    chosen = os.environ.get("HYPEROXO_DATA", "")
    folder = Path(chosen or platformdirs.user_data_dir("hyperoxo", appauthor=False))
    return {"folder": str(folder), "writable": _writable(folder)}


def _writable(folder: Path) -> bool:
    """Tell whether a file can be made in the folder, or in the nearest parent that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
