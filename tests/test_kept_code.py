"""Compiled code on the disk: whatever has become of it, what is called is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_compiling import INNER, OUTER, package, run, said

PLAIN = "from hyperoxo.kept_code import njit\n"

DAMAGED = """
import importlib, os, sys
from pathlib import Path
inner = sys.modules[outer.__package__ + ".inner"]
folder = Path(outer.__file__).parent / "__pycache__"
def flip(data):
    return data[:len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1:]
damages = {
    "empty": lambda data: b"",
    "half": lambda data: data[:len(data) // 2],
    "one bit": flip,
    "without its digest": lambda data: data[32:],
    "longer": lambda data: data + b"x",
}
def again():
    for module in (inner, outer):
        importlib.reload(module)
    assert outer.outer(1) == 2
    return sum(outer.outer.stats.cache_hits.values())
again()
assert again() == 1
for kind in ("nbi", "nbc"):
    for name, damage in damages.items():
        for path in folder.glob(f"*.{kind}"):
            path.write_bytes(damage(path.read_bytes()))
        assert again() == 0, (kind, name)
        assert again() == 1, (kind, name)
    for path in folder.glob(f"*.{kind}"):
        path.unlink()
        path.mkdir()
    assert again() == 0
    for path in folder.glob(f"*.{kind}"):
        path.rmdir()
    assert again() + again() >= 1
print("right")
"""


def plain_package(folder: Path) -> None:
    """Write functions that are compiled as those of the checker are."""
    package(folder, added=1)
    (folder / "inner.py").write_text(INNER.format(head=PLAIN, added=1).replace("cache=True", ""))
    text = OUTER.format(head=PLAIN, package=folder.name).replace("cache=True", "")
    (folder / "outer.py").write_text(text)


@pytest.mark.more
@pytest.mark.parametrize("plain", [False, True])
def test_what_is_damaged_is_compiled_again(tmp_path: Path, plain: bool) -> None:
    folder = tmp_path / "kept_damaged"
    if plain:
        plain_package(folder)
    else:
        package(folder, added=1)
    assert said(run(folder, DAMAGED)) == "right"


@pytest.mark.more
def test_a_changed_function_that_is_called_by_the_checker(tmp_path: Path) -> None:
    folder = tmp_path / "kept_changed"
    plain_package(folder)
    show = "print(outer.outer(1), sum(outer.outer.stats.cache_hits.values()))"
    assert said(run(folder, show)) == "2 0"
    assert said(run(folder, show)) == "2 1"
    (folder / "inner.py").write_text(INNER.format(head=PLAIN, added=10).replace("cache=True", ""))
    assert said(run(folder, show)) == "11 0"


NAMED = """
from typing import NamedTuple
class Pair(NamedTuple):
    one: int
    two: int
"""
SUM = """
from {module} import Pair
from hyperoxo.kept_code import njit
@njit()
def total(pair):
    return pair.one + pair.two
"""


@pytest.mark.more
def test_a_type_may_move_to_another_module(tmp_path: Path) -> None:
    """The index names the types by the modules that they are in."""
    folder = tmp_path / "kept_moved"
    package(folder, added=1)
    show = """
print(outer.total(outer.Pair(1, 2)), sum(outer.total.stats.cache_hits.values()))
"""
    for name in ("before", "after"):
        (folder / f"{name}.py").write_text(NAMED)
        (folder / "outer.py").write_text(SUM.format(module=f"{folder.name}.{name}"))
        assert said(run(folder, show)) == "3 0"
        (folder / f"{name}.py").unlink()


@pytest.mark.more
def test_ctrl_c_waits_for_the_checker_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "kept_interrupted"
    plain_package(folder)
    with (folder / "outer.py").open("a") as file:
        file.write(PRESSED)
    call = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    outer.pressed(1)
except KeyboardInterrupt:
    print(len(outer.pressed.signatures), outer.pressed(1))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    assert said(run(folder, call)).split() == ["1", "2", "True"]


PRESSED = """
import signal
from numba.extending import overload
def press():
    pass
@overload(press)
def _press():
    signal.raise_signal(signal.SIGINT)
    return lambda: 1
@njit()
def pressed(x):
    return press() + x
"""


@pytest.mark.more
def test_without_any_folder_nothing_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kept_nowhere"
    package(folder, added=1)
    call = """
import importlib, sys
from numba.core.caching import CacheImpl
CacheImpl._locator_classes = []
for name in ("inner", "outer"):
    importlib.reload(sys.modules[outer.__package__ + "." + name])
print(outer.outer(1))
"""
    assert said(run(folder, call)) == "2"


@pytest.mark.more
def test_a_folder_may_go(tmp_path: Path) -> None:
    folder = tmp_path / "kept_gone"
    package(folder, added=1)
    call = """
import shutil
from pathlib import Path
kept = Path(outer.__file__).parent / "__pycache__"
shutil.rmtree(kept)
kept.touch()
print(outer.outer(1))
"""
    assert said(run(folder, call)) == "2"
