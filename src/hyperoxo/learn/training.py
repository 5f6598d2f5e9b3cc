"""Training: learners, their checkpoints, and the learning curve."""

from __future__ import annotations

import csv
import importlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from hyperoxo.agents import agent
from hyperoxo.agents.options import read_options
from hyperoxo.display import Result, as_data
from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError, quoted
from hyperoxo.files import by_suffix, replace_file
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.learn.learner import Learner, learner_class
from hyperoxo.learn.rating import LADDER, Score, ladder, rating_of
from hyperoxo.task import Task
from hyperoxo.untrusted import read_bytes

__all__ = ["Training", "learner_of", "train"]

_POINTS = 10
_LOGS = {"csv": ".csv", "tensorboard": ""}
"""Suffixes of the logs beside the checkpoint."""
_OPENINGS, _SLOW_OPENINGS = 100, 10
"""Openings of a measurement; the second is for agents that compiled games do not play."""


@dataclass(frozen=True)
class Training(Result):
    """A run of a learner, finished or not.

    Attributes
    ----------
    game : str
        The game.
    learner : str
        The learner's name.
    options : dict
        Its options with their values.
    seed : int
        The seed.
    step, steps : int
        Steps done, and those of the whole run.
    seconds, compiling : float
        Time that this call spent on learning, without measuring, and on compiling.
    curve : list of dict
        ``step``, ``seconds`` (None for points of earlier calls, as checkpoints hold no times),
        ``error`` (share of positions with exact values in which the move does not keep the value;
        None if they are not known) and ``rating`` (Elo over the ladder) in the course of
        learning. All but ``seconds`` depend on the seed alone.
    ladder : list of dict
        The last measurement: games against each agent of the ladder, after the same random
        openings in every seat.
    file : str or None
        The checkpoint.
    """

    game: str
    learner: str
    options: dict[str, Any]
    seed: int
    step: int
    steps: int
    seconds: float
    compiling: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    ladder: list[dict[str, Any]] = field(default_factory=list)
    file: str | None = None

    @property
    def finished(self) -> bool:
        """True if all steps are done."""
        return self.step >= self.steps

    _data = "* finished"
    _text = """
|curve| step | seconds={seconds:.2f} | error={error:.4f} | rating={rating:+.0f} |
|ladder| against={agent} | games | wins | draws | losses | score={score:.3f} |
?finished {seconds:.2f} s of learning, seed {seed}
!finished {seconds:.2f} s of learning, {step} of {steps:#step}, seed {seed}
?compiling {compiling:.2f} s of compiling before it
?file checkpoint: {file}
"""


_ASKED = {
    "against": "learns from games against itself alone, and not against agents",
    "device": "learns on the processor alone, and not on a device of JAX",
    "start": "begins with nothing, and not with the weights of a checkpoint",
}
"""Options beside the spec, with the refusal of a learner that does not support them."""


def learner_of(
    spec: str, game: Game, seed: int, against: Sequence[str] = (), **asked: Any
) -> Learner:
    """Make a learner from its spec, ``name[:option=value,...]``, and further options."""
    name = spec.partition(":")[0]
    maker = learner_class(name)
    # If an agent cannot be made, that is not the learner's fault.
    asked["against"] = tuple(agent(one).spec for one in against)
    asked = {key: value for key, value in asked.items() if value}
    for key in asked.keys() - {*maker.known}:
        raise SpecError(f"{name} {_ASKED[key]}")
    known = [key for key in maker.known if key not in _ASKED]
    options: dict[str, Any] = {**read_options("learner", spec)}
    for key in options:
        if key not in known:
            listed = f"is not one of {', '.join(known)}"
            raise SpecError(f"bad learner {quoted(spec)}: option {quoted(key)} {listed}")
    try:
        return maker(game, seed, **options, **asked)
    except SpecError as error:
        raise SpecError(f"bad learner {quoted(spec)}: {error}") from None


def train(
    game: Game | str,
    learner: str = "td",
    *,
    against: Sequence[str] = (),
    start: str | Path | None = None,
    evaluate: Sequence[str] = (),
    out: str | Path | None = None,
    log: str | Path | None = None,
    minutes: float | None = None,
    device: str | None = None,
    seed: int = 0,
    task: Task | None = None,
    on_point: Callable[[dict[str, Any]], object] | None = None,
) -> Training:
    """Let a learner learn a game, or resume an interrupted run.

    After every step the checkpoint is written in one piece, so that a run stopped at any moment
    resumes there, with the same result as an uninterrupted one.

    Parameters
    ----------
    game : Game or str
        The game, or its spec.
    learner : str
        Name and options, such as ``"td:games=50000,classes=on"``.
    against : sequence of str
        Specs of agents to learn against instead of itself, such as ``"greedy:defend=2"``; only
        `td` does, and they must score moves by lines alone.
    start : path, optional
        Begin with the weights of this checkpoint, of any board; `alphazero` only.
    evaluate : sequence of str
        Specs of agents that the player meets at each point of the curve, besides the ladder; the
        point then has their scores as ``"eval"``.
    out : path, optional
        The checkpoint. If the file exists, its run is resumed; it must be of the same game,
        learner, options and seed.
    log : path, optional
        A CSV file of the curve, or a folder of TensorBoard events, which needs tensorboardX; it
        gets each point at once. ``"csv"`` and ``"tensorboard"`` are beside the checkpoint.
    minutes : float, optional
        Stop after the step in which this time of learning is over.
    device : {"cpu", "gpu", "tpu"}, optional
        Device for JAX, instead of its default; `alphazero` only.
    seed : int
        Seed of all random choices.
    task : Task, optional
        Progress, stop signal and time limit. It is given the run once before the first step.
    on_point : callable, optional
        Called with each new point of the curve.

    Returns
    -------
    Training
        Record of the training, with the learning curve.

    Raises
    ------
    SpecError
        If the learner or an option is not known, or the file belongs to another run.
    CheckFailedError
        If the file is damaged.

    Examples
    --------
    >>> run = train("3^2", "td:games=200", seed=1)
    >>> run.finished, run.curve[-1]["step"] == run.steps
    (True, True)
    """
    game = Game(game) if isinstance(game, str) else game
    task = task or Task()
    chosen = learner_of(learner, game, seed, against, start=start, device=device)
    others = [agent(one) for one in evaluate]
    for one in (*map(agent, LADDER), *others):
        one.check(game)
    path = None if out is None else Path(out)
    name = learner.partition(":")[0]
    begun = Training(str(game), name, chosen.options, seed, 0, chosen.steps, 0.0)
    known = {key: value for key, value in vars(begun).items() if key != "file"}
    if path is not None:
        by_suffix(path, dict.fromkeys(chosen.suffixes, True))
        if path.exists():
            _take_up(chosen, path, known)
    with _log_to(log, path, chosen.step) as write:
        task.report(Training(**known))
        task = task.share(1.0, float("inf") if minutes is None else 60.0 * minutes)
        # The clock of `working_time` stops during compilation.
        stopped = time.perf_counter() - working_time()
        while chosen.step < chosen.steps and not task.over:
            # 1. One step; only its own time counts, not that of the measurements below.
            begin = working_time()
            chosen.advance()
            known["step"] = chosen.step
            known["seconds"] += working_time() - begin
            # 2. Some ten times in a run, whenever the tenth changes, the player is measured.
            if chosen.step * _POINTS // chosen.steps > (chosen.step - 1) * _POINTS // chosen.steps:
                slow = _OPENINGS if chosen.step == chosen.steps else _SLOW_OPENINGS
                scores = ladder(game, chosen.agent(), _OPENINGS, slow, seed, others)
                known["curve"].append(_point(game, chosen, scores, known["seconds"]))
                known["ladder"] = [as_data(score) for score in scores]
                write(known["curve"][-1])
                if on_point is not None:
                    on_point(known["curve"][-1])
            # 3. The checkpoint, atomically and after the measurements: a killed run repeats
            #    at most one step, with the same random numbers, and overwrites its row of the log.
            if path is not None:
                replace_file(path, chosen.to_bytes(_timeless(known)))
            known["compiling"] = time.perf_counter() - working_time() - stopped
            task.report_progress(chosen.step, chosen.steps)
    return Training(**known, file=None if path is None else str(path))


@contextmanager
def _log_to(
    log: str | Path | None, out: Path | None, step: int
) -> Iterator[Callable[[Mapping[str, Any]], object]]:
    """Yield a function that writes a point to the requested log; the run resumes after `step`."""
    if log is None:
        yield lambda _: None
        return
    if log in _LOGS and out is None:
        raise SpecError("a log beside the checkpoint needs one: give --out, or a path")
    path = Path(log) if out is None or log not in _LOGS else out.with_suffix(_LOGS[str(log)])
    if path.suffix:
        by_suffix(path, {".csv": True})
        _rows_of(path)
        yield partial(_write_row, path)
        return
    try:
        writers = importlib.import_module("tensorboardX")
    except ImportError:
        needed = "a log for TensorBoard needs tensorboardX: pip install tensorboardX"
        raise CheckFailedError(needed) from None
    # Without a suffix two files of one second would have the same name.
    suffix = f".{time.time_ns()}"
    with writers.SummaryWriter(str(path), purge_step=step + 1, filename_suffix=suffix) as writer:
        yield partial(_write_events, writer)


def _rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the points of a log; empty if it does not exist."""
    text = read_bytes(path).decode(errors="replace") if path.exists() else ""
    try:
        return [{**row, "step": int(row["step"])} for row in csv.DictReader(text.splitlines())]
    except (KeyError, TypeError, ValueError):
        raise SpecError(f"{quoted(path)} is not a training log") from None


def _write_row(path: Path, point: Mapping[str, Any]) -> None:
    """Append a point to the log, replacing points of later or equal steps."""
    row = _row_of(point)
    rows = [one for one in _rows_of(path) if one["step"] < row["step"]] + [row]
    written = StringIO()
    names = {name: None for one in reversed(rows) for name in one}
    table = csv.DictWriter(written, [*names], lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    replace_file(path, written.getvalue().encode())


def _row_of(point: Mapping[str, Any]) -> dict[str, Any]:
    scores = {f"eval {name}": score for name, score in point.get("eval", {}).items()}
    return {key: value for key, value in point.items() if key != "eval"} | scores


def _write_events(writer: Any, point: Mapping[str, Any]) -> None:
    """Write a point of the curve as TensorBoard's events."""
    for name, value in _row_of(point).items():
        if name != "step" and value is not None:
            writer.add_scalar(name, value, point["step"])
    writer.flush()


def _point(game: Game, learner: Learner, scores: list[Score], seconds: float) -> dict[str, Any]:
    exam = learner.exam()
    mark = None if exam is None else exam.mark(learner.agent())
    others = {score.agent: round(score.score, 6) for score in scores[len(LADDER) :]}
    return {
        "step": learner.step,
        "seconds": round(seconds, 3),
        "error": None if mark is None or mark.kept is None else round(1 - mark.kept, 6),
        "rating": rating_of(scores[: len(LADDER)], game.players),
    } | ({"eval": others} if others else {})


def _timeless(log: Mapping[str, Any]) -> dict[str, Any]:
    """Return a log without its times, so that equal runs leave equal files."""
    curve = [{key: point[key] for key in point if key != "seconds"} for point in log["curve"]]
    return {key: log[key] for key in log if key not in ("seconds", "compiling")} | {"curve": curve}


def _take_up(learner: Learner, path: Path, log: dict[str, Any]) -> None:
    """Restore a learner from a checkpoint of the same run."""
    try:
        found = learner.restore(read_bytes(path), str(path))
    except HyperoxoError:
        raise
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        raise SpecError(f"{quoted(path)} is no checkpoint of {log['learner']}") from None
    for key in ("game", "learner", "seed", "options"):
        if found.get(key) != log[key]:
            raise SpecError(
                f"{quoted(path)} is of another run: its {key} is {quoted(found.get(key))}, "
                f"not {quoted(log[key])}; choose another --out"
            )
    log.update({key: found[key] for key in ("step", "curve", "ladder") if key in found})
    log["curve"] = [{"step": 0, "seconds": None, **point} for point in log["curve"]]
