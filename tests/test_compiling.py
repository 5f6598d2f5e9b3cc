"""Compiled code on the disk: never from other sources, and shared by several processes."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.compiler import Flags
from numba.core.dispatcher import Dispatcher

import hyperoxo.compiling

HEAD = "from {package}.compiling import njit\n"
INNER = "'Inner.'\n{head}@njit(cache=True)\ndef inner(x):\n    return x + {added}\n"
OUTER = """{head}from {package}.inner import inner
@njit(cache=True)
def outer(x):
    return inner(x)
@njit(cache=True)
def constants():
    return inner(1) + inner(x=2)
"""


def package(folder: Path, added: int) -> None:
    """Write a package with kernels of its own and a copy of the module under test."""
    folder.mkdir(exist_ok=True)
    shutil.copy(hyperoxo.compiling.__file__, folder / "compiling.py")
    head = HEAD.format(package=folder.name)
    (folder / "__init__.py").touch()
    (folder / "inner.py").write_text(INNER.format(head=head, added=added))
    if not (folder / "outer.py").exists():
        (folder / "outer.py").write_text(OUTER.format(head=head, package=folder.name))


def run(folder: Path, code: str) -> subprocess.Popen[str]:
    code = f"import {folder.name}.outer as outer\n{code}"
    source = Path(hyperoxo.compiling.__file__).parent.parent
    path = os.pathsep.join(map(str, (folder.parent, source)))
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0"}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    words, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return words.strip()


@pytest.mark.more
def test_a_changed_function_that_is_called(tmp_path: Path) -> None:
    """Numba itself would go on with the old one."""
    folder = tmp_path / "compiled_changed"
    show = "print(outer.outer(1), sum(outer.outer.stats.cache_hits.values()))"
    package(folder, added=1)
    assert said(run(folder, show)) == "2 0"
    package(folder, added=10)
    assert said(run(folder, show)) == "11 0"


@pytest.mark.more
def test_comments_and_docstrings_compile_nothing_again(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_commented"
    show = "print(outer.outer(1), sum(outer.outer.stats.cache_hits.values()))"
    package(folder, added=1)
    assert said(run(folder, show)) == "2 0"
    inner = folder / "inner.py"
    text = inner.read_text().replace("    return", '    """Add."""\n    # Why.\n    return')
    inner.write_text(text.replace("'Inner.'", "'Sums.'"))
    assert said(run(folder, show)) == "2 1"


@pytest.mark.more
def test_processes_that_save_at_once(tmp_path: Path) -> None:
    """Each saves another signature; all of them are found afterwards."""
    folder = tmp_path / "compiled_shared"
    package(folder, added=1)
    kinds = ["int8", "float32"]
    call = "import numpy as np\nprint(outer.outer(np.{kind}(1)))"
    together = [run(folder, call.format(kind=kind)) for kind in kinds]
    assert [said(process) for process in together] == ["2", "2.0"]
    calls = "; ".join(f"outer.outer(np.{kind}(1))" for kind in kinds)
    hits = "sum(outer.outer.stats.cache_hits.values())"
    assert said(run(folder, f"import numpy as np; {calls}; print({hits})")) == "2"


@pytest.mark.more
def test_processes_that_compile_the_same(tmp_path: Path) -> None:
    """One of them compiles, the others wait for it."""
    folder = tmp_path / "compiled_once"
    package(folder, added=1)
    call = "print(outer.outer(1), sum(outer.outer.stats.cache_misses.values()))"
    together = [run(folder, call) for _ in range(3)]
    assert sorted(said(process) for process in together) == ["2 0", "2 0", "2 1"]


@pytest.mark.more
def test_constants_are_compiled_for_once(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_constants"
    package(folder, added=1)
    call = "print(outer.constants(), len(outer.inner.signatures))"
    assert said(run(folder, call)) == "5 1"


@pytest.mark.more
def test_a_function_for_its_callers_and_for_python(tmp_path: Path) -> None:
    """Python gets a whole function where callers have one without machine code, and keeps it."""
    folder = tmp_path / "compiled_for_both"
    package(folder, added=1)
    by_caller = "outer.outer(2), len(outer.inner.nopython_signatures)"
    by_python = "outer.inner(3), sum(outer.inner.stats.cache_hits.values())"
    assert said(run(folder, f"print({by_caller}, {by_python})")) == "3 1 4 0"
    assert said(run(folder, f"print({by_python}, {by_caller})")) == "4 1 3 1"
    assert said(run(folder, "print(outer.outer(2), sum(outer.outer.stats.cache_hits.values()))"))


@pytest.mark.more
def test_code_for_callers_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_for_callers"
    package(folder, added=1)
    assert said(run(folder, "print(outer.outer(2))")) == "3"
    hits = "sum(outer.inner.stats.cache_hits.values())"
    assert said(run(folder, f"print(outer.constants(), {hits})")) == "5 1"


@pytest.mark.more
def test_integers_in_calls_are_of_one_type(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_integers"
    package(folder, added=1)
    calls = "outer.outer(np.int32(1)), outer.outer(np.uint8(2)), outer.outer(3)"
    show = f"import numpy as np\nprint({calls}, outer.inner.signatures)"
    assert said(run(folder, show)) == "2 3 4 [(int64,)]"


@pytest.mark.more
def test_the_clock_stands_still_while_something_is_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_timed"
    package(folder, added=1)
    call = f"""
import time
from {folder.name}.compiling import working_time
told, real = working_time(), time.perf_counter()
outer.outer(1)
told, real = working_time() - told, time.perf_counter() - real
print(0 <= told < real - 0.02)
again = working_time()
time.sleep(0.05)
print(working_time() - again >= 0.05)
"""
    assert said(run(folder, call)).split() == ["True", "True"]


@pytest.mark.more
def test_what_is_compiled_is_said_with_how_much_there_is(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_said"
    package(folder, added=1)
    call = """
from hyperoxo.first_use import news
said = []
news.hear = lambda *numbers: said.append(numbers)
outer.outer(1)
print(*said)
"""
    call += """
import numba
made = {"__name__": None}
exec("def own(x): return x + 1", made)
assert numba.njit(made["own"])(1) == 2
"""
    assert said(run(folder, call)) == "(1, 2) (2, 2) (0, 0)"
    # The second time nothing is compiled.
    assert said(run(folder, call)) == ""


@pytest.mark.more
def test_who_waits_for_another_process_says_so(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "compiled_elsewhere"
    package(folder, added=1)
    call = """
from hyperoxo.first_use import news
news.waits = lambda: print("waits", flush=True)
news.hear = lambda number, known: print(number, known)
outer.inner(1)
"""
    assert said(run(folder, call)).split("\n") == ["1 1", "0 0"]
    (folder / "inner.py").write_text(INNER.format(head=HEAD.format(package=folder.name), added=2))
    with (folder / "__pycache__" / "compiling.lock").open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        process = run(folder, call)
        assert process.stdout is not None
        assert process.stdout.readline() == "waits\n"
        fcntl.lockf(file, fcntl.LOCK_UN)
    assert said(process).split("\n") == ["0 0", "1 1", "0 0"]


PRESSED = """
import signal
from numba.extending import overload
def press():
    pass
@overload(press)
def _press():
    signal.raise_signal(signal.SIGINT)
    return lambda: 1
@njit(cache=True)
def pressed(x):
    return press() + x
"""


@pytest.mark.more
def test_ctrl_c_waits_until_a_function_is_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_interrupted"
    package(folder, added=1)
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


@pytest.mark.more
def test_code_that_cannot_be_kept_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "compiled_in_vain"
    package(folder, added=1)
    call = """
import resource, sys
sys.dont_write_bytecode = True  # Python would keep what it imports cut
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
print(outer.outer(1))
"""
    assert said(run(folder, call)) == "2"
    assert not list((folder / "__pycache__").glob("*.nbc"))


@pytest.mark.more
def test_code_for_other_types_is_not_used(tmp_path: Path) -> None:
    """Files of two versions of a function change places, as after a loss of what names them."""
    folder = tmp_path / "compiled_for_others"
    package(folder, added=1)
    call = "print(outer.outer(2), outer.outer(2.5))"
    assert said(run(folder, call)) == "3 3.5"
    one, two = sorted((folder / "__pycache__").glob("outer.outer*.nbc"))
    code = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(code)
    assert said(run(folder, call)) == "3 3.5"
    hits = "sum(outer.outer.stats.cache_hits.values())"
    assert said(run(folder, f"{call}\nprint({hits})")).split() == ["3", "3.5", "2"]


APART = """
import operator
from numba.extending import overload
from {package}.compiling import njit
def first(x): pass
def second(x): pass
def add(made, function):
    @overload(made, strict=False)
    def chosen(x):
        return lambda x: function(x, 5)
from numba import njit as plain
add(first, plain(lambda x, y: x + y))
add(second, plain(lambda x, y: x * y))
@njit(cache=True)
def sums(x):
    return first(x)
@njit(cache=True)
def products(x):
    return second(x)
@njit(cache=True)
def sum_called(x):
    return sums(x)
@njit(cache=True)
def product_called(x):
    return products(x)
@njit(cache=True)
def both(x):
    return sums(x), products(x)
"""


@pytest.mark.more
def test_functions_of_one_name_from_two_processes_stay_apart(tmp_path: Path) -> None:
    """What two processes compiled for callers has functions of its own that bear one name."""
    folder = tmp_path / "compiled_apart"
    package(folder, added=1)
    (folder / "outer.py").write_text(APART.replace("{package}", folder.name), encoding="utf-8")
    assert said(run(folder, "print(outer.sum_called(3))")) == "8"
    assert said(run(folder, "print(outer.product_called(3))")) == "15"
    assert said(run(folder, "print(*outer.both(3))")) == "8 15"


def test_every_kernel_is_compiled_by_the_decorator_of_the_package() -> None:
    """Numba's own ends with an error where no folder can be written."""
    root = Path(hyperoxo.compiling.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if "njit" in path.read_text("utf-8"):
            name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            for made in vars(importlib.import_module(name)).values():
                if isinstance(made, Dispatcher):
                    assert "compile" in vars(made), made


def test_an_option_set_to_its_default_equals_one_that_is_not_set() -> None:
    kind: Any = Flags
    one, other = kind(), kind()
    other.release_gil = one.release_gil
    assert one == other
    other.release_gil = not one.release_gil
    assert one != other
    assert one != 1
