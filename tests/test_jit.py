"""Compiled code on the disk: never from other sources, right after any damage, and shared."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hyperoxo import jit
from tests.expect import require
from tests.processes import python

ROOT = Path(__file__).parent.parent
INNER = "'Inner.'\nfrom hyperoxo.jit import njit\n@njit()\ndef inner(x):\n    return x + 1\n"
OUTER = """
from hyperoxo.jit import njit
from {inner} import inner
@njit()
def outer(x):
    return inner(x)
@njit()
def constants():
    return inner(1) + inner(x=2)
"""
HITS = "print(outer.outer(1), sum(outer.outer.stats.cache_hits.values()))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two packages with kernels, of which one calls the other's."""
    for package, module, text in (
        ("called", "inner", INNER),
        ("calling", "outer", OUTER.format(inner="called.inner")),
    ):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
        (tmp_path / package / f"{module}.py").write_text(text)
    return tmp_path


def run(folder: Path, code: str, **world: str) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(folder), str(ROOT / "src")))
    named = {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(folder / "code")}
    return subprocess.Popen(
        [sys.executable, "-c", f"import calling.outer as outer\n{code}"],
        env={**os.environ, **named, **world},
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    words, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return words.strip()


@pytest.mark.more
def test_only_a_changed_callee_compiles_again(folder: Path) -> None:
    """Comments and docstrings are no change; a callee in another package is one."""
    assert said(run(folder, HITS)) == "2 0"
    inner = folder / "called" / "inner.py"
    text = INNER.replace("    return", '    """Add."""\n    # Why.\n    return')
    inner.write_text(text.replace("'Inner.'", "'Sums.'"))
    assert said(run(folder, HITS)) == "2 1"
    inner.write_text(text.replace("+ 1", "+ 10"))
    assert said(run(folder, HITS)) == "11 0"


def test_what_else_is_imported_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of type checkers, and members that are called like a module, are no imports."""
    monkeypatch.syspath_prepend(tmp_path)
    texts = {
        "__init__": "kernel = 1",
        "other": "x = 1",
        "kernel": "",
        "user": "from typing import TYPE_CHECKING as checking\nfrom imported import other as o\n"
        "import json as j\nif checking:\n    from imported import kernel\n    import csv",
    }
    (tmp_path / "imported").mkdir()
    for name, text in texts.items():
        (tmp_path / "imported" / f"{name}.py").write_text(text)
    monkeypatch.delitem(sys.modules, "csv", raising=False)
    for name in ("imported.user", "imported.kernel", "csv"):
        importlib.import_module(name)
        jit._code_of.cache_clear()
        found = require(jit._code_of("imported.user"))
        assert found[1] == {"imported", "imported.other", "typing", "json"}


@pytest.mark.more
def test_processes_that_save_at_once(folder: Path) -> None:
    """Each saves another signature; whatever was kept of them is right."""
    call = "import numpy as np\nprint(outer.outer(np.{kind}(1)))"
    together = [run(folder, call.format(kind=kind)) for kind in ("int64", "float32")]
    assert [said(process) for process in together] == ["2", "2.0"]
    calls = "print(outer.outer(np.int64(1)), outer.outer(np.float32(1)))"
    assert said(run(folder, f"import numpy as np\n{calls}")) == "2 2.0"


@pytest.mark.more
def test_processes_that_compile_the_same(folder: Path) -> None:
    """One of them compiles, the others wait for it."""
    call = "print(outer.outer(1), sum(outer.outer.stats.cache_misses.values()))"
    together = [run(folder, call) for _ in range(3)]
    assert sorted(said(process) for process in together) == ["2 0", "2 0", "2 1"]


DAMAGED = """
import importlib, os, sys
from pathlib import Path
inner = sys.modules["called.inner"]
def again():
    for module in (inner, outer):
        importlib.reload(module)
    assert (outer.outer(1), outer.outer(1.5)) == (2, 2.5)
    return sum(outer.outer.stats.cache_hits.values())
damages = (
    lambda data: b"",
    lambda data: data[:len(data) // 2],
    lambda data: bytes(len(data)),
)
def files(kind):
    return sorted(Path(os.environ["NUMBA_CACHE_DIR"]).rglob(f"*.{kind}"))
again()
assert again() == 2
for kind in ("nbi", "nbc"):
    for damage in damages:
        for path in files(kind):
            path.write_bytes(damage(path.read_bytes()))
        assert again() < 2, kind
        assert again() == 2, kind
    for path in files(kind):
        path.unlink()
        path.mkdir()
    assert again() < 2
    again()  # the first may not have kept what it compiled
    assert again() == 2
one, two = (path for path in files("nbc") if path.name.startswith("outer.outer"))
code = one.read_bytes()
one.write_bytes(two.read_bytes())
two.write_bytes(code)
assert again() < 2, "as where two processes save at once"
print("right")
"""


@pytest.mark.more
def test_what_is_damaged_is_compiled_again(folder: Path) -> None:
    assert said(run(folder, DAMAGED)) == "right"


@pytest.mark.more
def test_code_that_cannot_be_kept_is_used(folder: Path) -> None:
    limited = """
import resource, sys
sys.dont_write_bytecode = True  # Python would keep what it imports cut
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
print(outer.outer(1))
"""
    assert said(run(folder, limited)) == "2"
    assert not list(folder.rglob("*.nbc"))
    nowhere = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), "/dev/null/nowhere")
    assert (
        said(run(folder, f"{HITS}\nprint(outer.outer.stats.cache_path)", **nowhere)) == "2 0\nNone"
    )


@pytest.mark.more
def test_the_user_s_own_folder_is_taken_where_the_named_one_cannot_be_written(folder: Path) -> None:
    call = "print(outer.outer(1), outer.outer.stats.cache_path)"
    world = {"NUMBA_CACHE_DIR": "/dev/null/nowhere", "XDG_CACHE_HOME": str(folder / "own")}
    assert said(run(folder, call, **world)).startswith(
        f"2 {folder}/own/hyperoxo/kernels/calling.outer-"
    )


@pytest.mark.more
def test_functions_are_compiled_once_for_constants_and_integers(folder: Path) -> None:
    call = """
import numpy as np
from called.inner import inner
print(outer.constants(), outer.outer(np.int32(1)), outer.outer(np.uint8(2)), inner.signatures)
import numba, sys
print(numba.config.CACHE_LOCATOR_CLASSES == "", "scipy.linalg" in sys.modules)
@numba.njit
def dot(x):
    return np.dot(x, x)
print(dot(np.ones(2)), "scipy.linalg" in sys.modules)
"""
    told = "5 2 3 [(int64,)]\nTrue False\n2.0 True"
    assert said(run(folder, call)) == told


LINKED = """
import numpy as np
@njit()
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return np.zeros(2)[0] + x
@njit()
def once(x):
    return checked(x)
@njit()
def twice(x):
    return checked(x) + once(x)
"""
LINKED_CALL = """
def call(function, x):
    try:
        found = function(x)
    except ValueError as error:
        found = error
    print(found, *(sum(one.stats.cache_hits.values()) for one in (outer.checked, outer.once)))
"""


@pytest.mark.more
def test_code_linked_into_callers_serves_python_and_other_callers(folder: Path) -> None:
    """Linked code has constants of its own, is kept, and is replaced where Python calls it."""
    with (folder / "calling" / "outer.py").open("a") as file:
        file.write(LINKED)

    def calls(*lines: str) -> list[str]:
        return said(run(folder, LINKED_CALL + "\n".join(lines))).split("\n")

    # The first process compiles, the second takes the linked code for another caller.
    assert calls("call(outer.once, 1)", "call(outer.once, -1)") == ["1.0 0 0", "negative 0 0"]
    assert calls("call(outer.twice, 1)", "call(outer.twice, -1)") == ["2.0 1 1", "negative 1 1"]
    one = "call(outer.checked, 1)", "call(outer.checked, -1)"
    assert calls("call(outer.twice, 1)", *one) == ["2.0 0 0", "1.0 0 0", "negative 0 0"]
    # Whole code is kept now, and callers may link it.
    assert calls(*one, "call(outer.once, -1)") == ["1.0 1 0", "negative 1 0", "negative 1 1"]
    recompile = "outer.once._cache._enabled = False"
    assert calls(recompile, "call(outer.once, -1)", one[1]) == ["negative 1 0", "negative 1 0"]


@pytest.mark.more
def test_functions_of_others_are_compiled_as_a_whole(folder: Path) -> None:
    """Numba's own functions and ours serve a stranger's function and Python after it."""
    call = """
import numba, numpy as np
@numba.njit
def strange(x):
    return np.zeros(3).sum() + outer.outer(x)
print(strange(1), outer.outer(1), outer.inner(1), np.zeros(3).sum())
"""
    assert said(run(folder, "outer.outer(2)\n" + call)) == "2.0 2 2 0.0"
    assert said(run(folder, call)) == "2.0 2 2 0.0"


@pytest.mark.more
def test_functions_are_counted_and_the_clock_stops(folder: Path) -> None:
    call = """
import time
from hyperoxo.jit import compile_events, working_time
counts = []
compile_events.on_compile = lambda *numbers: counts.append(numbers)
told, real = working_time(), time.perf_counter()
outer.outer(1)
told, real = working_time() - told, time.perf_counter() - real
print(0 <= told < real / 2, *counts)
again = working_time()
time.sleep(0.05)
assert working_time() - again >= 0.05
"""
    own = """
import numba
from hyperoxo.jit import njit
made = {"__name__": None}
exec("def own(x): return x + 1", made)
assert numba.njit(made["own"])(1) == njit(cache=False)(made["own"])(1) == 2
"""
    assert said(run(folder, call + own)) == "True (1, 2) (2, 2) (0, 0)"
    assert said(run(folder, call)) == "True"


@pytest.mark.more
def test_a_wait_for_another_process_is_reported(folder: Path) -> None:
    filelock = pytest.importorskip("filelock")
    call = """
from hyperoxo.jit import compile_events
compile_events.on_compile = lambda number, known: print(number, known, flush=True)
outer.inner(1)
"""
    assert said(run(folder, call)).split("\n") == ["1 1", "0 0"]
    (lock,) = folder.rglob("inner.lock")
    for path in folder.rglob("*.nb?"):
        path.unlink()
    with filelock.FileLock(lock):
        process = run(folder, call)
        assert require(process.stdout).readline() == "1 1\n"
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
@njit()
def pressed(x):
    return press() + x
"""


@pytest.mark.more
def test_ctrl_c_waits_until_a_function_is_compiled(folder: Path) -> None:
    with (folder / "calling" / "outer.py").open("a") as file:
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
def test_an_error_of_the_compiler_is_its_own(folder: Path) -> None:
    call = """
from numba.core.errors import TypingError
try:
    outer.outer("text")
except TypingError:
    print("refused")
"""
    assert said(run(folder, call)) == "refused"


def test_folders_of_earlier_sources_are_removed(tmp_path: Path) -> None:
    now = time.time()
    for age in range(30):
        path = tmp_path / f"module-{age}"
        path.mkdir()
        os.utime(path, (now - 600 * age,) * 2)
    jit._remove_old(tmp_path.glob("module-*"))
    # Ten, for those are in use; all of the last hour are.
    assert {path.name for path in tmp_path.iterdir()} == {f"module-{age}" for age in range(10)}
    for path in tmp_path.iterdir():
        os.utime(path, (now, now))
    (tmp_path / "module-new").mkdir()
    jit._remove_old(tmp_path.glob("module-*"))
    assert len(list(tmp_path.iterdir())) == 11


@pytest.mark.text
@pytest.mark.parametrize("line", ["from numba import njit", "import numba\n\nnumba.jit(int)"])
def test_other_decorators_are_lint_errors(line: str) -> None:
    words = [
        "check",
        "--quiet",
        "--select",
        "TID251",
        "--stdin-filename",
        "src/hyperoxo/new.py",
        "-",
    ]
    done = python("-m", "ruff", *words, cwd=ROOT, input=f"{line}\n")
    assert (done.returncode, "take njit from hyperoxo.jit" in done.stdout) == (1, True)
