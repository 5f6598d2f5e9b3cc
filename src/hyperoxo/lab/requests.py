"""What is asked of the laboratory as one value, which a run in the store gives back.

So a run can be begun by a page or over HTTP in the same words as by a command, and one that was
left can be gone on with by its number alone.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from hyperoxo.errors import SpecError, quoted
from hyperoxo.lab.match import match
from hyperoxo.lab.results.listing import RunInfo
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.sequential import SequentialTest
from hyperoxo.lab.sweep import sweep
from hyperoxo.lab.tournament import tournament
from hyperoxo.task import Progress

__all__ = [
    "KINDS",
    "RunRequest",
    "carry_out",
    "command_of",
    "options_of",
    "request_of",
    "variation_of",
]

KINDS = ("match", "tournament", "sweep", "study")
"""Kinds of runs that can be asked for."""


@dataclass(frozen=True)
class RunRequest:
    """One run that is asked for."""

    kind: str
    game: str
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0


def carry_out(
    request: RunRequest,
    store: ResultStore,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
    folder: Path | None = None,
) -> None:
    """Play what is asked for, into the store.

    Parameters
    ----------
    request : RunRequest
        What.
    store : ResultStore
        Where results are kept.
    workers : int
        How many play at once.
    progress : callable, optional
        Called with (games played, games wanted).
    note : callable, optional
        Called with the title of each section of a study when it is done.
    folder : Path, optional
        Where the report of a study goes.

    Raises
    ------
    HyperoxoError
        If something that is asked for makes no sense.

    Examples
    --------
    >>> import tempfile
    >>> asked = RunRequest("match", "3^2", {"agents": ["ising", "random"], "games": 10})
    >>> with tempfile.TemporaryDirectory() as place, ResultStore(place + "/r.sqlite") as store:
    ...     carry_out(asked, store)
    ...     store.query("SELECT kind, state FROM runs")
    [('match', 'done')]
    """
    options = dict(request.options)
    if request.kind == "study":
        import importlib.util

        from hyperoxo.lab.study import study

        study(
            options.pop("study"),
            folder,
            **options,
            seed=request.seed,
            figures=importlib.util.find_spec("matplotlib") is not None,
            workers=workers,
            store=store,
            progress=progress,
            note=note,
        )
        return
    if options.get("until") is not None:
        options["until"] = SequentialTest(**options["until"])
    plays: dict[str, Callable[..., object]] = {
        "match": match,
        "tournament": tournament,
        "sweep": sweep,
    }
    if request.kind not in plays:
        raise SpecError(f"there are runs of {', '.join(KINDS)}, not {quoted(request.kind)}")
    plays[request.kind](
        request.game,
        **options,
        seed=request.seed,
        workers=workers,
        store=store,
        progress=progress,
    )


def request_of(info: RunInfo) -> RunRequest:
    """Return what was asked for when a run in the store was begun.

    Raises
    ------
    SpecError
        If the run is a part of a study, which is gone on with as a whole, or of a kind that
        only Python begins.

    Examples
    --------
    >>> import hyperoxo as ox, tempfile
    >>> from hyperoxo.lab.results import run_infos
    >>> with tempfile.TemporaryDirectory() as place, ResultStore(place + "/r.sqlite") as store:
    ...     found = ox.sweep("3^2", "ising", "bias=0:1:0.5", "random", games=10, store=store)
    ...     request_of(run_infos(store)[0]).options["vary"]
    ['bias=0:1:0.5']
    """
    if "part_of" in info.settings:
        raise SpecError(f"run {info.run} is a part of run {info.settings['part_of']}; resume that")
    if info.kind not in KINDS:
        raise SpecError(
            f"run {info.run} is of kind {info.kind}, which can only be started from Python"
        )
    return RunRequest(info.kind, info.game, options_of(info), info.seed)


def options_of(info: RunInfo) -> dict[str, Any]:
    """Return the options of a request from the settings of a run, also of a study's part."""
    options = {name: value for name, value in info.settings.items() if name != "part_of"}
    if info.kind == "sweep":
        options["vary"] = [variation_of(text) for text in options["vary"]]
        adaptive = options.pop("adaptive")
        if adaptive is not None:
            names = ("measure", "fit", "degree")
            options |= {"adaptive": True, **dict(zip(names, adaptive, strict=True))}
    return options


def variation_of(text: str) -> str:
    """Spell the values of a sweep as they are asked for, from how the store has them."""
    name, _, values = text.partition("=")
    first, _, last = values.partition("..")
    start, _, second = first.partition(",")
    try:
        step = Decimal(second) - Decimal(start) if second else Decimal(1)
    except InvalidOperation:
        raise SpecError(f"bad variation {quoted(text)} in the store") from None
    return f"{name}={start}:{last}:{step:f}"


def command_of(request: RunRequest) -> str:
    """Return the command that measures the same.

    Examples
    --------
    >>> asked = {"agents": ["ising", "random"], "games": 50, "swap": True}
    >>> command_of(RunRequest("match", "3^2", asked, 7))
    "oxo match '3^2' ising random --games 50 --swap --seed 7"
    """
    options = dict(request.options)
    words = ["oxo", request.kind]
    if request.kind == "study":
        words += [options["study"], *(["--full"] if options.get("full") else [])]
        words += _words("--scale", options.get("scale"))
    else:
        words += [request.game, *options.get("agents", ())]
        for name in ("agent", "vary", "versus", "seat", "games", "measure", "fit", "degree"):
            words += _words(f"--{name}", options.get(name))
        words += [f"--{name}" for name in ("swap", "distinct", "adaptive") if options.get(name)]
        words += _test_words(options.get("until"))
        if options.get("scoring", "rules") != "rules":
            words += ["--scoring", options["scoring"]]
    return shlex.join([*words, "--seed", str(request.seed)])


def _words(name: str, value: Any) -> list[str]:
    if value is None:
        return []
    values = value if isinstance(value, list) else [value]
    if name == "--versus" and len(set(values)) == 1:
        values = values[:1]
    return [word for one in values for word in (name, str(one))]


def _test_words(until: dict[str, Any] | None) -> list[str]:
    if until is None:
        return []
    names = ("alpha", "beta", "effect")
    return ["--until", until["question"], *(w for n in names for w in (f"--{n}", str(until[n])))]
