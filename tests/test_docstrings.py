"""Public names and base classes of extensions are documented in full, in the form of numpydoc."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import hyperoxo
from hyperoxo.agents import Explanation, Seat
from hyperoxo.board.kinds import BoardKind
from hyperoxo.lab.study import Study
from hyperoxo.notation.formats import Format

PUBLIC = {name: getattr(hyperoxo, name) for name in hyperoxo.__all__ if name != "__version__"}
ORDER = [
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Notes",
    "References",
    "Examples",
]
BASES = [BoardKind, Explanation, Format, Seat, Study]


def sections(text: str) -> dict[str, str]:
    """Split a docstring into its head, under '', and its sections."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def described(section: str) -> set[str]:
    """Name what a section describes: ``a, b : type``."""
    found = re.findall(r"^(\*{0,2}\w[^:\n]*?)(?: :.*)?$", section, re.MULTILINE)
    return {name.strip("* ") for line in found for name in line.split(",")}


def parameters(function: Any) -> set[str]:
    signature = inspect.signature(function)
    return {name for name in signature.parameters if name not in ("self", "cls")}


def methods() -> Iterator[Any]:
    """Yield every public method and property of a public class, with how it is called."""
    for name, thing in PUBLIC.items():
        if inspect.isclass(thing):
            for key, value in vars(thing).items():
                plain = inspect.isfunction(value) or isinstance(
                    value, (classmethod, staticmethod, property)
                )
                if plain and not key.startswith("_"):
                    yield pytest.param(value, id=f"{name}.{key}")


def summary_problem(text: str) -> str:
    first = text.partition("\n\n")[0]
    if not first:
        return "there is no docstring"
    if "\n" in first or not first.endswith("."):
        return "the summary is no sentence on one line"
    return ""


def order_problem(found: dict[str, str]) -> str:
    names = [name for name in found if name]
    if not {*names} <= {*ORDER}:
        return f"unknown sections: {sorted({*names} - {*ORDER})}"
    return "" if names == sorted(names, key=ORDER.index) else f"sections are not in order: {names}"


def call_problem(function: Any, found: dict[str, str]) -> str:
    """Say what is missing of the parameters and of what is returned."""
    taken = parameters(function)
    if taken and described(found.get("Parameters", "")) != taken:
        return f"parameters are {sorted(taken)}"
    returns = inspect.signature(function).return_annotation
    if taken and returns != "None" and "Returns" not in found:
        return "there is no section Returns"
    return ""


@pytest.mark.parametrize("name", [name for name, one in PUBLIC.items() if inspect.isfunction(one)])
def test_functions(name: str) -> None:
    text = inspect.getdoc(PUBLIC[name]) or ""
    found = sections(text)
    assert summary_problem(text) == order_problem(found) == call_problem(PUBLIC[name], found) == ""
    if inspect.signature(PUBLIC[name]).return_annotation != "None":
        assert "Returns" in found


@pytest.mark.parametrize("kind", [*filter(inspect.isclass, PUBLIC.values()), *BASES])
def test_classes(kind: type) -> None:
    text = inspect.getdoc(kind) or ""
    found = sections(text)
    assert summary_problem(text) == order_problem(found) == ""
    told = described(found.get("Parameters", "")) | described(found.get("Attributes", ""))
    if dataclasses.is_dataclass(kind):
        fields = {one.name for one in dataclasses.fields(kind) if not one.name.startswith("_")}
        assert fields - told == set()
    elif not issubclass(kind, Exception) and "__init__" in vars(kind):
        assert parameters(vars(kind)["__init__"]) - told == set()


@pytest.mark.parametrize("method", [*methods()])
def test_methods(method: Any) -> None:
    function = method.fget if isinstance(method, property) else inspect.unwrap(method)
    function = getattr(function, "__func__", function)
    text = inspect.cleandoc(function.__doc__ or "")
    found = sections(text)
    assert summary_problem(text) == order_problem(found) == call_problem(function, found) == ""


def test_these_checks_can_fail() -> None:
    def undocumented(cells: int) -> int:
        return cells

    assert summary_problem("")
    assert summary_problem("No stop")
    assert order_problem({"": "", "Returns": "", "Parameters": ""})
    assert call_problem(undocumented, {"": ""})
    assert call_problem(undocumented, {"Parameters": "cell : int\n    A cell.\n"})
    assert not call_problem(
        undocumented, {"Parameters": "cells : int\n    Cells.", "Returns": "int"}
    )
