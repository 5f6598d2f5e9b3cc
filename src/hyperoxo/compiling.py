"""Compiling kernels with Numba: less work, news of it, and a clock that leaves it out.

Where the code is kept, and how Ctrl-C waits, is the business of `kept_code`.

A function that other compiled functions call is compiled for them alone, as code to be linked:
without the wrapper that Python calls it by and without machine code, which its callers contain
anyway. If Python calls it too, it is compiled as a whole then. This and the sharper comparison of
options below are a third of the time of compiling.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import event, types
from numba.core.base import BaseContext
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import TargetConfig

from hyperoxo.errors import CheckFailedError
from hyperoxo.first_use import news
from hyperoxo.kept_code import KeptCode, keep
from hyperoxo.processes import interrupts

_Function = TypeVar("_Function", bound=Callable[..., Any])


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
    cached = options.pop("cache", False)
    options["no_cfunc_wrapper"] = True
    # Otherwise a function has references counted or not as the first of its callers has.
    options.setdefault("_nrt", True)

    def compiled(function: _Function) -> _Function:
        made: Any = numba.njit(**options)(function)
        if not isinstance(made, Dispatcher):
            return cast("_Function", _refuse)
        _compile_in_peace(made, _keep(made) if cached else nullcontext)
        _forget_constants(made)
        return cast("_Function", made)

    return compiled


def check_compiling() -> None:
    """Refuse to begin where compiling is switched off."""
    settings: Any = numba.config
    if settings.DISABLE_JIT:
        _refuse()


def _refuse(*_: object, **__: object) -> NoReturn:
    """Stand in for a kernel where compiling is switched off: sums of 64 bits would not wrap."""
    raise CheckFailedError("this needs compiled code; unset NUMBA_DISABLE_JIT")


class _LinkableCode(KeptCode):
    """Keeps code for callers as well.

    A key ends with whether code to be linked is asked for, for which a whole function also does.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.for_callers: Callable[[], bool] = bool
        self._impl.rebuild = partial(_rebuilt, self._impl.rebuild)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, bool]:
        key = super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]
        return key, self.for_callers()

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None and self.for_callers():
            asked, self.for_callers = self.for_callers, bool
            try:
                found = super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            finally:
                self.for_callers = asked
        return found


def _keep(made: Any) -> Callable[[], AbstractContextManager[None]]:
    """Let other processes use the compiled code; return the lock that makes them wait for it."""
    alone = keep(made, _LinkableCode)
    if isinstance(made._cache, _LinkableCode):
        made._cache.for_callers = lambda: made._compiler.pipeline_class is _ForCallers
    return alone


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
