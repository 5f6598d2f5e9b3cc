"""Request models of the HTTP interface: bodies and queries, validated before use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from hyperoxo.notation import Record
from hyperoxo.run_options import Option, run_kind, run_kinds
from hyperoxo_web.server.answer import Body, Name, Spec
from hyperoxo_web.server.new_game import NewGame, SeatSpec

Text = Annotated[str, Field(max_length=1_000_000)]
Cell = Annotated[int, Field(ge=0, le=10**6)]
Number = Annotated[int, Field(ge=0, le=10**9)]


class ClockModel(Body):
    """Time of each player."""

    seconds: float = Field(gt=0, description="For the whole game.")
    increment: float = Field(0.0, ge=0, description="Given back after each move.")


class GameRequest(Body):
    """A game to be made."""

    game: Spec = Field("3^2", description="Game spec, such as 4^3 or 3^4:blocked=centre,target=9.")
    seats: list[str | SeatSpec] = Field(
        [], max_length=8, description="One a player: an agent spec, 'human' or an object."
    )
    position: Spec | None = Field(None, description="One character per cell, or moves:0,3,60.")
    record: Text | None = Field(None, description="A record to continue, in any notation.")
    notation: Name | None = Field(None, description="Notation of the record; guessed if left out.")
    options: dict[str, Name] = Field({}, description="Options of the notation, as of oxo convert.")
    title: Name = ""
    listed: bool = Field(default=True, description="Show the game in lists.")
    pace: float = Field(0.0, ge=0, le=60, description="Least seconds between moves of agents.")
    clock: ClockModel | None = None
    analysis: Literal["always", "after"] = Field(
        "always", description="Hints always, or only after the end."
    )
    seed: int | None = Field(None, ge=0, lt=2**32, description="Seed of the agents; else drawn.")

    def new_game(self, record: Record | None = None) -> NewGame:
        """Return the game, with the record that it continues where there is one."""
        asked = {name: getattr(self, name) for name in NewGame.__dataclass_fields__}
        seats = [SeatSpec(agent=one) if isinstance(one, str) else one for one in self.seats]
        clock = None if self.clock is None else (self.clock.seconds, self.clock.increment)
        return NewGame(**{**asked, "seats": seats, "record": record, "clock": clock})


class Move(Body):
    """A move; it names the position that it answers by `ply` or `node`."""

    cell: Cell
    ply: Number | None = Field(None, description="Number of moves before this one.")
    node: Number | None = Field(None, description="Node of the history that the move answers.")
    key: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        None, description="Any text of your choice; a move sent again with it is played once."
    )
    wait: float = Field(
        0.0, ge=0, le=60, description="Seconds to wait until it is your turn again."
    )


class GameQuery(BaseModel):
    """Query of every request about a game."""

    token: str | None = Field(
        None, description="Token of a seat, where no Authorization header can be sent."
    )


class PollQuery(GameQuery):
    """Query of a game: long polling."""

    after: int | None = Field(None, description="Wait for a later version than this.")
    wait: float = Field(30.0, ge=0, le=60, description="Seconds to wait for it.")


class Resignation(Body):
    """The player who resigns, for a token that holds several seats."""

    player: Annotated[int, Field(ge=1, le=8)] | None = None


class Jump(Body):
    """Target of a jump in the history."""

    node: Number


class ConsentRequest(Body):
    """A request to the other players."""

    kind: Literal["undo", "redo", "swap", "draw", "help"]


class Answer(Body):
    """An answer to a request."""

    yes: bool
    number: Number | None = Field(None, description="Which request is meant.")


class SeatChange(Body):
    """A new name for a seat or, with `agent` given, another player in it."""

    name: Name = ""
    agent: Name | None = Field(None, description="An agent spec, or 'human' for a person.")


class TitleChange(Body):
    """A new title."""

    title: Name
    listed: bool = True


class PupilRequest(Body):
    """A pupil who joins a class."""

    name: Name


class AnnouncementRequest(Body):
    """A message to all pupils."""

    words: Name


class FillRequest(Body):
    """The agent for a free seat."""

    agent: Name = "level:3"


class _Where(Body):
    """A position, or a game of this server."""

    game: Spec | None = Field(None, description="Game spec, for a position.")
    position: Spec | None = Field(None, description="Position; the empty board unless given.")
    room: Name | None = Field(None, description="A game of this server, instead.")
    node: Number | None = Field(None, description="Its node; by default the present one.")


class AnalysisRequest(_Where):
    """An analysis: of a position, a game of this server, or a whole record."""

    record: Text | None = Field(None, description="A record in any notation, instead.")
    notation: Name | None = None
    seconds: float = Field(2.0, gt=0, le=3600, description="Time for each position.")


class SuggestionModel(Body):
    """A move that a proof search tries first where its player is to move."""

    cell: Cell
    position: Spec | None = Field(
        None, description="Where; the position that is searched unless given."
    )


class ProofRequest(_Where):
    """A proof search: at a position, or in a game of this server."""

    seconds: float = Field(60.0, gt=0, le=3600, description="Time limit.")
    every_move: bool = Field(default=False, description="Decide every move.")
    attacker: int | None = Field(
        None,
        ge=1,
        le=2,
        description="The only player whose win is searched; both in turn unless given.",
    )
    continues: Name | None = Field(
        None, description="An earlier search of the same position, to continue if it is kept."
    )
    suggestions: list[SuggestionModel] = Field(
        [],
        max_length=500,
        description="Moves to try first; they order the search and prove nothing.",
    )
    dictionary: Text | None = Field(
        None, description="More such moves, as a dictionary in Thompson's form."
    )


class ProofTreeRequest(Body):
    """A proof to check: a file, or the result of a proof search."""

    proof: Text | None = Field(None, description="The text of a proof file.")
    search: Name | None = Field(
        None, description="A proof search of this server that found a win, while it is kept."
    )


Workers = Annotated[int, Field(ge=1, le=64)]


class _RunBody(Body):
    """Common options of runs of the laboratory."""

    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = Field(
        None, description="The same seed gives the same games; drawn unless given."
    )
    workers: Workers = Field(1, description="Number of processes that play.")


class ResumeRequest(Body):
    """Options of resuming a run."""

    workers: Workers | None = Field(
        None, description="Number of processes that play; default: as before."
    )


def _model(
    name: str, text: str, base: type[BaseModel], options: Sequence[Option], **more: Any
) -> Any:
    """Make the model of an object from the options that it holds."""
    fields: dict[str, Any] = {option.name: _field(option) for option in options}
    return create_model(name, __base__=base, __doc__=text, **more, **fields)


def _field(option: Option) -> tuple[Any, Any]:
    """Return the type and the default of one option."""
    bounds = {"ge": option.least, "gt": option.above, "le": option.most, "lt": option.below}
    limits: dict[str, Any] = {name: one for name, one in bounds.items() if one is not None}
    kind: Any = option.type
    if option.inside:
        kind = _model("TestRequest", option.help, Body, option.inside)
    elif option.choices:
        kind = Literal[option.choices]
    elif option.name == "games":
        kind = Games
    elif kind is str:
        kind = Name
    elif limits:
        kind = Annotated[kind, Field(**limits)]
    if option.many:
        least, most = option.many
        kind = Annotated[list[kind], Field(min_length=least or None, max_length=most)]
    if option.default is None and not option.required:
        kind = kind | None
    text = option.help
    if option.name == "games" and option.default is None:
        text += " 100 unless given, with a test 100,000."
    elif option.type is str and option.metavar is not None:
        text = f"{option.metavar}: {text}"
    default = ... if option.required else option.default
    return Annotated[kind, Field(description=text)], default


Games = Annotated[int, Field(ge=1, le=10**9)]

RUN_BODIES = {
    kind: _model(
        f"{kind.title()}Request",
        f"What a {kind} is begun with.",
        _RunBody,
        found.options,
        **({} if kind == "study" else {"game": (Spec, "3^2")}),
    )
    for kind, found in ((kind, run_kind(kind)) for kind in run_kinds())
}
"""Bodies of the requests that begin a run, by its kind."""


def run_of(kind: str, body: BaseModel) -> tuple[dict[str, Any], int]:
    """Return the request of a run, and the number of its processes."""
    options = body.model_dump()
    workers, seed, game = (options.pop(name, "") for name in ("workers", "seed", "game"))
    return {"kind": kind, "game": game, "options": options, "seed": seed}, workers


class RunQuery(BaseModel):
    """Evaluation of a sweep."""

    measure: Literal["score", "wins", "losses"] | None = Field(
        None, description="Measure that is fitted."
    )
    fit: Literal["polynomial", "spline"] = Field("polynomial", description="Curve of a sweep.")
    degree: int | None = Field(None, ge=0, le=12, description="Of the polynomial; by BIC.")

    @property
    def chosen(self) -> dict[str, Any] | None:
        """The evaluation that is wanted; None for that of the request."""
        return None if self.measure is None else self.model_dump()


class Conversion(Body):
    """Text to convert to another notation."""

    text: Text
    source: Name | None = Field(None, description="Its notation; guessed if left out.")
    target: Name = Field("record", description="The notation wanted.")
    options: dict[str, Name] = Field({}, description="Options, as of oxo convert.")


def described(body: type[BaseModel] | None, query: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of a request that is parsed by hand."""
    path = {"name": "room", "in": "path", "required": True, "schema": {"type": "string"}}
    asked = [
        {"name": name, "in": "query", "schema": schema, "description": schema["description"]}
        for name, schema in query.model_json_schema()["properties"].items()
    ]
    found: dict[str, Any] = {"parameters": [path, *asked]}
    if body is not None:
        content = {"application/json": {"schema": body.model_json_schema()}}
        found["requestBody"] = {"required": True, "content": content}
    return found
