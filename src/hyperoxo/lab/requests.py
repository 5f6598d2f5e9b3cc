"""A request to the laboratory as one value: a match, a tournament, a sweep, a study.

Commands, pages and programs make the same value, and the store gives it back; so a run can be
begun in any of these ways, and resumed by its number alone.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from importlib.metadata import version
from pkgutil import resolve_name
from typing import Any

from hyperoxo.errors import LimitError, SpecError, quoted
from hyperoxo.lab.sequential import SequentialTest
from hyperoxo.run_options import Option, run_kind, run_kinds
from hyperoxo.task import ALONE, Task

_MOST_GAMES = 100_000
_MOST_VALUES = 100_000
_CURVE = ("measure", "fit", "degree")


@dataclass(frozen=True)
class RunRequest:
    """The request for one run."""

    kind: str
    """One of :func:`hyperoxo.run_options.run_kinds`; only Python starts a run of another kind."""
    game: str = ""
    """Empty where there are several."""
    options: dict[str, Any] = field(default_factory=dict)
    """As :func:`hyperoxo.run_options.run_kind` names them, in the types of JSON."""
    seed: int = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The options as the store has them, where equal requests are equal."""
        # Only an adaptive sweep plays games by its curve; any other can be fitted again later.
        if self.kind != "sweep" or "adaptive" not in self.options:
            return self.options
        settings = {name: self.options[name] for name in self.options if name not in _CURVE}
        settings["vary"] = [read_variation(text).stored for text in self.options["vary"]]
        curve = [self.options[name] for name in _CURVE]
        return {**settings, "adaptive": curve if self.options["adaptive"] else None}

    @property
    def key(self) -> str:
        """A text that is the same for the same request and version of the program."""
        return key_of(self.kind, self.game, self.settings, str(self.seed), version("hyperoxo"))

    def filled(self, games: int = 100) -> RunRequest:
        """Return the request with its number of games; a test may take 100,000."""
        if self.kind != "match" or self.options.get("games") is not None:
            return self
        most = games if self.options.get("until") is None else _MOST_GAMES
        return RunRequest(self.kind, self.game, {**self.options, "games": most}, self.seed)


def key_of(*parts: Any) -> str:
    """Return the key of kind, game, settings, seed and version of the program."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def carry_out(
    request: RunRequest,
    store: Any = None,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    task: Task = ALONE,
    **report: Any,
) -> Any:
    """Carry out a request and return the result; `report` is for runs that write one."""
    kind = run_kind(request.kind)
    options = dict(request.filled().options)
    if options.get("until") is not None:
        options["until"] = SequentialTest(**options["until"])
    first = options.pop(request.kind, request.game)
    play = resolve_name(kind.play)
    means = {"workers": workers, "executor": executor, "store": store, "progress": task}
    options |= report if kind.reports else {}
    return play(first, **options, seed=request.seed, **means)


@dataclass(frozen=True)
class RunInfo:
    """A run in a list."""

    run: int
    kind: str
    game: str
    settings: dict[str, Any]
    seed: int
    state: str
    """``"done"``, ``"running"`` or ``"interrupted"``, which it also is when its process died."""
    versions: dict[str, str]
    """Of the program and its libraries."""
    begun: str
    """Date and time, UTC."""
    updated: str
    rows: int
    """Number of seatings."""
    games: int
    wanted: int
    """Games requested."""
    workers: int = 1
    """Worker processes, when it last played."""


def request_of(info: RunInfo) -> RunRequest:
    """Return the request that began a run in the store."""
    if "part_of" in info.settings:
        raise SpecError(f"run {info.run} is a part of run {info.settings['part_of']}; resume that")
    if info.kind not in run_kinds():
        raise SpecError(
            f"run {info.run} is of kind {info.kind}, which can only be started from Python"
        )
    return RunRequest(info.kind, info.game, options_of(info), info.seed)


def options_of(info: RunInfo) -> dict[str, Any]:
    """Return the options of a request from the settings of a run, also of a study's part."""
    options = {name: value for name, value in info.settings.items() if name != "part_of"}
    if info.kind == "sweep":
        options["vary"] = [variation_of(text) for text in options["vary"]]
        curve = options.pop("adaptive")
        if curve is not None:
            options |= {"adaptive": True, **dict(zip(_CURVE, curve, strict=True))}
    return options


def command_of(request: RunRequest) -> str:
    """Return the command that measures the same."""
    kind, options = run_kind(request.kind), request.options
    words = ["oxo", request.kind, *filter(None, [request.game, options.get(request.kind)])]
    words += options.get("agents", ())
    for option in kind.options:
        if option.name not in ("agents", request.kind):
            words += _words(option, options.get(option.name))
    return shlex.join([*words, "--seed", str(request.seed)])


def _words(option: Option, value: Any) -> Iterator[str]:
    """Yield an option as a command spells it."""
    if value is None or value is False or (option.implied and value == option.default):
        return
    if option.inside:
        yield from (f"--{option.name}", value[option.inside[0].name])
        for one in option.inside[1:]:
            yield from (f"--{one.name}", str(value[one.name]))
        return
    values = list(value) if option.many else [value]
    if option.name == "versus" and len(set(values)) == 1:
        values = values[:1]
    for one in values:
        yield f"--{option.name.replace('_', '-')}"
        if option.type is not bool:
            yield str(one)


@dataclass(frozen=True)
class Variation:
    """An option of an agent and the values it takes."""

    name: str
    texts: tuple[str, ...]
    """The values as an agent's spec has them."""

    @property
    def values(self) -> tuple[float, ...]:
        """The values as numbers, whole ones as int."""
        return tuple(float(text) if "." in text else int(text) for text in self.texts)

    @property
    def stored(self) -> str:
        """The variation as the store has it, the same for every spelling."""
        return f"{self.name}={','.join(self.texts[:2])}..{self.texts[-1]}"


def variation_of(text: str) -> str:
    """Spell the values of a sweep as in a request, from their stored form."""
    name, _, values = text.partition("=")
    first, _, last = values.partition("..")
    start, _, second = first.partition(",")
    try:
        step = Decimal(second) - Decimal(start) if second else Decimal(1)
    except InvalidOperation:
        raise SpecError(f"bad variation {quoted(text)} in the store") from None
    return f"{name}={start}:{last}:{step:f}"


def read_variation(text: str) -> Variation:
    """Read ``NAME=FROM:TO:STEP``; the end is included."""
    # Decimal numbers are read, so that every value is as written.
    name, equals, span = text.partition("=")
    parts = span.split(":")
    if not name or not equals or len(parts) != 3:
        raise SpecError(f"bad variation {quoted(text)}: write NAME=FROM:TO:STEP")
    start, end, step = (_number(part, text) for part in parts)
    if step <= 0:
        raise SpecError(f"bad variation {quoted(text)}: the step must be greater than 0")
    if end < start:
        raise SpecError(f"bad variation {quoted(text)}: {end} is less than {start}")
    count = int((end - start) / step) + 1
    if count > _MOST_VALUES:
        raise LimitError(f"{quoted(text)} has {count:,} values; the limit is {_MOST_VALUES:,}")
    return Variation(name, tuple(f"{(start + i * step).normalize():f}" for i in range(count)))


def _number(part: str, text: str) -> Decimal:
    try:
        number = Decimal(part)
    except InvalidOperation:
        raise SpecError(f"bad variation {quoted(text)}: {quoted(part)} is not a number") from None
    # 1E+999999 is short, but `_spelled` would write all its digits.
    if not number.is_finite() or abs(number.adjusted()) > 15:
        raise SpecError(f"bad variation {quoted(text)}: {quoted(part)} is out of range")
    return number


def with_option(spec: str, name: str, text: str) -> str:
    """Add an option to an agent's spec."""
    return f"{spec}{',' if ':' in spec else ':'}{name}={text}"
