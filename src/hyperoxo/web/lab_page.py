"""The laboratory: runs, and a form for a new one."""

from __future__ import annotations

import inspect
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hyperoxo.agents import agent_names, registered
from hyperoxo.errors import HyperoxoError
from hyperoxo.play.changes import now
from hyperoxo.play.presets import OPPONENTS, PRESETS
from hyperoxo.play.words import as_sentence
from hyperoxo.run_options import OPTIONS, Option
from hyperoxo.server.lab.laboratory import RunJob
from hyperoxo.server.view import run_path
from hyperoxo.web.component import LabElement, Page
from hyperoxo.web.reading import a_list, number, share, text

_PAGE = 50
_OFTEN = 0.3
_MOST = 16


@lru_cache(maxsize=1)
def varied() -> list[dict[str, Any]]:
    """Return the agents that may be swept, with the options that are numbers and their defaults."""
    found = []
    makers = registered()
    for name in [one for one in agent_names() if one in makers]:
        options = [
            {"name": key, "value": value.default}
            for key, value in inspect.signature(makers[name]).parameters.items()
            if isinstance(value.default, int | float) and not isinstance(value.default, bool)
        ]
        found.append({"name": name, "options": options})
    return found


def asked(value: dict[str, Any]) -> dict[str, Any]:
    """Read what the page sends into what is asked of the laboratory."""
    kind = text(value, "kind") or ""
    seed = value.get("seed")
    return {
        "kind": kind,
        "game": text(value, "game") or "",
        "options": _options(value, OPTIONS.get(kind, ())),
        "seed": None if seed is None else number(value, "seed"),
    }


def _options(value: dict[str, Any], options: Sequence[Option]) -> dict[str, Any]:
    return {one.name: _option(value, one) for one in options if _is_there(value, one)}


def _is_there(value: dict[str, Any], option: Option) -> bool:
    if option.inside:
        return isinstance(value.get(option.name), dict)
    return option.required or option.name in value


def _option(value: dict[str, Any], option: Option) -> Any:
    """Read one option; what is not there stands for its default."""
    name = option.name
    if option.many:
        return _texts(value, name)
    if option.inside:
        return {one.name: _option(value[name], one) for one in option.inside}
    if option.type is bool:
        return value[name] is True
    if option.type is float:
        return share(value, name)
    if value.get(name) is None and not option.required:
        return option.default
    return number(value, name) if option.type is int else text(value, name) or option.default or ""


def _texts(value: dict[str, Any], name: str) -> list[str]:
    return [one.strip() for one in a_list(value, name, _MOST + 1) if isinstance(one, str)]


class LabPage(Page):
    """One browser's view of the laboratory."""

    kind = LabElement
    _reported = 0.0

    async def build(self, again: int | None) -> None:
        """Build the page; `again` is the number of a run whose settings it begins with."""
        laboratory = self.core.laboratory
        props: dict[str, Any] = {"runs": [], "trouble": "", "again": None}
        try:
            props["runs"] = await laboratory.listing(limit=_PAGE)
            if again is not None:
                props["again"] = (await laboratory.view(again))["request"]
        except HyperoxoError as problem:
            props["trouble"] = as_sentence(str(problem))
        self.show(
            "/lab",
            "Laboratory",
            **props,
            now=now(),
            agents=[list(pair) for pair in OPPONENTS if pair[1] != "human"],
            varied=varied(),
            presets=[{"name": entry.name, "spec": entry.spec} for entry in PRESETS],
            workers=self.limits.run_workers,
        )
        laboratory.listeners.add(self._heard)
        self.client.on_delete(lambda: laboratory.listeners.discard(self._heard))

    async def on_find(self, value: dict[str, Any]) -> None:
        """List runs."""
        offset = max(0, min(number(value, "offset"), 10**6))
        names = ("kind", "game", "agent")
        picked = {name: text(value, name) for name in names if text(value, name)}
        answer: dict[str, Any] = {"asked": value.get("asked"), "offset": offset, "now": now()}
        try:
            answer["runs"] = await self.core.laboratory.listing(picked, _PAGE, offset)
        except HyperoxoError as problem:
            answer |= {"runs": [], "trouble": as_sentence(str(problem))}
        self.element.tell("found", answer)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a run, and go to its page."""
        workers = number(value, "workers") if "workers" in value else 1
        laboratory = self.core.laboratory
        self.go_to(
            run_path(await laboratory.start(asked(value), self.limits, self.address, workers))
        )

    def _heard(self, job: RunJob) -> None:
        if not job.done and time.monotonic() - self._reported < _OFTEN:
            return
        self._reported = time.monotonic()
        self.element.tell(
            "heard",
            {"run": job.run, "games": job.games, "wanted": job.wanted, "done": job.done},
        )
