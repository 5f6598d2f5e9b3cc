"""Compiling kernels with Numba: a cache on the disk that can be trusted, Ctrl-C, and clocks.

Numba's own cache asks only whether the file of a function has changed, not those of the functions
it calls; two processes that compile at the same moment may give two signatures one file name; and
Ctrl-C within what LLVM calls back is lost, or ends the process.

A function that other compiled functions call is compiled for them alone, as code to be linked:
without the wrapper that Python calls it by and without machine code, which its callers contain
anyway. If Python calls it too, it is compiled as a whole then. This and the sharper comparison of
options below are a third of the time of compiling.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import event, types
from numba.core.base import BaseContext
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import TargetConfig

from hyperoxo.first_use import news
from hyperoxo.processes import interrupts

_HAS_DOCSTRING = 0x4000000
_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def _stamp(module: str) -> str:
    """Digest of the code of a module and of all that it imports from its package.

    Comments, docstrings and line numbers do not count, so that compiled code outlives them.
    """
    package = module.partition(".")[0] + "."
    waiting, seen = [module], {module}
    digest = hashlib.sha256()
    while waiting:
        parts, names = _code_of(waiting.pop())
        digest.update(parts)
        dotted = {name for name in names if name.startswith(package)}
        members = {f"{room}.{name}" for room in dotted for name in names if "." not in name}
        found = {name for name in dotted | members if name in sys.modules} - seen
        seen |= found
        waiting += sorted(found)
    return digest.hexdigest()


@cache
def _code_of(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Return what a module does, as bytes, and the names in it, those of imports among them."""
    spec = sys.modules[module].__spec__
    loader: Any = spec and spec.loader
    code = loader.get_code(module)
    return repr(_plain_code(code)).encode(), code.co_names


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


class _File(IndexDataCacheFile):
    """Where compiled code is kept; on a full disk it is used all the same.

    A key ends with whether code to be linked is asked for, for which a whole function also does.
    What is read must be for the types asked for: a process that was killed between its two writes,
    or two that wrote without a lock, would leave other code under that name.
    """

    def load(self, key: tuple[Any, bool]) -> Any:
        for one in dict.fromkeys((key, (key[0], False))):
            found = super().load(one)  # type: ignore[no-untyped-call]
            if found is not None and _is_for(found, key[0][0]):
                return found
        return None

    def save(self, key: object, data: object) -> None:
        with suppress(OSError):
            known = self._load_index()  # type: ignore[no-untyped-call]
            names = map(self._data_name, itertools.count(1))
            name = known.get(key) or next(one for one in names if one not in known.values())
            # Code before the line that names it.
            self._save_data(name, data)  # type: ignore[no-untyped-call]
            self._save_index({**known, key: name})  # type: ignore[no-untyped-call]


def _is_for(kept: tuple[Any, ...], signature: object) -> bool:
    """Whether code read from a file is of a function of these types."""
    kinds, _ = normalize_signature(signature)  # type: ignore[no-untyped-call]
    return tuple(kept[3].args) == tuple(kinds)


@cache
def _locks(folder: str) -> int:
    """Open the file whose bytes are locked, one for each function that is compiled."""
    return os.open(Path(folder) / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o666)


def _lock(place: int, byte: int) -> None:
    """Wait until no other process compiles the same function; say so where one does."""
    import fcntl

    try:
        fcntl.lockf(place, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    except (BlockingIOError, PermissionError):
        _said.wait()
        try:
            fcntl.lockf(place, fcntl.LOCK_EX, 1, byte)
        finally:
            _said.end()


@contextmanager
def _alone(folder: str, name: str) -> Iterator[None]:
    """Keep other processes from compiling the same function, where the file system can."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    digest = hashlib.sha256(name.encode()).digest()
    byte = int.from_bytes(digest[:7], "little")
    place = None
    with global_compiler_lock:
        with suppress(OSError):
            place = _locks(folder)
            _lock(place, byte)
        try:
            yield
        finally:
            if place is not None:
                with suppress(OSError):
                    fcntl.lockf(place, fcntl.LOCK_UN, 1, byte)


class _Watch:
    """Adds up the time that this process spends on compiling or on loading compiled code.

    One thread at a time compiles, under a lock; what it compiles on the way counts once.
    """

    def __init__(self) -> None:
        self._spent = 0.0
        self._since: float | None = None
        self._depth = 0

    @property
    def spent(self) -> float:
        since = self._since
        return self._spent + (0.0 if since is None else time.perf_counter() - since)

    def start(self) -> None:
        self._depth += 1
        if self._since is None:
            self._since = time.perf_counter()

    def stop(self) -> None:
        self._depth -= 1
        if not self._depth:
            self._spent, self._since = self.spent, None

    @contextmanager
    def running(self) -> Iterator[None]:
        with global_compiler_lock:
            self.start()
            try:
                yield
            finally:
                self.stop()


_watch = _Watch()


class _Linkable(JITCodeLibrary):
    """Code that compiled functions link, without machine code of its own.

    Each function in it is optimised by itself. What spans several is left to the caller that gets
    machine code, which would do all of it again.
    """

    def _optimize_functions(self, module: Any) -> None:
        codegen: Any = super().codegen
        module.data_layout = codegen._data_layout
        passes, builder = codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Do nothing."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: what a function refers to is set where machine code is."""

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        module = self._get_module_for_linking()  # type: ignore[no-untyped-call]
        return self.name, _LINKABLE, module.as_bitcode()


_LINKABLE = "linkable"


def _linkable(context: Any, name: str) -> Any:
    return _Linkable(context.codegen(), name)  # type: ignore[no-untyped-call]


class _ForCallers(Compiler):
    """Compiles a function for its callers only."""

    def compile_extra(self, function: Any) -> Any:
        state: Any = self.state
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        state.library = _linkable(state.targetctx, function.__qualname__)
        return super().compile_extra(function)  # type: ignore[no-untyped-call]


def _rebuilt(by_numba: Callable[..., Any], context: Any, kept: tuple[Any, ...]) -> Any:
    """Return the result of compiling from what the disk holds."""
    (name, kind, *code), descriptor, env, signature, objectmode, lifted, note, starts, envs = kept
    if kind != _LINKABLE:
        return by_numba(context, kept)
    for start in starts:
        start()
    library = _linkable(context, name)
    library._final_module = llvmlite.binding.parse_bitcode(code[0])
    library._finalize_final_module()
    return compile_result(  # type: ignore[no-untyped-call]
        typing_context=context.typing_context,
        target_context=context,
        library=library,
        environment=env,
        entry_point=context.get_executable(library, descriptor, env),
        fndesc=descriptor,
        type_annotation=note,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=starts,
        referenced_envs=envs,
    )


def _compare_options_quickly() -> None:
    """Let Numba compare options by what is set; it read 28 defaults each of 40000 times."""
    options: Any = TargetConfig
    by_numba = options.__eq__

    def equal(one: Any, other: Any) -> Any:
        if type(one) is not type(other):
            return by_numba(one, other)
        if one._values == other._values:
            return True
        names = one._values.keys() | other._values.keys()
        return all(getattr(one, name) == getattr(other, name) for name in names)

    def digest(one: Any) -> int:
        return hash(type(one))

    options.__eq__, options.__hash__ = equal, digest


def _remember_sizes() -> None:
    """Let Numba ask LLVM once for the size of a type; each time it wrote and read a module."""
    context: Any = BaseContext
    by_numba = context.get_abi_sizeof
    known: dict[object, int] = {}

    def size(self: Any, kind: Any) -> int:
        key = type(self), str(kind)
        if key not in known:
            known[key] = by_numba(self, kind)
        return known[key]

    context.get_abi_sizeof = size


def _number_apart() -> None:
    """Let Numba number the functions it compiles as no other process does.

    The number tells functions of one name apart, such as the lambdas of one function, where code
    is linked. Numba counts from 1 in every process: code that two processes kept held functions of
    the same name and number, of which the linker took one for both.
    """
    numbers: Any = iter(lambda: int.from_bytes(os.urandom(7), "little"), None)
    FunctionIdentity._unique_ids = numbers


_compare_options_quickly()
_remember_sizes()
_number_apart()


class _News(event.Listener):
    """Hears what is compiled that no file holds yet; says so, and takes the time."""

    def __init__(self) -> None:
        self._package = __name__.partition(".")[0] + "."
        self._depth = self._begun = 0
        self._known: set[Any] = set()

    @property
    def within(self) -> bool:
        """Whether a function is being compiled; only the thread with the lock may ask."""
        return self._depth > 0

    def on_start(self, event: Any) -> None:
        _watch.start()
        made = event.data["dispatcher"]
        if not self._depth:
            self._add(made)
        elif str(made.py_func.__module__).startswith("numba.") and "compile" not in vars(made):
            # What Numba itself is written in, such as `np.empty`; Python does not call that.
            _compile_in_peace(made, nullcontext)
            made._compiler.pipeline_class = _ForCallers
        self._depth += 1
        # Functions made from text have no module.
        if str(made.py_func.__module__).startswith(self._package):
            self._begun += 1
            self._tell(self._begun, max(self._begun, len(self._known)))

    def on_end(self, event: Any) -> None:
        _watch.stop()
        self._depth -= 1
        self.end()
        if not self._depth:
            _set_environments(event.data["dispatcher"].overloads.get(tuple(event.data["args"])))

    def wait(self) -> None:
        """Say that another process compiles what is needed next."""
        if news.waits is not None:
            news.waits()

    def end(self) -> None:
        """Say that nothing is compiled any more, unless a caller is."""
        if not self._depth:
            self._tell(0, 0)

    def _tell(self, number: int, known: int) -> None:
        if news.hear is not None:
            news.hear(number, known)

    def _add(self, made: Any) -> None:
        """Add a function and those that it calls, but for what is compiled or kept."""
        waiting = [made]
        while waiting:
            one = waiting.pop()
            if one not in self._known and (one is made or not _is_compiled(one)):
                self._known.add(one)
                names = one.py_func.__globals__
                called = (names.get(name) for name in one.py_func.__code__.co_names)
                waiting += [other for other in called if isinstance(other, Dispatcher)]


def _is_compiled(made: Any) -> bool:
    """Whether a function is compiled, at least for some types of arguments."""
    file = getattr(made._cache, "_cache_file", None)
    return bool(made.overloads) or (file is not None and Path(file._index_path).exists())


_said = _News()
event.register("numba:compile", _said)  # type: ignore[no-untyped-call]


def _set_environments(compiled: Any) -> None:
    """Let machine code find the constants of the functions that it was linked from."""
    if compiled is not None:
        for env in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(env.env_name, env)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Let no garbage be collected: looking for it took up to a tenth of the time of compiling."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def working_time() -> float:
    """Return seconds of a clock that stands still while something is compiled.

    Time limits are measured by it, so that the first search on a machine does as much as any other.
    """
    # A compilation that ends between the two readings would set the clock back.
    spent = _watch.spent
    return time.perf_counter() - spent


def njit(**options: Any) -> Callable[[_Function], _Function]:
    """Compile a function like `numba.njit`, with a cache for several processes.

    Constants in calls from other kernels have the type of any other value, and integers of less
    than 64 bits have 64. Numba would compile the function again for each of them. Nobody calls
    kernels from C; the wrappers for that took a fifth of the time of compiling.
    """
    options["no_cfunc_wrapper"] = True
    # Otherwise a function has references counted or not as the first of its callers has.
    options.setdefault("_nrt", True)

    def compiled(function: _Function) -> _Function:
        made: Any = numba.njit(**options)(function)
        # Where compiling is switched off the function is what it was.
        if isinstance(made, Dispatcher):
            _compile_in_peace(made, _share(made))
            _forget_constants(made)
        return cast("_Function", made)

    return compiled


def _share(made: Any) -> Callable[[], AbstractContextManager[None]]:
    """Let other processes use the compiled code; return the lock that makes them wait for it."""
    kept = made._cache
    # Without `cache=True`, or a place on the disk, there are no files.
    if getattr(kept, "_cache_file", None) is None:
        return nullcontext
    folder, name = kept._cache_path, kept._impl.filename_base
    if "locals" not in name:
        # The line on which a function begins is no part of what it does.
        name = re.sub(r"-\d+(?=\.)", "", name)
        kept._impl._filename_base = name
    file: Any = _File
    kept._cache_file = file(folder, name, _stamp(made.py_func.__module__))
    by_numba = kept._index_key
    kept._index_key = lambda *given: (
        by_numba(*given),
        made._compiler.pipeline_class is _ForCallers,
    )
    kept._impl.rebuild = partial(_rebuilt, kept._impl.rebuild)
    return partial(_alone, folder, name)


def _compile_in_peace(made: Any, alone: Callable[[], AbstractContextManager[None]]) -> None:
    by_numba, add, compiler = made.compile, made.add_overload, made._compiler
    whole = compiler.pipeline_class

    def compile_once(signature: object) -> object:
        kinds, _ = normalize_signature(signature)  # type: ignore[no-untyped-call]
        with _watch.running():
            known = made.overloads.get(tuple(kinds))
            if known is not None:
                if _said.within or not isinstance(known.library, _Linkable):
                    return known.entry_point
                del made.overloads[tuple(kinds)]
            before = compiler.pipeline_class
            compiler.pipeline_class = _ForCallers if _said.within else whole
            try:
                with interrupts.held(), alone(), _garbage_kept():
                    return by_numba(signature)
            finally:
                compiler.pipeline_class = before

    def add_overload(compiled: Any) -> None:
        if isinstance(compiled.library, _Linkable):
            made.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add(compiled)

    made.compile, made.add_overload = compile_once, add_overload


def _forget_constants(made: Any) -> None:
    by_kinds = made.get_call_template

    def by_plain_kinds(args: Iterable[Any], named: dict[str, Any]) -> object:
        return by_kinds(
            tuple(_plain(kind) for kind in args),
            {name: _plain(kind) for name, kind in named.items()},
        )

    made.get_call_template = by_plain_kinds


def _plain(kind: object) -> object:
    """Return the type of a constant without its value, a wide one for a narrow integer."""
    plain: Any = types.unliteral(kind)  # type: ignore[no-untyped-call]
    integer = isinstance(plain, types.Integer)
    return types.int64 if integer and plain.bitwidth < 64 else plain
