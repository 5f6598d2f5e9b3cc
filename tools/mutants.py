#!/usr/bin/env python3
"""Change one thing at a time in what proofs rest on, and see that a test fails.

Usage: tools/mutants.py [--jobs N] [--seconds S] [--fresh] [--check] [MODULE ...]

A *mutant* is a module with one change: a comparison or a condition turned, an operand, a
statement or a filter left out, a number one more or one less. A mutant that all tests pass
*survives*: either a test is missing, or the change is none that matters. Those are listed with
the reason in tests/hyperoxo/proof/survivors.toml; any other one ends this command with 1, and is
printed in the form of that file. Mutants killed once are remembered in build/mutants.jsonl until
their module changes (--fresh forgets them), so that a run may be interrupted and continued. With
--seconds, only the quickest tests are run, as many as fit: what survives these is killed by a run
without, or not.
--check runs nothing and looks whether the list still fits the modules.

Each mutant runs in a fork of a process that has collected the tests and run them once, and gets
the changed code of its functions there. It meets the tests that run the changed statement; what
killed many in little time is tried first. Compiled loops run as plain Python, so that nothing is
compiled for a mutant.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import hashlib
import importlib
import json
import math
import os
import resource
import sys
import time
import tomllib
import types
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/hyperoxo/proof/survivors.toml"
KNOWN = ROOT / "build" / "mutants.jsonl"

# Modules, and the tests that concern them; the first tests are run first.
_DICTIONARIES = (
    *(
        "tests/hyperoxo/proof/test_claim.py",
        "tests/hyperoxo/proof/test_registry.py",
        "tests/hyperoxo/proof/test_openings.py",
    ),
    *("tests/hyperoxo/proof/test_dictionary.py", "tests/hyperoxo/proof/test_dictionary_file.py"),
    "tests/hyperoxo/proof/test_mutants.py",
)
_BOARDS = (
    "tests/hyperoxo_research/proof/test_board_conditions.py",
    "tests/hyperoxo_research/proof/test_boards.py",
    *("tests/hyperoxo/proof/test_registry.py", "tests/hyperoxo/proof/test_mutants.py"),
)
CONCERNS: dict[str, tuple[str, ...]] = {
    "hyperoxo.proof.claim": (
        *("tests/hyperoxo/proof/test_claim.py", "tests/hyperoxo/proof/test_registry.py"),
        *("tests/hyperoxo/proof/test_checker.py", "tests/hyperoxo/proof/test_file.py"),
    ),
    "hyperoxo.proof.strategy": (
        *(
            "tests/hyperoxo/proof/test_claim.py",
            "tests/hyperoxo/proof/test_checker.py",
            "tests/hyperoxo/proof/test_file.py",
        ),
        *(
            "tests/hyperoxo/proof/test_mutants.py",
            "tests/hyperoxo/proof/test_openings.py",
            "tests/hyperoxo/proof/test_registry.py",
        ),
        "tests/hyperoxo/proof/test_endgames.py",
    ),
    "hyperoxo.proof.coalition": (
        *("tests/hyperoxo/proof/test_claim.py", "tests/hyperoxo/proof/test_closing.py"),
        *("tests/hyperoxo/proof/test_registry.py", "tests/hyperoxo/proof/test_coalition.py"),
        "tests/hyperoxo/proof/test_mutants.py",
    ),
    "hyperoxo.proof.answers": (
        "tests/hyperoxo/proof/test_claim.py",
        "tests/hyperoxo/proof/test_answers.py",
        "tests/hyperoxo/proof/test_openings.py",
    ),
    "hyperoxo.proof.canonical": (
        "tests/hyperoxo/proof/test_canonical.py",
        "tests/hyperoxo/proof/test_checker.py",
    ),
    "hyperoxo.proof.images": ("tests/hyperoxo/proof/test_canonical.py",),
    "hyperoxo.proof.tables": (
        "tests/hyperoxo/proof/test_tables.py",
        "tests/hyperoxo/proof/test_loops.py",
    ),
    "hyperoxo.proof.forced": (
        "tests/hyperoxo/proof/test_tables.py",
        "tests/hyperoxo/proof/test_forced.py",
        "tests/hyperoxo/proof/test_dictionary.py",
    ),
    "hyperoxo.proof.forced_loops": ("tests/hyperoxo/proof/test_loops.py",),
    "hyperoxo.proof.dictionary": _DICTIONARIES,
    "hyperoxo.proof.dictionary_walk": ("tests/hyperoxo/proof/test_tables.py", *_DICTIONARIES),
    "hyperoxo.proof.dictionary_check": _DICTIONARIES,
    "hyperoxo.proof.dictionary_loops": ("tests/hyperoxo/proof/test_loops.py",),
    "hyperoxo.proof.dictionary_file": (
        "tests/hyperoxo/proof/test_dictionary_file.py",
        "tests/hyperoxo/proof/test_mutants.py",
    ),
    "hyperoxo.proof.endgames": ("tests/hyperoxo/proof/test_endgames.py",),
    "hyperoxo.proof.endgame_loops": ("tests/hyperoxo/proof/test_endgames.py",),
    "hyperoxo.proof.envelope": (
        *("tests/hyperoxo/proof/test_envelope.py", "tests/hyperoxo/proof/test_file.py"),
        *("tests/hyperoxo/proof/test_mutants.py", "tests/hyperoxo/proof/test_dictionary_file.py"),
    ),
    "hyperoxo.proof.registry": (
        "tests/hyperoxo/proof/test_registry.py",
        "tests/hyperoxo/proof/test_file.py",
    ),
    "hyperoxo_research.proof.table_bound": (
        "tests/hyperoxo_research/proof/test_table_bound.py",
        "tests/hyperoxo/proof/test_registry.py",
    ),
    "hyperoxo.proof.thompson": ("tests/hyperoxo/proof/test_thompson.py",),
    "hyperoxo.proof.coverage": ("tests/hyperoxo/proof/test_coverage_exact.py",),
    "hyperoxo.proof.zones": (
        *(
            "tests/hyperoxo/proof/test_zone_lines.py",
            "tests/hyperoxo/proof/test_zone_conditions.py",
            "tests/hyperoxo/proof/test_zones.py",
        ),
        *("tests/hyperoxo/proof/test_claim.py", "tests/hyperoxo/proof/test_registry.py"),
    ),
    **{
        f"hyperoxo_research.proof.keyplan.{module}": tuple(
            f"tests/hyperoxo_research/proof/keyplan/test_{name}.py" for name in names.split()
        )
        for module, names in {
            "plan": "plan check",
            "file": "plan check",
            "board": "plan states blocks",
            "states": "states by_counts examine",
            "matching": "matching by_counts",
            "pairs": "pairs by_counts",
            "blocks": "blocks stones",
            "stones": "stones by_counts examine",
            "examine": "by_counts examine",
            "check": "plan check examine blocks states",
        }.items()
    },
    "hyperoxo_research.proof.region": _BOARDS,
    "hyperoxo_research.proof.rup": _BOARDS,
    "hyperoxo_research.proof.no_draw": _BOARDS,
    "hyperoxo_research.proof.no_pairing": _BOARDS,
    "hyperoxo_research.proof.filling": _BOARDS,
    "hyperoxo_research.proof.filling_cases": (
        "tests/hyperoxo_research/proof/test_filling_cases.py",
    ),
    "hyperoxo_research.proof.full_board": _BOARDS,
    "hyperoxo_research.proof.cubes": _BOARDS,
    "hyperoxo.solvers.theorems": ("tests/hyperoxo/solvers/test_theorems.py",),
    "hyperoxo_research.sources": ("tests/hyperoxo_research/test_sources.py",),
    "hyperoxo_research.draws.regions": ("tests/hyperoxo_research/draws/test_regions.py",),
    "hyperoxo.solvers.draws.potentials": ("tests/hyperoxo/solvers/draws/test_potentials.py",),
}
# Compiled, so that their mutants run as plain Python.
LOOPS = (
    *("hyperoxo.proof.images", "hyperoxo.proof.tables", "hyperoxo.proof.forced_loops"),
    *("hyperoxo.proof.dictionary_loops", "hyperoxo.proof.endgame_loops"),
    *(
        f"hyperoxo_research.proof.keyplan.{one}"
        for one in ("blocks", "examine", "matching", "pairs", "states", "stones")
    ),
)
# Functions with caches that a mutant may fill.
CACHED = ("hyperoxo.proof", "hyperoxo.solvers", "hyperoxo_research", "tests")
# Modules of tests whose caches hold what is true by the rules alone.
TRUTHS = ("brute", "dictionaries", "small_games", "keyplan.cases")
# What keeps its name in a changed module; functions get the changed code.
_FUNCTIONS = (type, types.ModuleType, types.FunctionType, functools._lru_cache_wrapper)
# The statements of the module that a test runs.
REACHED: set[int] = set()

_COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}
# Types and words are none of what proofs rest on.
_UNTOUCHED = ("annotation", "returns", "decorator_list", "msg", "format_spec")


class Mutant(NamedTuple):
    """One change, and where the tree holds what is changed."""

    function: str
    change: str
    parent: ast.AST
    field: str
    index: int | None
    new: ast.AST

    def apply(self) -> None:
        """Change the tree."""
        if self.index is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.index] = self.new
        ast.fix_missing_locations(self.parent)


def path_of(module: str) -> Path:
    """Return the file of a module."""
    return ROOT / "src" / (module.replace(".", "/") + ".py")


def mutants_of(tree: ast.Module) -> list[Mutant]:
    """Return all mutants of a module; equal changes in a function are numbered."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for mutant in _below(tree, "", boolean=False):
        key = mutant.function, mutant.change
        counts[key] += 1
        number = f" #{counts[key]}" if counts[key] > 1 else ""
        found.append(mutant._replace(change=mutant.change + number))
    return found


def _below(node: ast.AST, function: str, *, boolean: bool) -> Iterator[Mutant]:
    for field, value in ast.iter_fields(node):
        if field in _UNTOUCHED:
            continue
        for at, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _spared(child):
                continue
            name, truth = function, boolean
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{function}.{child.name}".lstrip(".")
                returns = getattr(child, "returns", None)
                truth = isinstance(returns, ast.Name) and returns.id == "bool"
            index = at if isinstance(value, list) else None
            for new in _changes(child, node, boolean=boolean):
                change = _told(node, field, index, child, new)
                yield Mutant(function, change, node, field, index, new)
            if not isinstance(child, ast.Raise):
                yield from _below(child, name, boolean=truth)


def _spared(node: ast.AST) -> bool:
    """True if a node says nothing that a proof rests on: imports, words, names, assertions."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Assert):
        return True
    if _is_text(node):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _changes(node: ast.AST, parent: ast.AST, *, boolean: bool) -> Iterator[ast.AST]:
    """Yield what a node may be changed into."""
    if isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test:
        yield ast.Constant(False)
        if not isinstance(parent, ast.While):
            yield ast.Constant(True)
    if isinstance(parent, ast.comprehension) and node in parent.ifs:
        yield ast.Constant(True)
    if isinstance(node, ast.expr):
        yield from _expressions(node, parent)
    elif isinstance(node, ast.For):
        yield ast.For(node.target, ast.Tuple([], ast.Load()), node.body, node.orelse)
    elif isinstance(node, ast.Return) and node.value is not None and boolean:
        yield ast.Return(ast.UnaryOp(ast.Not(), node.value))
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Raise | ast.Continue | ast.Break) or (
        isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple)
    ):
        yield ast.Pass()


def _expressions(node: ast.expr, parent: ast.AST) -> Iterator[ast.AST]:
    """Yield what an expression may be changed into."""
    if isinstance(node, ast.Compare):
        for at, old in enumerate(node.ops):
            # Turned, a condition is one of those that are always or never true.
            if isinstance(parent, ast.If | ast.While | ast.IfExp) and not isinstance(old, _ORDERS):
                continue
            ops = [*node.ops[:at], _COMPARISONS[type(old)](), *node.ops[at + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            left = [*node.values[:at], *node.values[at + 1 :]]
            yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Name) and node.id in _NAMES:
        yield ast.Name(_NAMES[node.id], node.ctx)


def _told(parent: ast.AST, field: str, index: int | None, old: ast.AST, new: ast.AST) -> str:
    """Spell a change, numbers and names with the expression that contains them."""
    if isinstance(new, ast.For):
        return f"for {ast.unparse(new.target)} in {ast.unparse(old.iter)} → in ()"  # type: ignore[attr-defined]
    if isinstance(old, ast.stmt):
        return f"{ast.unparse(old)} → {ast.unparse(new)}"
    if field == "test" or isinstance(parent, ast.comprehension):
        return f"if {ast.unparse(old)} → {ast.unparse(new)}"
    if not isinstance(parent, ast.expr) or isinstance(old, ast.Compare | ast.BoolOp | ast.BinOp):
        return f"{ast.unparse(old)} → {ast.unparse(new)}"
    before = ast.unparse(parent)
    mutant = Mutant("", "", parent, field, index, new)
    mutant.apply()
    after = ast.unparse(parent)
    mutant._replace(new=old).apply()
    return f"{before} → {after}"


class Listed(NamedTuple):
    """Entries of the list of survivors for a module."""

    changes: set[tuple[str, str]]
    functions: set[str]

    def has(self, mutant: Mutant) -> bool:
        """True if a mutant need not be killed."""
        names = mutant.function.split(".")
        parts = {".".join(names[: end + 1]) for end in range(len(names))}
        return (mutant.function, mutant.change) in self.changes or bool(parts & self.functions)


def listed(module: str) -> Listed:
    """Read the list of survivors."""
    found = Listed(set(), set())
    for row in tomllib.loads(LIST.read_text(encoding="utf-8")).get("survivor", []):
        if row["module"] == module and "change" in row:
            found.changes.add((row.get("function", ""), row["change"]))
        elif row["module"] == module:
            found.functions.add(row["function"])
    return found


def check() -> list[str]:
    """Return what of the list fits no mutant."""
    wrong, known = [], dict[str, list[Mutant]]()
    for row in tomllib.loads(LIST.read_text(encoding="utf-8")).get("survivor", []):
        function, path = row.get("function", ""), path_of(row["module"])
        if row["module"] not in known:
            known[row["module"]] = mutants_of(ast.parse(path.read_text(encoding="utf-8")))
        changes = {one.change for one in known[row["module"]] if one.function == function}
        if not changes or row.get("change", min(changes)) not in changes or not row.get("why"):
            wrong.append(f"{row['module']} {function}: {row.get('change', 'no such function')}")
    return wrong


def functions_of(names: dict[str, Any], module: str) -> dict[str, types.FunctionType]:
    """Return the functions that a module defines, by their qualified names."""
    found, waiting = dict[str, types.FunctionType](), list(names.values())
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and one.__module__ == module:
            waiting += vars(one).values()
        for inner in ("__wrapped__", "__func__", "fget", "func"):
            if not isinstance(one, types.FunctionType) and inner in dir(one):
                one = getattr(one, inner)
        if isinstance(one, types.FunctionType) and one.__module__ == module:
            found[one.__qualname__] = one
    return found


def change_module(name: str, tree: ast.Module) -> None:
    """Give the functions and constants of an imported module what a changed tree says."""
    module = sys.modules[name]
    fresh: dict[str, Any] = {
        "__name__": name,
        "__package__": module.__package__,
        "__file__": module.__file__,
    }
    fresh["REACHED"] = vars(module)["REACHED"] = REACHED  # type: ignore[assignment]
    old = functions_of(vars(module), name)
    for statement in tree.body:
        code = ast.Module([statement], [])
        flags = annotations.compiler_flag
        exec(compile(code, str(module.__file__), "exec", flags, dont_inherit=True), fresh)  # noqa: S102
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for spelled, function in functions_of({"": fresh[statement.name]}, name).items():
                kept = old[spelled]
                kept.__code__ = function.__code__
                kept.__defaults__, kept.__kwdefaults__ = (
                    function.__defaults__,
                    function.__kwdefaults__,
                )
            # Constants that follow are made of the classes and functions that others have.
            fresh[statement.name] = vars(module)[statement.name]
    ours = [one for key, one in sys.modules.items() if key.startswith(("hyperoxo", "tests"))]
    for key, value in fresh.items():
        before = vars(module).get(key)
        if not key.startswith("__") and not isinstance(value, _FUNCTIONS) and value is not before:
            for one in ours:
                if vars(one).get(key) is before:
                    setattr(one, key, value)


def stamp_of(tree: ast.Module) -> str:
    """Return what changes with a module's code, and not with its words."""
    bare = copy.deepcopy(tree)
    for node in ast.walk(bare):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
    return hashlib.sha256(ast.dump(bare).encode()).hexdigest()[:16]


def _is_text(node: ast.AST) -> bool:
    """True if a statement is only a string, as docstrings are."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def noting(tree: ast.Module) -> ast.Module:
    """Return a module whose functions note in `REACHED` which statements they run."""
    tree = copy.deepcopy(tree)
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in {id(inner): inner for body in bodies for inner in ast.walk(body)}.values():
        for name in ("body", "orelse", "finalbody"):
            if isinstance(statements := getattr(node, name, None), list):
                noted = [
                    (ast.parse(f"REACHED.add({one.lineno})").body[0], one) for one in statements
                ]
                setattr(node, name, [one for pair in noted for one in pair])
    return ast.fix_missing_locations(tree)


def forget() -> None:
    """Empty the caches of what is tested, and of tests, but for those of truths."""
    for name, module in list(sys.modules.items()):
        if name.startswith(CACHED) and not name.endswith(TRUTHS):
            for one in vars(module).values():
                if isinstance(one, functools._lru_cache_wrapper):
                    one.cache_clear()


class Nursery:
    """A plugin of pytest that runs the collected tests in a fork for each mutant of a module."""

    def __init__(self, module: str, given: argparse.Namespace, known: dict[str, str]) -> None:
        self.module, self.jobs, self.budget, self.known = module, given.jobs, given.seconds, known
        self.path = path_of(module)
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.stamp = stamp_of(self.tree)
        self.survived: list[Mutant] = []
        self.items: list[Any] = []
        self.seconds: dict[str, float] = {}
        self.reached: dict[str, set[int]] = {}
        self.killed: Counter[str] = Counter()
        self.running: dict[int, tuple[int, int]] = {}
        self.failed = ""
        self.used = 0.0

    def pytest_configure(self) -> None:
        """Draw the same examples each time, and do not shrink them."""
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutants", deadline=None, derandomize=True, database=None, max_examples=30,
            phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests as they are, then for each mutant that is not known to be killed."""
        self.items = list(session.items)
        begin = time.process_time()
        change_module(self.module, noting(self.tree))
        if session.testsfailed or not self.items or self.run_tests(self.items):
            say(f"{self.module}: {self.failed or 'a test'} fails without any change")
            sys.exit(1)
        change_module(self.module, self.tree)
        self.used = time.process_time() - begin
        mutants, spared = mutants_of(self.tree), listed(self.module)
        todo = [one for one in mutants if not spared.has(one) and self.key(one) not in self.known]
        waiting = iter(enumerate(todo))
        for done in range(1, len(todo) + 1):
            while len(self.running) < self.jobs and (following := next(waiting, None)) is not None:
                self.start(*following)
            self.wait(todo)
            if not done % 10 or done == len(todo):
                survived = f"{len(self.survived)} survive"
                say(f"{self.module}: {done} of {len(todo)} mutants, {survived}")
        say(f"{self.module}: {len(mutants)} mutants in all, {self.used:.1f} s of tests")
        return True

    def run_tests(self, items: list[Any]) -> str:
        """Run tests until one fails; first what killed many mutants in little time."""
        self.failed = ""
        first = not self.seconds
        left = math.inf if first else self.budget
        order = {
            item.nodeid: self.seconds.get(item.nodeid, 0.0) / (1 + self.killed[item.nodeid])
            for item in items
        }
        for item in sorted(items, key=lambda item: order[item.nodeid]):
            left -= self.seconds.get(item.nodeid, 0.0)
            if first:
                forget()
                REACHED.clear()
            if left >= 0:
                begin = time.process_time()
                if not first:
                    self.limit(begin + 3 + 3 * self.seconds[item.nodeid])
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if first:
                    self.seconds[item.nodeid] = time.process_time() - begin
            if first:
                self.reached[item.nodeid] = set(REACHED)
            if self.failed:
                break
        return self.failed

    @staticmethod
    def limit(seconds: float) -> None:
        """End a mutant that never ends by the processor's clock, which no load slows down."""
        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, most))

    def tests_of(self, mutant: Mutant) -> list[Any]:
        """Return the tests that run the statement of a change, or, outside functions, all."""
        held = getattr(mutant.parent, mutant.field)
        line = getattr(held if mutant.index is None else held[mutant.index], "lineno", 0)
        around = [
            node.lineno
            for node in ast.walk(self.tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        reached = {max(around, default=0)}
        return [item for item in self.items if reached & self.reached[item.nodeid]] or self.items

    def key(self, mutant: Mutant) -> str:
        """Return what a killed mutant is remembered by."""
        return f"{self.stamp} {mutant.function} {mutant.change}"

    def start(self, number: int, mutant: Mutant) -> None:
        """Fork a process that runs the tests."""
        reads, writes = os.pipe()
        child = os.fork()
        if child:
            os.close(writes)
            self.running[child] = reads, number
            return
        tests = self.tests_of(mutant)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        outcome = "its import"
        try:
            self.limit(time.process_time() + 5)
            mutant.apply()
            change_module(self.module, self.tree)
            forget()
            outcome = "a crash"
            outcome = self.run_tests(tests)
        finally:
            os.write(writes, (outcome or "-").encode())
            os._exit(0)

    def wait(self, todo: list[Mutant]) -> None:
        """Note what killed a mutant, or that it survives."""
        child, _ = os.wait()
        reads, number = self.running.pop(child)
        outcome = os.read(reads, 4096).decode() or "no end"
        os.close(reads)
        if outcome == "-":
            self.survived.append(todo[number])
            say(f"{self.module}: {todo[number].function}: {todo[number].change} survives")
            return
        self.killed[outcome] += 1
        with KNOWN.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self.key(todo[number]), outcome]) + "\n")


def say(text: str) -> None:
    """Show progress."""
    sys.stderr.write(f"{text}\n")


def printed(module: str, mutant: Mutant) -> str:
    """Spell a survivor the way the list does."""
    return (
        f"[[survivor]]\nmodule = {json.dumps(module)}\nfunction = {json.dumps(mutant.function)}\n"
        f'change = {json.dumps(mutant.change, ensure_ascii=False)}\nwhy = ""\n\n'
    )


def survivors(module: str, given: argparse.Namespace, known: dict[str, str]) -> str:
    """Run the mutants of a module; return those that survive as the list would have them."""
    import pytest

    if module in LOOPS:
        arrays = importlib.import_module("hyperoxo.kernels.arrays")
        arrays.fill, arrays.copy = np.ndarray.fill, np.copyto
    nursery = Nursery(module, given, known)
    tests = [str(ROOT / name) for name in CONCERNS[module]]
    options = ["-q", "-s", "-m", "not slow", "-p", "no:cacheprovider", "-W", "ignore"]
    code = pytest.main([*options, f"--rootdir={ROOT}", *tests], plugins=[nursery])
    if code:
        sys.exit(f"{module}: pytest ended with {int(code)}")
    return "".join(printed(module, one) for one in nursery.survived)


def in_a_fork(module: str, given: argparse.Namespace, known: dict[str, str]) -> bool:
    """Run the mutants of a module in a separate process; return whether none survived."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    if module in LOOPS:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    # What pytest prints goes nowhere.
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    found = survivors(module, given, known)
    os.write(out, found.encode())
    os._exit(bool(found))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="in full; default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of tests for a mutant")
    parser.add_argument("--fresh", action="store_true", help="forget which mutants were killed")
    parser.add_argument("--check", action="store_true", help="only see that the list fits")
    given = parser.parse_args()
    if unknown := [name for name in given.modules if name not in CONCERNS]:
        parser.error(f"no such module: {unknown[0]} (there are {', '.join(CONCERNS)})")
    if wrong := check():
        sys.stderr.write("the list names no such mutant, or gives no reason:\n")
        sys.stderr.write("".join(f"  {one}\n" for one in wrong))
        return 1
    if given.check:
        return 0
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    KNOWN.parent.mkdir(exist_ok=True)
    if given.fresh:
        KNOWN.unlink(missing_ok=True)
    lines = KNOWN.read_text(encoding="utf-8").splitlines() if KNOWN.exists() else []
    known = dict(map(json.loads, lines))
    well = [in_a_fork(module, given, known) for module in given.modules or CONCERNS]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
