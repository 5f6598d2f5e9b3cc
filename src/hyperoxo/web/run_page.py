"""One run of the laboratory, watched live."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from nicegui import Client, background_tasks, ui

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, RefusedError
from hyperoxo.server.times import now
from hyperoxo.web.component import RunElement
from hyperoxo.web.reading import number, text
from hyperoxo.web.shell import frame

_MEASURES = ("score", "wins", "losses")
_MOST_DEGREE = 12


def look_of(value: dict[str, Any]) -> dict[str, Any] | None:
    """Read how a sweep is to be looked at; None stands for the way it was asked for."""
    measure, degree = text(value, "measure"), value.get("degree")
    if measure not in _MEASURES:
        return None
    known = isinstance(degree, int) and 0 <= degree <= _MOST_DEGREE
    fit = "spline" if text(value, "fit") == "spline" else "polynomial"
    return {"measure": measure, "fit": fit, "degree": degree if known else None}


class RunPage:
    """One browser's view of a run.

    Parameters
    ----------
    core : Core
        The server.
    client : Client
        The browser.
    view : dict
        The run as it stands.
    """

    def __init__(self, core: Core, client: Client, view: dict[str, Any]) -> None:
        self.core = core
        self.client = client
        self.run: int = view["run"]
        self._task: asyncio.Task[object] | None = None
        with frame("/lab", f"Run {self.run}", view["game"]):
            self.element = RunElement(
                view=view,
                now=now(),
                trusted=core.trusts(client.ip or ""),
                workers=core.limits_of(client.ip or "").run_workers,
                gone=False,
            )
        self.element.hears("look", self.on_look)
        self.element.hears("stop", self.on_stop)
        self.element.hears("resume", self.on_resume)
        self.element.hears("rate", self.on_rate)
        self.element.hears("delete", self.on_delete)
        self._follow(None)
        client.on_delete(self.close)

    async def on_look(self, value: dict[str, Any]) -> None:
        """Look at a sweep in another way."""
        self._follow(look_of(value))

    async def on_stop(self, _: dict[str, Any]) -> None:
        """End the run."""
        client = self.client.ip or ""
        trusted = self.core.trusts(client)
        await self._try(self.core.laboratory.stop(self.run, client, trusted=trusted))

    async def on_resume(self, value: dict[str, Any]) -> None:
        """Go on with the run, with as many workers as asked for, or as before."""
        client = self.client.ip or ""
        limits = self.core.limits_of(client)
        try:
            workers = number(value, "workers") if "workers" in value else None
        except RefusedError as refusal:
            self.element.tell("failed", as_sentence(str(refusal)))
            return
        await self._try(self.core.laboratory.resume(self.run, limits, client, workers))

    async def on_rate(self, _: dict[str, Any]) -> None:
        """Rate the agents of a tournament by openskill."""
        try:
            rated = await self.core.laboratory.skills(self.run)
        except HyperoxoError as problem:
            self.element.tell("failed", as_sentence(str(problem)))
            return
        self.element.tell("rated", rated)

    async def on_delete(self, _: dict[str, Any]) -> None:
        """Forget the run, and go back to the others."""
        trusted = self.core.trusts(self.client.ip or "")
        if await self._try(self.core.laboratory.delete(self.run, trusted=trusted)):
            with self.element:
                ui.navigate.to("/lab")

    async def _try(self, work: Any) -> bool:
        try:
            await work
        except HyperoxoError as problem:
            self.element.tell("failed", as_sentence(str(problem)))
            return False
        self.element.tell("did", now())
        return True

    def _follow(self, look: dict[str, Any] | None) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = background_tasks.create(self._watch(look))

    async def _watch(self, look: dict[str, Any] | None) -> None:
        try:
            async with aclosing(self.core.laboratory.follow(self.run, look, on=True)) as views:
                async for view in views:
                    self.element.keep("view", view)
                    self.element.tell("viewed", {"view": view, "now": now()})
        except RefusedError as refusal:
            self.element.keep("gone", refusal.code == "no-run")
            self.element.tell("failed", as_sentence(str(refusal)))

    def close(self) -> None:
        """The browser is gone."""
        if self._task is not None:
            self._task.cancel()
