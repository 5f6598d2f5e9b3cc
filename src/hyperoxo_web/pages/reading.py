"""Reads what browsers send: anything may come, so each value is checked."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, validate_call

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo_web.server import RefusedError

Text = Annotated[str, Field(max_length=1_000)]
Model = TypeVar("Model", bound=BaseModel)


def read_for(action: Callable[..., Awaitable[None]]) -> Callable[[dict[str, Any]], Awaitable[None]]:
    """Let an action be called with an object that a page sends: its parameters are the keys.

    A parameter `value` is the whole object.
    """
    names = inspect.signature(action).parameters
    checked = validate_call(config=ConfigDict(strict=True))(action)

    async def read(value: dict[str, Any]) -> None:
        known = {**value, "value": value}
        with _refusing():
            await checked(**{name: known[name] for name in names if name in known})

    return read


@contextmanager
def _refusing() -> Iterator[None]:
    """Let what is no value of its type be a refusal."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        said = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        said = said.replace(": Missing required argument", " must be given")
        raise RefusedError("bad-request", said.replace(": Input should be", " must be")) from None


def body(model: type[Model], value: dict[str, Any]) -> Model:
    """Return what the body of a request over HTTP holds, with what else is sent left out."""
    with _refusing():
        known = {name: value[name] for name in model.model_fields if name in value}
        return model.model_validate(known)


@contextmanager
def told_in(answer: dict[str, Any], name: str = "error") -> Iterator[None]:
    """Put what is wrong, if anything is, into an answer."""
    try:
        yield
    except HyperoxoError as problem:
        answer[name] = as_sentence(str(problem))
