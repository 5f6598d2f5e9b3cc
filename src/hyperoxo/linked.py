"""Link-only code: functions compiled for their compiled callers, as LLVM bitcode.

Numba makes machine code, and a wrapper for Python, of each callee that it compiles, although the
caller contains the whole of it once more: a fourth of the time of a first start. Here a callee is
kept as bitcode after its own passes; interprocedural passes are left to the caller. If Python
calls the function too, it is compiled as a whole then.

This uses insides of Numba: how a code library is finished and saved, how a dispatcher enters an
overload, and the environments (constants) of linked functions. Tests compile
functions both ways, in several processes; a Numba that does these things otherwise fails them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

_LINKED = "linked"


class LinkedLibrary(JITCodeLibrary):
    """Code library without machine code; also its own code generator, as far as Numba needs one."""

    def _optimize_final_module(self) -> None:
        """Do nothing: the caller optimises all of it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> Any:
        """The library itself, which sets no constants."""
        return self

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: constants are set in the library of the caller."""

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the data for a cache."""
        module = self._get_module_for_linking()  # type: ignore[no-untyped-call]
        return self.name, _LINKED, module.as_bitcode()


def install(is_nested: Callable[[], bool]) -> None:
    """Create linked libraries while `is_nested` returns True."""
    codegen: Any = cpu_target.target_context.codegen()
    create, read = codegen.create_library, codegen.unserialize_library

    def create_library(name: str, **options: Any) -> Any:
        return LinkedLibrary(codegen, name) if is_nested() else create(name, **options)  # type: ignore[no-untyped-call]

    def unserialize_library(stored: Any) -> Any:
        name, kind, code = stored
        # Numba's reader calls `create_library`, which must be the original one then: whole code may
        # be loaded for a nested function too.
        if kind != _LINKED:
            codegen.create_library = create
            try:
                return read(stored)
            finally:
                codegen.create_library = create_library
        library: Any = LinkedLibrary(codegen, name)  # type: ignore[no-untyped-call]
        library._final_module = llvmlite.binding.parse_bitcode(code)
        library._finalize_final_module()
        return library

    codegen.create_library, codegen.unserialize_library = create_library, unserialize_library


def is_linked(compiled: Any) -> bool:
    """Return True if an overload has no machine code."""
    return isinstance(compiled.library, LinkedLibrary)


def set_constants(compiled: Any) -> None:
    """Set the environments (constants) of linked functions in machine code."""
    for env in compiled._find_referenced_environments():
        compiled.library.codegen.set_env(env.env_name, env)


class KernelCache(FunctionCache):
    """Cache of whole or linked code; compiled callers can use either."""

    def __init__(self, function: Callable[..., Any], is_within: Callable[[], bool]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._is_within = is_within

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        # For calls from Python the whole code is compiled and replaces the linked one.
        alone = found is not None and is_linked(found) and not self._is_within()
        return None if alone else found
