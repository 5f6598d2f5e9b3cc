"""What one client may ask of the server."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hyperoxo.board.limits import Allowance, Size


@dataclass(frozen=True)
class Limits:
    """Limits of a server; those on clients hold for each address by itself.

    `processor_share` is the processor time that a client may cost the server a second, and
    `processor_burst` how much of it may come at once; see `budget`.
    `searches` and `answers` are places that a client may hold at a time in `workers`, for long
    searches and for quick answers; `leaves` are those that all such clients leave to others.
    Processes that work for a client have the priority `nice`.
    """

    cells: int = 2_000
    lines: int = 20_000
    request_bytes: int = 1_000_000
    processor_share: float = 100.0
    processor_burst: float = 1_000.0
    request_seconds: float = 60.0
    connections: int = 10_000
    games_per_hour: int = 100_000
    classes_per_hour: int = 1_000
    pupils: int = 500
    codes_per_minute: int = 600
    subscriptions: int = 1_000
    agent_seconds: float = 60.0
    analysis_seconds: float = 600.0
    analyses: int = 4
    proof_megabytes: int = 256
    searches: int = 4
    answers: int = 64
    leaves: int = 0
    nice: int = 5
    runs: int = 4
    run_games: int = 100_000_000
    run_seconds: float = 604_800.0
    run_workers: int = 8
    rooms: int = 2_000

    @property
    def boards(self) -> Allowance:
        """How large boards may be."""
        return Allowance(Size(self.cells, self.lines), "this server")


HOME = Limits()
"""For people on this machine."""

PUBLIC = Limits(
    cells=1_300,
    request_bytes=200_000,
    processor_share=0.2,
    processor_burst=2.0,
    request_seconds=20.0,
    connections=250,
    games_per_hour=120,
    classes_per_hour=12,
    pupils=60,
    codes_per_minute=20,
    subscriptions=30,
    agent_seconds=20.0,
    analysis_seconds=60.0,
    analyses=1,
    proof_megabytes=64,
    searches=2,
    answers=4,
    leaves=1,
    nice=10,
    runs=1,
    run_games=200_000,
    run_seconds=600.0,
    run_workers=1,
)
"""For everybody else."""


@dataclass(frozen=True)
class Asker:
    """The client that asks the server for work, by its address, and its limits."""

    client: str
    limits: Limits


NOBODY = Asker("nobody", replace(HOME, searches=2, leaves=1))
"""The server itself, which prepares what people may ask for."""
