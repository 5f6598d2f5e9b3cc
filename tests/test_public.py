"""The public names: sorted, complete, and each loaded only when used."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import hyperoxo
from tests.processes import python

pytestmark = pytest.mark.text


def test_the_list_is_sorted_and_has_no_double() -> None:
    assert list(hyperoxo.__all__) == sorted(set(hyperoxo.__all__))


def test_what_a_prompt_completes_is_public() -> None:
    hyperoxo.Game("3^2")
    assert [name for name in dir(hyperoxo) if name[:2] != "__"] == [
        name for name in hyperoxo.__all__ if name[:2] != "__"
    ]


def test_every_public_name_resolves() -> None:
    listed = dir(hyperoxo)
    wrong = [
        name
        for name in hyperoxo.__all__
        if getattr(hyperoxo, name, None) is None or name not in listed
    ]
    assert wrong == []


STUB = ast.parse(Path(hyperoxo.__file__).with_suffix(".pyi").read_text("utf-8"))
HOMES = hyperoxo._added() | {
    alias.name: f"hyperoxo.{node.module}"
    for node in STUB.body
    if isinstance(node, ast.ImportFrom) and node.level
    for alias in node.names
}


def test_every_name_is_public_at_home() -> None:
    wrong = []
    for name, home in sorted(HOMES.items()):
        module = importlib.import_module(home)
        if name not in module.__all__ or getattr(hyperoxo, name) is not getattr(module, name):
            wrong.append(f"{home}.{name}")
    assert wrong == []


def test_a_function_and_its_room_bear_two_names() -> None:
    assert importlib.import_module("hyperoxo.solvers").solve is hyperoxo.solve
    assert hyperoxo.solve("2^2").value == "win"


def test_the_list_is_that_of_the_stub_and_of_extensions() -> None:
    assert {*HOMES, "__version__"} == {*hyperoxo.__all__}


def test_a_star_imports_every_name() -> None:
    names: dict[str, object] = {}
    exec("from hyperoxo import *", names)
    assert names.keys() >= {*hyperoxo.__all__}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = hyperoxo.chess


def test_importing_the_package_imports_nothing_heavy() -> None:
    probe = "import sys, hyperoxo; sys.exit(any(m in sys.modules for m in ('numpy', 'numba')))"
    assert python("-c", probe).returncode == 0
