"""Other libraries are loaded only by those who ask for them."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from hyperoxo.errors import MissingExtraError

NEEDED = {
    "adapters.gymnasium": "gymnasium",
    "adapters.jax": "jax",
    "adapters.openspiel": "pyspiel",
    "adapters.pettingzoo": "pettingzoo",
    "learn.alphazero.selfplay": "mctx",
}


def test_the_rooms_load_none_of_them() -> None:
    rooms = "hyperoxo.adapters, hyperoxo.learn.training"
    probe = f"import sys, {rooms}; print([n for n in sys.argv[1:] if n in sys.modules])"
    command = [sys.executable, "-c", probe, *NEEDED.values()]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NEEDED[name], None)
    monkeypatch.delitem(sys.modules, f"hyperoxo.{name}", raising=False)
    extra = "rl" if NEEDED[name] in ("jax", "mctx") else "adapters"
    with pytest.raises(MissingExtraError, match=f'needs the extra "{extra}"'):
        importlib.import_module(f"hyperoxo.{name}")
