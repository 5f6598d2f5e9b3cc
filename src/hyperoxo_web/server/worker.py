"""A process that chooses moves and analyses positions for the server.

It reads requests from standard input and writes answers to standard output, one JSON object
a line; nothing is pickled. When its input ends, because the server stopped or was killed, it
ends immediately, whatever it was doing.

==============  ============================================================================
request         answer
==============  ============================================================================
``choose``      ``cell`` and ``reason``, and before news of what the agent has found so far
``simple``      the same at once, for an agent that has found nothing
``analyse``     an analysis, and news of it before
``record``      the analysis of a whole record, and news of it before
``prove``       what a proof search found, and news of it before
``verify``      why the checker rejects a proof file, or nothing
``count``       which positions of a proof follow which, and news of it before
``certify``     the proof behind the proof search that was made last, as a file
``classify``    the regions that are possible for a board, and the proof as a file
``puzzle``      a puzzle: position, moves before it, length and solution
``try``         the outcome of a move in a puzzle
``ready``       ``{}``, when something that people may ask for has been compiled
``call``        ``found``: what a function of `hyperoxo_web.server.apart` returns
==============  ============================================================================

An answer says how much processor time it took, ``cpu``. While something is compiled, the process
says so to all who wait: ``preparing`` holds the number of functions
``done`` and of those ``needed``, also where another process compiles them; ``null`` ends it.
Before its first request is ``begun`` it loads what it needs, which the server tells by itself.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, lru_cache, partial
from typing import Any

from hyperoxo.board.limits import Allowance, Size, allowing
from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.jit import compile_events
from hyperoxo.processes import give_way
from hyperoxo_web.server.limits import HOME
from hyperoxo_web.server.refusal import RefusedError

News = Callable[[dict[str, Any]], None]
Work = Callable[[dict[str, Any], News], dict[str, Any]]
_stops: dict[int, threading.Event] = {}


def main() -> None:
    """Serve requests until the input ends."""
    serve(_carry_out, lambda task: _stop_of(task).set(), load=_load)


def serve(
    work: Work,
    stop: Callable[[int], None],
    *,
    load: Callable[[dict[str, Any]], object] | None = None,
) -> None:
    """Carry out requests from the input, one after the other, until it ends; `stop` one early.

    What the first of them needs is loaded before it counts as begun.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_way(int(sys.argv[1].removeprefix("--nice=")))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not come between the answers
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(waiting, stop), daemon=True).start()
    lock = threading.Lock()

    def say(number: int, kind: str, value: Any, **more: float) -> None:
        answer = {"task": number, kind: value, **more}
        text = json.dumps(answer, separators=(",", ":"), default=float)
        with lock:
            answers.write(text + "\n")
            answers.flush()

    preparing = compile_events.on_compile = _Preparing(partial(say, 0, "preparing"))
    give_back = _gives_back()
    while True:
        request = waiting.get()
        number = request["task"]
        preparing.begin()
        if load is not None:
            load(request)
        say(number, "begun", value=True)
        before = time.process_time()
        try:
            kind, value = "done", work(request, partial(say, number, "news"))
        except HyperoxoError as error:
            code = "limit" if isinstance(error, LimitError) else "bad-request"
            code = error.code if isinstance(error, RefusedError) else code
            kind, value = "error", {"code": code, "message": str(error)}
        except Exception as error:
            traceback.print_exc()
            # Clients may be anyone, and texts of errors of the system name files.
            kind, value = "error", {"message": f"this failed ({type(error).__name__})"}
        say(number, kind, value, cpu=time.process_time() - before)
        if waiting.empty():
            give_back()


def _gives_back() -> Callable[[], object]:
    """Return a function that gives free memory back to the system, where the C library can.

    Otherwise the tables of one search may stay where they were until the process ends, and those
    of a later one be laid beside them.
    """
    if sys.platform != "linux":
        return lambda: None
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return (lambda: None) if trim is None else partial(trim, 0)


class _Preparing:
    """Says how many functions have been compiled for a request, and how many it needs."""

    def __init__(self, say: Callable[[dict[str, Any] | None], None]) -> None:
        self._say = say
        self._before = self._seen = 0, 0

    def begin(self) -> None:
        """Count from here on: another request begins."""
        self._before = self._seen

    def __call__(self, number: int, known: int) -> None:
        if not number:
            self._say(None)
            return
        self._seen = number, known
        count = number - self._before[0]
        self._say({"done": count - 1, "needed": max(count, known - self._before[1])})


def _receive(waiting: queue.SimpleQueue[dict[str, Any]], stop: Callable[[int], None]) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "stop" in request:
            stop(request["stop"])
        else:
            waiting.put(request)
    # The server is gone: so are all processes that work for this one.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _stop_of(task: int) -> threading.Event:
    return _stops.setdefault(task, threading.Event())


def _load(request: dict[str, Any]) -> None:
    """Load compiled code, which games among people do without."""
    if request["kind"] != "call":
        import hyperoxo.agents  # noqa: F401


def _carry_out(request: dict[str, Any], tell: News) -> dict[str, Any]:
    # What the server itself asks about its atlas is larger than what clients may.
    most = Size(*request["most"]) if "most" in request else HOME.boards.most
    boards = None if request["kind"] == "classify" else Allowance(most, HOME.boards.whose)
    try:
        with allowing(boards):
            return _WORK[request["kind"]](request, tell)
    finally:
        _stops.pop(request["task"], None)


def _call(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo_web.server.apart import CALLS

    return {"found": CALLS[request["name"]](**request["given"])}


def _choose(request: dict[str, Any], tell: News) -> dict[str, Any]:
    import numpy as np

    from hyperoxo.task import Task

    position = _position(request)
    player = _agent(request["agent"])
    player.check(position.game)
    rng = np.random.default_rng(request["seed"])
    task = Task(stop=_stop_of(request["task"]))
    found = player.think(position, rng, task, lambda thought: tell(asdict(thought)))
    return {"cell": int(found.move), "reason": found.reason}


def _simple(request: dict[str, Any], _: News) -> dict[str, Any]:
    import numpy as np

    from hyperoxo.agents.scored import simpler_move

    found = simpler_move(_position(request), np.random.default_rng(request["seed"]))
    return {"cell": int(found.move), "reason": found.reason}


def _analyse(request: dict[str, Any], tell: News) -> dict[str, Any]:
    from hyperoxo.play.analysis import analyse_position

    found = analyse_position(
        _position(request),
        seconds=request["seconds"],
        stop=_stop_of(request["task"]),
        on_update=lambda analysis: tell(analysis.to_json()),
    )
    return found.to_json()


def _record(request: dict[str, Any], tell: News) -> dict[str, Any]:
    from hyperoxo.notation import record_from_dict
    from hyperoxo.play.analysis import analyse_record

    found = analyse_record(
        record_from_dict(request["record"]),
        seconds=request["seconds"],
        stop=_stop_of(request["task"]),
        on_update=lambda analysis: tell(analysis.to_json()),
    )
    return found.to_json()


def _prove(request: dict[str, Any], tell: News) -> dict[str, Any]:
    from hyperoxo.play.prove import prove

    if not request["go_on"]:
        _memory().solver = None
    _memory().won = None
    found = prove(
        _position(request),
        seconds=request["seconds"],
        suggestions=[(_position(entry), entry["cell"]) for entry in request["suggestions"]],
        every_move=request["every_move"],
        attacker=request["attacker"],
        megabytes=request["megabytes"],
        memory=_memory(),
        stop=_stop_of(request["task"]),
        on_update=tell,
    )
    won = _memory().won is not None
    return {**found, "certificate": won, "kept": won or _memory().solver is not None}


@cache
def _memory() -> Any:
    from hyperoxo.play.prove import Memory

    return Memory()


def _verify(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.play.explorer import refused

    return {"reason": refused(request["proof"].encode("latin-1"))}


def _count(request: dict[str, Any], tell: News) -> dict[str, Any]:
    from hyperoxo.play.explorer import Explorer, plain_edges

    explorer = Explorer.read(request["proof"].encode("latin-1"))
    edges = explorer.count(lambda done, of: tell({"share": done / max(of, 1)}))
    return {"forms": None} if edges is None else plain_edges(edges)


def _certify(_request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.play.prove import certificate

    return {"proof": certificate(_memory()).decode("latin-1")}


def _classify(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo_research.draws.classify import classify

    spec = request["game"]
    found = classify(spec, seconds=request["seconds"])
    text = found.proof_text(f"oxo classify {spec}").decode("ascii")
    return {"regions": list(found.regions), "proof": text}


def _puzzle(request: dict[str, Any], _: News) -> dict[str, Any]:
    import datetime as dt

    from hyperoxo.lab.puzzle import daily_puzzle, make_puzzle

    if "date" in request:
        found = daily_puzzle(request["game"], dt.date.fromisoformat(request["date"]))
    else:
        found = make_puzzle(request["game"], request["length"], request["seed"])
    position = found.position
    first = position.undo(len(position.history))
    return {
        "game": str(found.game),
        "setup": first.text if position.setup is not None else None,
        "moves": list(position.history),
        "position": position.text,
        "player": position.to_move,
        "length": found.length,
        "solution": list(found.solution),
    }


def _try(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.play.puzzle_play import answer

    return asdict(answer(_position(request), request["cell"]))


def _ready(request: dict[str, Any], tell: News) -> dict[str, Any]:
    """Do briefly what people may ask for, so that it is compiled."""
    if request["what"] == "code":
        return {}  # it has been loaded before
    from hyperoxo.game import Game

    asked = {**request, "setup": None, "moves": []}
    if request["what"] == "agent":
        _stop_of(request["task"]).set()  # what is found at once will do
        _choose({**asked, "seed": 0}, tell)
    elif request["what"] == "analysis":
        _analyse(asked, lambda _: None)
    elif request["what"] == "puzzle":
        _puzzle({**asked, "length": 2, "seed": 0}, tell)
        _try({**asked, "cell": 0}, tell)
    elif request["what"] == "states":
        from hyperoxo.solvers.states.graph import StateGraph

        list(StateGraph(request["game"]).nodes())
    else:
        from hyperoxo.proof.stored import stored_proof
        from hyperoxo_web.server.proofs import Opened

        proof = stored_proof(Game(request["game"]))
        assert proof is not None
        Opened(request["game"], proof).node([0])
    return {}


@lru_cache(maxsize=64)
def _agent(spec: str) -> Any:
    from hyperoxo.agents import agent

    return agent(spec)


@lru_cache(maxsize=64)
def _start(game: str, setup: str | None) -> Any:
    from hyperoxo.game import Game

    return Game(game).start() if setup is None else Game(game).position(setup)


def _position(request: dict[str, Any]) -> Any:
    position = _start(request["game"], request["setup"])
    for cell in request["moves"]:
        position = position.play(cell)
    return position


_WORK: dict[str, Work] = {
    one.__name__.removeprefix("_"): one
    for one in (
        *(_choose, _simple, _analyse, _record, _prove, _verify, _count, _certify, _classify),
        *(_puzzle, _try, _ready, _call),
    )
}
"""What is done for each kind of request."""


if __name__ == "__main__":
    main()
