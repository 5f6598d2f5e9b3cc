"""Base models of requests and responses; a response model also reads its fields from an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

from hyperoxo.display import as_data

Object = dict[str, Any]
"""An object with documented keys."""

Name = Annotated[str, Field(max_length=200)]
Spec = Annotated[str, Field(max_length=20_000)]


class Body(BaseModel):
    """Body of a request, validated before use."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True)
class Read:
    """Annotation: getter of a response field that is not an attribute of the same name."""

    read: Callable[[Any], Any]


class Answer(BaseModel):
    """An object of an answer: a model for its description, and `of` to make one."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def of(cls, thing: object, **known: Any) -> dict[str, Any]:
        """Serialise an object; `known` overrides fields that depend on more than the object."""
        # A field with a default is omitted unless it is known.
        found = {name: read(thing) for name, read in _readers(cls) if name not in known}
        return found | known


def listing(key: str, kind: Any = Object) -> type[Answer]:
    """Return the model of an answer that is a list under a key."""
    fields: dict[str, Any] = {key: list[kind]}
    return create_model(f"{key.title()}Answer", __base__=Answer, **fields)


@cache
def _readers(answer: type[Answer]) -> list[tuple[str, Callable[[Any], Any]]]:
    found = []
    for name, field in answer.model_fields.items():
        if field.is_required():
            readers = [one.read for one in field.metadata if isinstance(one, Read)]
            found.append((name, readers[0] if readers else _reader(name, field.annotation)))
    return found


def _reader(name: str, kind: Any) -> Callable[[Any], Any]:
    """Return the getter of an attribute: as it is, as a list, or serialised by its model."""
    found = attrgetter(name)
    kinds = [one for one in get_args(kind) if one is not NoneType] or [kind]
    make = as_data if is_dataclass(kinds[0]) else getattr(kinds[0], "of", None)
    if make is not None:
        if get_origin(kind) is list:
            return lambda thing: [make(one) for one in found(thing)]
        return lambda thing: None if (value := found(thing)) is None else make(value)
    return (lambda thing: list(found(thing))) if get_origin(kind) is list else found
