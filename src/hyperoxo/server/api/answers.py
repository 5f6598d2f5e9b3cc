"""What clients are answered, for the OpenAPI document: handlers write these objects themselves."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from hyperoxo.server.refusal import RefusedError

Object = dict[str, Any]
"""An object whose keys are told in the documentation."""

Result = Literal["running", "done", "failed"]


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


CODES = sorted({*RefusedError.CODES, "foreign-host", "foreign-origin", "not-found"})
"""What the codes of refusals are."""

REFUSAL = {
    "type": "object",
    "title": "Refusal",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": "string", "enum": CODES},
                "message": {"type": "string", "pattern": r"^[^\n]*$"},
            },
        }
    },
}
"""What every refused request is answered."""

# Whatever else an address answers, a refusal is JSON; a model would be of the address's own type.
_NAMED = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": about, "content": _NAMED}
    for status, about in (
        ("4XX", "Refused; nothing has changed."),
        ("503", "The disk failed, or a process ended."),
    )
}
"""The answers that any request may get besides its own."""


class SeatAnswer(_Answer):
    """One place at a board."""

    player: int
    name: str
    agent: str | None = Field(description="The agent's spec; null for a person.")


class Tree(_Answer):
    """All nodes of the history."""

    parents: list[int]
    cells: list[int]


class EndingAnswer(_Answer):
    """How a game ended that no move ended."""

    how: str
    player: int | None


class Waiting(_Answer):
    """What waits for an answer."""

    number: int
    kind: str
    by: int
    node: int | None
    waiting: list[int]


class ClockAnswer(_Answer):
    """The clock of a game."""

    seconds: float
    increment: float
    left: list[float]
    running: int


class State(_Answer):
    """How a game stands."""

    id: str
    version: int
    game: str
    players: int
    title: str
    seats: list[SeatAnswer]
    you: list[int]
    host: bool
    position: str
    setup: str | None
    moves: list[int]
    ply: int
    node: int
    line: list[int]
    tree: Tree
    to_move: int
    thinking: int
    legal_moves: list[int]
    lines_owned: list[int]
    winning_lines: list[list[int]]
    last_move: int | None
    reason: str
    over: bool
    result: str
    winners: list[int]
    ending: EndingAnswer | None
    request: Waiting | None
    paused: str | None
    analysis: Literal["always", "after"]
    clock: ClockAnswer | None
    created: int
    updated: int


class Preparing(_Answer):
    """How far the kernels are compiled that work needs."""

    done: int
    needed: int


class Thought(_Answer):
    """What an agent has found so far."""

    player: int
    seconds: float
    preparing: Preparing | None
    best: int | None
    depth: int
    games: int
    hurried: bool


class SeenState(State):
    """How a game stands, and who looks at it."""

    present: list[int]
    watchers: int
    thought: Thought | None


class Listed(_Answer):
    """One game of a list."""

    id: str
    game: str
    title: str
    names: list[str]
    result: str
    ply: int
    created: int
    updated: int
    url: str


class GamesAnswer(_Answer):
    """Games, the latest first."""

    games: list[Listed]


class Made(_Answer):
    """A new game, and the tokens of its seats."""

    id: str
    host: str
    tokens: list[str | None]
    url: str
    urls: list[str | None]
    state: State


class ReceiptAnswer(_Answer):
    """What a request has changed in a game."""

    version: int
    change: Object
    repeated: bool
    node: int
    ply: int
    to_move: int
    result: str
    token: str | None = None
    state: State | None = None


class Door(_Answer):
    """A class, as its pupils see it."""

    code: str
    title: str
    game: str
    opponent: str | None
    help: bool
    closed: bool
    url: str


class NewClassAnswer(Door):
    """A new class, and the token of its teacher."""

    teacher: str
    teacher_url: str


class DeskAnswer(_Answer):
    """How a board of a class stands."""

    number: int
    game: str
    url: str
    names: list[str]
    agents: list[str | None]
    free: list[int]
    present: list[int]
    position: str
    last_move: int | None
    ply: int
    to_move: int
    over: bool
    result: str
    winners: list[int]
    winning_lines: list[list[int]]
    updated: int


class ClassAnswer(Door):
    """A class, as its teacher sees it."""

    pupils: int
    most: int
    desks: list[DeskAnswer]


class PupilAnswer(_Answer):
    """The place of a pupil."""

    game: str
    player: int
    token: str
    url: str


class JobAnswer(_Answer):
    """An analysis, or a proof search."""

    id: str
    state: Result
    error: str | None
    preparing: Preparing | None
    result: Object | None


class Converted(_Answer):
    """A record in another notation."""

    text: str
    record: Object


class NotationAnswer(_Answer):
    """A notation of records."""

    name: str
    about: str
    extensions: list[str]


class Notations(_Answer):
    """All notations."""

    notations: list[NotationAnswer]


class ProofsAnswer(_Answer):
    """Proofs that can be explored."""

    proofs: list[Object]


class AtlasAnswer(_Answer):
    """What is known of all n^d."""

    entries: list[Object]


class Begun(_Answer):
    """A run that was begun or resumed."""

    run: int
    url: str


class RunsAnswer(_Answer):
    """Runs, the latest first."""

    runs: list[Object]


class SkillsAnswer(_Answer):
    """Ratings by openskill."""

    run: int
    ratings: list[Object]


class About(_Answer):
    """What a server is."""

    hyperoxo: str
    limits: dict[str, float]
    documentation: str
    openapi: str


class AgentAnswer(_Answer):
    """An agent that can be seated."""

    name: str
    about: str
    options: Object


class AgentsAnswer(_Answer):
    """All agents."""

    agents: list[AgentAnswer]
