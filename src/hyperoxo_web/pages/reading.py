"""Reads what browsers send: anything may come, so each value is checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo_web.server import RefusedError

_LONGEST = 1_000
Model = TypeVar("Model", bound=BaseModel)


def number(value: dict[str, Any], name: str) -> int:
    """Return a whole number."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise RefusedError("bad-request", f"{name} must be a whole number")
    return found


def body(model: type[Model], value: dict[str, Any]) -> Model:
    """Return what the body of a request over HTTP holds, with what else is sent left out."""
    try:
        known = {name: value[name] for name in model.model_fields if name in value}
        return model.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        said = f"{where}: {first['msg']}".replace(": Input should be", " must be")
        raise RefusedError("bad-request", said) from None


def text(value: dict[str, Any], name: str, longest: int = _LONGEST) -> str | None:
    """Return a text that is neither empty nor too long, or None."""
    found = value.get(name)
    return found if isinstance(found, str) and 0 < len(found) <= longest else None


@contextmanager
def told_in(answer: dict[str, Any], name: str = "error") -> Iterator[None]:
    """Put what is wrong, if anything is, into an answer."""
    try:
        yield
    except HyperoxoError as problem:
        answer[name] = as_sentence(str(problem))


def a_list(value: dict[str, Any], name: str, most: int) -> list[Any]:
    """Return a list of at most `most` things; an empty one where there is none."""
    found = value.get(name)
    return found[:most] if isinstance(found, list) else []
