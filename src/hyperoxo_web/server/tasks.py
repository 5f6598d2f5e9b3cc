"""Remote procedures of worker processes: moves, analyses, proofs and puzzles.

The server names these functions in requests and never imports them: they load compiled code.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from hyperoxo.agents import agent
from hyperoxo.agents.scored import simpler_move
from hyperoxo.display import as_data
from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from hyperoxo.task import Task
from hyperoxo_web.server.worker import job

Plain = dict[str, Any]
"""Result as plain values for JSON."""

_agent = lru_cache(maxsize=64)(agent)


def ready() -> None:
    """Read the stored proof that a hint in a game of 4^3 needs."""
    from hyperoxo.proof.coverage import coverages

    coverages(Game("4^3"))


def choose(position: Position, agent: str, seed: Any) -> Plain:
    """Return the move of an agent and its reason; report interim results."""
    player, work = _agent(agent), job()
    player.check(position.game)
    task = Task(stop=work.stopped, on_report=lambda thought: work.tell(asdict(thought)))
    found = player.think(position, np.random.default_rng(seed), task)
    return {"cell": int(found.move), "reason": found.reason}


def hint(position: Position) -> Plain:
    """Return a strong move, its line and one sentence."""
    from hyperoxo_web.server.hints import hint

    return asdict(hint(position))


def simple(position: Position, seed: Any) -> Plain:
    """Return a quick fallback move for an agent without a result."""
    found = simpler_move(position, np.random.default_rng(seed))
    return {"cell": int(found.move), "reason": found.reason}


def analyse(what: Position | Record, seconds: float) -> Plain:
    """Return the analysis of a position or a record; report it as it grows."""
    from hyperoxo.play.analysis import analyse_position, analyse_record

    work = job()
    make: Any = analyse_position if isinstance(what, Position) else analyse_record
    found = make(
        what, seconds=seconds, stop=work.stopped, on_progress=lambda one: work.tell(as_data(one))
    )
    return as_data(found)


def prove(position: Position, *, go_on: bool, **options: Any) -> Plain:
    """Return the result of a proof search; report its progress."""
    # With `go_on` it continues the search that this process kept. `kept` in the answer asks the
    # server to keep this process, with the tables of the search or the proof of its win.
    from hyperoxo_web.server import proving

    memory = proving.MEMORY
    if not go_on:
        memory.solver = None
    memory.won = None
    work = job()
    found = proving.prove(
        position, memory=memory, stop=work.stopped, on_progress=work.tell, **options
    )
    won = memory.won is not None
    return {**found, "certificate": won, "kept": won or memory.solver is not None}


def certify() -> bytes:
    """Return the proof file of the last proof search of this process."""
    from hyperoxo_web.server.proving import MEMORY, certificate

    return certificate(MEMORY)


def verify(proof: bytes) -> str | None:
    """Return the checker's reason to reject a proof file, or None."""
    from hyperoxo.play.explorer import refused

    return refused(proof)


def count(proof: bytes) -> Plain | None:
    """Return the edges of a proof's graph of positions; report the share counted."""
    from hyperoxo.play.explorer import Explorer
    from hyperoxo.proof.envelope import owners_text

    tell = job().tell
    edges = Explorer.read(proof).count(lambda done, of: tell(done / max(of, 1)))
    if edges is None:
        return None
    forms = [form for form in edges if form]
    number = {form: at for at, form in enumerate(forms)}
    return {
        "forms": [owners_text(form, len(form)) for form in forms],
        "after": [[number[other] for other in edges[form]] for form in forms],
    }


def classify(game: str, seconds: float) -> tuple[tuple[int, ...], bytes]:
    """Return the possible regions of a board, and the proof file."""
    from hyperoxo_research.draws.classify import classify

    found = classify(game, seconds=seconds)
    return tuple(found.regions), found.proof_text(f"oxo classify {game}")


def puzzle(game: str, length: int, seed: int = 0, date: str | None = None) -> Plain:
    """Return a puzzle by seed or day: position, moves before it, length and solution."""
    from hyperoxo.lab.puzzle import daily_puzzle, make_puzzle

    if date is None:
        found = make_puzzle(game, length, seed)
    else:
        found = daily_puzzle(game, dt.date.fromisoformat(date), length)
    return {
        "game": str(found.game),
        **as_data(found.position, "moves=history position=text player=to_move"),
        **as_data(found, "length solution"),
    }


def attempt(position: Position, cell: int) -> Plain:
    """Return the outcome of a move in a puzzle."""
    from hyperoxo_web.server.hints import answer

    return asdict(answer(position, cell))


# Warm-up: short calls of what clients may request, so that its kernels are compiled.


def prepare_agent(game: str, agent: str) -> None:
    """Compile the kernels of an agent for a game."""
    job().stop()  # the first result suffices
    choose(Game(game).start(), agent, 0)


def prepare_analysis(game: str, seconds: float) -> None:
    """Compile the kernels of the analysis of a game."""
    job().tell = lambda _: None
    hint(Game(game).start())
    analyse(Game(game).start(), seconds)


def prepare_puzzle(game: str) -> None:
    """Compile the kernels of puzzles."""
    puzzle(game, 2, 0)
    attempt(Game(game).start(), 0)


def prepare_states(game: str) -> None:
    """Compile the kernels of the walk through all positions."""
    from hyperoxo.solvers.states.graph import StateGraph

    list(StateGraph(game).nodes())


def prepare_proof(game: str) -> None:
    """Compile the kernels of the proof explorer."""
    from hyperoxo.proof.stored import stored_proof
    from hyperoxo_web.server.proofs import Opened

    proof = stored_proof(Game(game))
    assert proof is not None
    Opened(game, proof).node([0])
