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
from hyperoxo.board.registry import BoardKind
from hyperoxo.notation.formats import Format
from hyperoxo_research.study import Study

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

pytestmark = pytest.mark.text


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


def methods() -> Iterator[tuple[str, Any]]:
    """Yield every public method and property of a public class, with its name."""
    for name, thing in PUBLIC.items():
        if inspect.isclass(thing):
            for key, value in vars(thing).items():
                plain = inspect.isfunction(value) or isinstance(
                    value, (classmethod, staticmethod, property)
                )
                if plain and not key.startswith("_"):
                    yield f"{name}.{key}", value


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


def function_problem(function: Any) -> str:
    text = inspect.getdoc(function) or ""
    found = sections(text)
    returns = inspect.signature(function).return_annotation
    missing = "" if returns == "None" or "Returns" in found else "there is no section Returns"
    return summary_problem(text) or order_problem(found) or call_problem(function, found) or missing


def class_problem(kind: type) -> str:
    text = inspect.getdoc(kind) or ""
    found = sections(text)
    told = described(found.get("Parameters", "")) | described(found.get("Attributes", ""))
    taken: set[str] = set()
    if dataclasses.is_dataclass(kind):
        taken = {one.name for one in dataclasses.fields(kind) if not one.name.startswith("_")}
    elif not issubclass(kind, Exception) and "__init__" in vars(kind):
        taken = parameters(vars(kind)["__init__"])
    missing = f"not described: {sorted(taken - told)}" if taken - told else ""
    return summary_problem(text) or order_problem(found) or missing


def method_problem(method: Any) -> str:
    function = method.fget if isinstance(method, property) else inspect.unwrap(method)
    function = getattr(function, "__func__", function)
    text = inspect.cleandoc(function.__doc__ or "")
    found = sections(text)
    return summary_problem(text) or order_problem(found) or call_problem(function, found)


def test_public_names_are_documented() -> None:
    classes = {name: one for name, one in PUBLIC.items() if inspect.isclass(one)}
    classes |= {base.__name__: base for base in BASES}
    functions = {name: one for name, one in PUBLIC.items() if inspect.isfunction(one)}
    problems = {
        **{name: function_problem(one) for name, one in functions.items()},
        **{name: class_problem(one) for name, one in classes.items()},
        **{name: method_problem(one) for name, one in methods()},
    }
    assert len(problems) > 100
    assert {name: problem for name, problem in problems.items() if problem} == {}


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
    assert function_problem(undocumented)
    assert method_problem(undocumented)
    assert class_problem(type("Undocumented", (), {}))
