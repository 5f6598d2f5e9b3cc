"""JIT compilation of kernels: one decorator, cache folders named by digests, compile events.

Numba's cache asks whether the file of a function has changed, but not those of the functions that
it calls. Here a module's code has its own folder, named by a digest of the module and of all
modules of compiled packages that it imports, and of the versions of Python, Numba and LLVM; Numba
itself tells processors apart. A changed callee is looked for in another folder, a folder that
cannot be read is deleted, and where no folder can be written code stays in memory.

Documented parts of Numba are used: ``njit``, cache locators, ``numba:compile`` events and the
compiler lock; and three that are not: `_forget_constants` and `linked`, each for a fourth of the
time of compiling, and `ensure_blas`. Numba is imported when a compiled function is first used: a
decorator only makes a `Kernel`, so that modules of kernels cost nothing to import.
"""

from __future__ import annotations

import dis
import gc
import hashlib
import importlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, update_wrapper
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn, TypeVar, cast

from hyperoxo.errors import CheckFailedError
from hyperoxo.processes import delayed_interrupts

_Function = TypeVar("_Function", bound=Callable[..., Any])

NO_REFCOUNT = {"nogil": True, "_nrt": False}
"""Options of kernels that make no array; one that does fails to compile.

Numba counts references to an array wherever a function with branches takes one, by atomic
operations: a fourth of the time of guided trees.
"""

_HAS_DOCSTRING = 0x4000000
_KEPT_FOLDERS, _FRESH_SECONDS, _LOCK_SECONDS = 10, 3600.0, 600.0
_packages: set[str] = set()
"""Packages with compiled functions."""
_making = threading.RLock()


class CompileEvents:
    """Counts the functions that are compiled, and measures the time spent on it.

    One thread at a time compiles, under Numba's lock; another may import Numba meanwhile.
    """

    def __init__(self) -> None:
        self.on_compile: Callable[[int, int], object] | None = None
        """Called with the number of a function whose compilation begins, and how many are known
        to be needed; two zeros when the compiler is done for now."""
        # Pages hear of it by `_Preparing` of server/worker.py, and say "Preparing this board" by
        # `preparingText` of pages/static/lib/preparing.js; the full screen by `_show_preparing` of
        # terminal/tui/app.py. Commands say "compiling" by `_FirstUse` of cli/progress.py.
        self.begun = self._timed = 0
        self._stack: list[Any] = []
        self._known: set[Any] = set()
        # (seconds not counted, reading at which the clock stopped or None). One tuple: readers
        # take no lock, and never see the half of a change. Writers hold the lock.
        self._clock: tuple[float, float | None] = 0.0, None
        self._clock_lock = threading.Lock()

    def working_time(self) -> float:
        """Return seconds of a clock that stops while something is compiled or loaded.

        Time limits are measured by it: the first search on a machine does as much as any other.
        """
        spent, stopped = self._clock
        return (time.perf_counter() if stopped is None else stopped) - spent

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Stop the clock of `working_time`."""
        with self._clock_lock:
            if not self._timed:
                self._clock = self._clock[0], time.perf_counter()
            self._timed += 1
        try:
            yield
        finally:
            with self._clock_lock:
                self._timed -= 1
                if not self._timed:
                    self._clock = time.perf_counter() - self.working_time(), None

    def on_start(self, made: Any) -> None:
        """Count a function."""
        # `_stack` holds the functions being compiled, the outermost first: Numba compiles a callee
        # when it meets the call. Numba's lock makes the stack that of one thread.
        if not self._stack:
            self._add(made)
        self._stack.append(made)
        # Functions made from text have no module, and Numba's own are not counted.
        if _package(made.py_func) in _packages:
            self.begun += 1
            self.report(self.begun)

    def on_end(self) -> None:
        """Report the end of the outermost function."""
        if self._stack:  # a stranger's function may have begun before we listened
            self._stack.pop()
        self.done()

    def within(self) -> bool:
        """Return True while the outermost function being compiled is hyperoxo's."""
        return bool(self._stack) and _package(self._stack[0].py_func) in _packages

    def is_nested(self) -> bool:
        """Return True if the innermost function being compiled only serves a hyperoxo caller."""
        return (
            len(self._stack) > 1
            and self.within()
            and _package(self._stack[-1].py_func) in {*_packages, "numba"}
        )

    def report(self, number: int) -> None:
        """Report that a function is being compiled."""
        if self.on_compile is not None:
            self.on_compile(number, max(number, len(self._known)))

    def done(self) -> None:
        """Report that nothing is compiled any more, unless a caller is."""
        if not self._stack and self.on_compile is not None:
            self.on_compile(0, 0)

    @contextmanager
    def another(self) -> Iterator[None]:
        """Count a compilation by another compiler, and stop the clock of `working_time`."""
        self.begun += 1
        with self.timed():
            self.report(self.begun)
            try:
                yield
            finally:
                self.done()

    def _add(self, made: Any) -> None:
        """Add a function and its callees, except those compiled or cached."""
        waiting = [made]
        while waiting:
            one = waiting.pop()
            if one not in self._known and (one is made or not _is_compiled(one)):
                self._known.add(one)
                names = one.py_func.__globals__
                called = (names.get(name) for name in one.py_func.__code__.co_names)
                kernels = (one for one in called if isinstance(one, Kernel))
                waiting += [one.made for one in kernels if not one.home]


compile_events = CompileEvents()
working_time = compile_events.working_time


class Kernel:
    """Lazy dispatcher: a compiled function, created (and Numba imported) at its first use.

    Compiled callers, and Numba if it is an argument, see the dispatcher behind it.
    """

    def __init__(self, make: Callable[[], Any], function: Any = None) -> None:
        self._make = make
        self.home = ""
        """The module that is imported to make it, of an intrinsic."""
        if function is not None:
            update_wrapper(self, function)
            self.py_func = function

    @classmethod
    def of(cls, module: str, name: str) -> Kernel:
        """Return an intrinsic of a module that is imported with the compiler."""
        kernel = cls(lambda: getattr(importlib.import_module(module), name))
        kernel.home = module
        return kernel

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call it, compiled."""
        return self.made(*args, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the dispatcher, created if necessary."""
        if name == "_make":  # of a copy that is not complete yet
            raise AttributeError(name)
        # Python calls this only while `made` is missing. The lock is reentrant: making one
        # function may import a module whose functions are used at once.
        with _making:
            if "made" not in vars(self):
                with compile_events.timed():  # the first one imports the compiler
                    self.made = self._make()
        return self.made if name == "made" else getattr(self.made, name)


def njit(*, cache: bool = True, **options: Any) -> Callable[[_Function], _Function]:
    """Compile a function by `numba.njit` and cache the code; without the JIT, refuse calls."""
    return _decorator(cache, options, lambda _: _refuse)


def njit_or_python(**options: Any) -> Callable[[_Function], _Function]:
    """Compile like `njit`; without the JIT the function runs as Python, as in mutation tests."""
    import numpy as np

    # NumPy would warn where sums of 64 bits wrap.
    return _decorator(True, options, np.errstate(over="ignore"))


def _decorator(
    cached: bool, options: dict[str, Any], plain: Callable[[Any], Any]
) -> Callable[[_Function], _Function]:
    def decorated(function: _Function) -> _Function:
        if function.__module__ is not None:
            _packages.add(_package(function))
        made = Kernel(lambda: _compiled(function, cached, options) or plain(function), function)
        return cast("_Function", made)

    return decorated


def check_jit() -> None:
    """Raise an error if the JIT is switched off."""
    # As Numba reads it; to import Numba for that takes a server 0.2 s and 60 MB.
    if os.environ.get("NUMBA_DISABLE_JIT", "").strip().lstrip("+-0").isdigit():
        _refuse()


def _refuse(*_: object, **__: object) -> NoReturn:
    raise CheckFailedError("this needs compiled code; unset NUMBA_DISABLE_JIT")


def _compiled(function: _Function, cached: bool, options: dict[str, Any]) -> _Function | None:
    import numba

    settings: Any = numba.config
    if settings.DISABLE_JIT:
        return None
    _listen()
    from hyperoxo.linked import KernelCache

    folder = _folder(function.__module__) if cached else None
    # A callee would count references as the first of its callers does.
    options = {"_nrt": True, "no_cfunc_wrapper": True, **options}
    with _making:
        before = settings.CACHE_LOCATOR_CLASSES
        settings.CACHE_LOCATOR_CLASSES = f"{__name__}.CacheLocator"
        try:
            made: Any = numba.njit(**options)(function)
            if folder is not None:
                made._cache = KernelCache(function, compile_events.within)
        finally:
            settings.CACHE_LOCATOR_CLASSES = before
    _forget_constants(made)
    _compile_safely(made, folder)
    return cast("_Function", made)


@cache
def _listen() -> None:
    from numba.core import event
    from numba.core.registry import cpu_target
    from numba.extending import typeof_impl

    from hyperoxo import linked

    # This module of Numba imports SciPy's linear algebra to learn that it is installed: a sixth of
    # the time of a command. Functions that use it import it again when they are compiled.
    algebra: Any = importlib.import_module("numba.np.linalg")
    ensure_blas, algebra.ensure_blas = algebra.ensure_blas, lambda: None
    importlib.import_module("numba.np.arraymath")
    algebra.ensure_blas = ensure_blas

    @typeof_impl.register(Kernel)
    def type_of(kernel: Kernel, _context: Any) -> Any:
        made, types = kernel.made, cpu_target.typing_context
        types.refresh()
        return types.resolve_value_type(made)

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            made = event.data["dispatcher"]
            compile_events.on_start(made)
            if compile_events.is_nested():
                if "compile" not in vars(made):
                    _compile_safely(made, None)  # Numba's own, such as `np.empty`
                made.targetoptions["no_cpython_wrapper"] = True

        def on_end(self, event: Any) -> None:
            made = event.data["dispatcher"]
            if compile_events.is_nested():
                del made.targetoptions["no_cpython_wrapper"]
            compile_events.on_end()
            whole = made.overloads.get(tuple(event.data["args"]))
            if whole is not None and not linked.is_linked(whole):
                linked.set_constants(whole)

    linked.install(compile_events.is_nested)
    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


def _forget_constants(made: Any) -> None:
    """Compile once for all constants and integer types that callers pass."""
    # Numba would compile a function again for each constant in a call, and for each narrow integer:
    # 80 functions in place of 58 for a match of minimax against tree search, in a fourth more time.
    # If the method has another name, nothing is replaced.
    from numba.core import types

    def plain(kind: Any) -> Any:
        kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
        integer: Any = kind if isinstance(kind, types.Integer) else None
        return types.int64 if integer is not None and integer.bitwidth < 64 else kind

    def by_plain_types(args: Iterable[Any], named: dict[str, Any]) -> Any:
        return by_types(tuple(map(plain, args)), {k: plain(v) for k, v in named.items()})

    by_types: Any = getattr(made, "get_call_template", None)
    if by_types is not None:
        made.get_call_template = by_plain_types


def _compile_safely(made: Any, folder: Path | None) -> None:
    """Make compilation robust against damaged or read-only caches, Ctrl-C and other processes."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import NumbaError

    from hyperoxo.linked import is_linked

    by_numba, add = made.compile, made.add_overload

    def add_overload(compiled: Any) -> None:
        """Enter code; linked code cannot be called from Python."""
        if is_linked(compiled):
            made.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add(compiled)

    def once(signature: Any) -> Any:
        """Compile or load; two processes that save at once may leave one the other's code."""
        entry = by_numba(signature)
        if folder is not None and signature not in made.overloads:
            raise OSError("the code is for other types")
        return entry

    def compile_safely(signature: Any) -> Any:
        with global_compiler_lock:
            # 1. Code that is here already: whole code serves everyone, linked code only compiled
            #    callers. For Python it is dropped and compiled as a whole.
            known = made.overloads.get(signature)
            if known is not None:
                if compile_events.within() or not is_linked(known):
                    return by_numba(signature)
                del made.overloads[signature]
            # 2. Locks are always taken in this order: the compiler's, then the file's. A process
            #    that waited for the file finds the other's code in the cache.
            alone = nullcontext() if folder is None else _alone(folder, made)
            with compile_events.timed(), alone, _uninterrupted():
                try:
                    return once(signature)
                except NumbaError:
                    raise
                except Exception:
                    if folder is None:
                        raise
                # 3. Any other error is one of the cache. Its folder is deleted, and one more
                #    attempt compiles again, or finds code that was compiled but not saved.
                shutil.rmtree(folder, ignore_errors=True)
                return once(signature)

    made.compile, made.add_overload = compile_safely, add_overload


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C, and garbage collection, which takes a twelfth of the time of compiling."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with delayed_interrupts():
            yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def _alone(folder: Path, made: Any) -> Iterator[None]:
    """Lock a function against compilation by other processes, if the file system has locks."""
    if _is_compiled(made):
        yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(folder / f"{_name(made.py_func)}.lock", is_singleton=True)
    with suppress(OSError, NotImplementedError):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            compile_events.report(compile_events.begun + 1)
            lock.acquire(timeout=_LOCK_SECONDS)
            compile_events.done()
    try:
        yield
    finally:
        lock.release()


def _package(function: Any) -> str:
    """Return the package of a function; functions from text have none."""
    return str(function.__module__).partition(".")[0]


def _name(function: Any) -> str:
    return cast("str", function.__qualname__).replace("<", "").replace(">", "")


def _is_compiled(made: Any) -> bool:
    """Return True if a function is compiled or cached, at least for some types of arguments."""
    path = made.stats.cache_path
    return bool(made.overloads) or bool(
        path and any(Path(path).glob(f"*.{_name(made.py_func)}-*.nbi"))
    )


class CacheLocator:
    """Numba's protocol for the place of a function's code."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self._code, self._name = file, function.__code__, function.__qualname__
        self._folder = cast("Path", _folder(function.__module__))

    @classmethod
    def from_function(cls, function: Any, file: str) -> CacheLocator:
        """Locate the code of a function."""
        return cls(function, file)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder, before code is saved."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return the stamp of the sources: the digest in the folder's name."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """Return the disambiguator of functions of one name: for closures, their line."""
        return str(self._code.co_firstlineno if "<locals>" in self._name else 0)


def cache_folder() -> Path | None:
    """Return the cache folder of compiled code; None if no folder can be written.

    Its parent is ``NUMBA_CACHE_DIR`` if set, otherwise the user's cache folder.
    """
    import platformdirs

    named = os.environ.get("NUMBA_CACHE_DIR")
    usual = Path(platformdirs.user_cache_dir("hyperoxo", appauthor=False)) / "kernels"
    for folder in [Path(named) / "hyperoxo", usual] if named else [usual]:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


@cache
def _folder(module: str) -> Path | None:
    """Return the cache folder of a module; None without source code or a cache."""
    place = cache_folder()
    if place is None or _code_of(module) is None:
        return None
    folder = place / f"{module}-{_digest(module)}"
    if folder.is_dir():
        with suppress(OSError):
            os.utime(folder)  # it is in use
    else:
        _remove_old(place.glob(f"{module}-*"))
    return folder


def _remove_old(folders: Iterable[Path]) -> None:
    """Remove the folders of earlier sources, except those used last."""
    with suppress(OSError):
        by_use = sorted((path.stat().st_mtime, path) for path in folders)
        for used, path in by_use[:-_KEPT_FOLDERS]:
            if time.time() - used > _FRESH_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _digest(module: str) -> str:
    """Digest the code of a module and of its transitive imports from compiled packages."""
    # Comments, docstrings and line numbers do not count, so that compiled code outlives them. This
    # module counts, but not its own imports.
    import llvmlite
    import numba

    waiting, seen = [module, "hyperoxo.linked"], {module}
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {llvmlite.__version__}".encode())
    while waiting:
        name = waiting.pop()
        plain, imported = _code_of(name) or (b"", frozenset())
        digest.update(plain)
        if name == __name__:
            continue
        compiled = _packages | {"hyperoxo"}
        found = {one for one in imported if one.partition(".")[0] in compiled} - seen
        seen |= found
        waiting += sorted(found)
    return digest.hexdigest()[:20]


@cache
def _code_of(module: str) -> tuple[bytes, frozenset[str]] | None:
    """Return the plain byte code and the imports of a module; None without source code."""
    spec = getattr(sys.modules.get(module), "__spec__", None)
    read = getattr(spec and spec.loader, "get_code", None)
    code = None if read is None else read(module)
    return None if code is None else (repr(_plain_code(code)).encode(), _imported(module, code))


def _imported(module: str, code: CodeType) -> frozenset[str]:
    """Return the modules that the top level of a module imports, other than for type checkers."""
    # Only these decide, and not what else a process has loaded: otherwise two processes that import
    # in different orders would each compile everything.
    there, codes = vars(sys.modules[module]), dis.opmap
    found: set[str] = set()
    constant: Any = None
    names: list[str] = []
    more = 0
    # Two bytes per step; `dis.get_instructions` takes ten times as long, at every start.
    for step, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        at = more << 8 | low
        more = at if step == codes["EXTENDED_ARG"] else 0
        if step == codes["LOAD_CONST"]:
            constant = code.co_consts[at]
        elif step == codes["IMPORT_NAME"]:
            members = constant if isinstance(constant, tuple) else ()
            names = [code.co_names[at], *(f"{code.co_names[at]}.{one}" for one in members)]
        elif step == codes["STORE_NAME"]:
            # Stored are the names that an import has brought, unless it was skipped.
            found.update(names if code.co_names[at] in there else ())
            names = []
    homes = {one.home for one in there.values() if isinstance(one, Kernel) and one.home}
    found.update(importlib.import_module(home).__name__ for home in homes)
    return frozenset(one for one in found if one in sys.modules)


def _plain_code(code: CodeType) -> tuple[object, ...]:
    """Return byte code with its constants and names, but without docstring and line numbers."""
    constants = [
        _plain_code(value)
        if isinstance(value, CodeType)
        else sorted(map(repr, value))
        if isinstance(value, frozenset)
        else value
        for value in code.co_consts
    ]
    # The first constant is the docstring; from Python 3.14 on only where a flag says so.
    documented = sys.version_info < (3, 14) or code.co_flags & _HAS_DOCSTRING
    if "__doc__" in code.co_names or (documented and not code.co_name.startswith("<")):
        del constants[:1]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars
