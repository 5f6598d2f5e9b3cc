"""One run of the laboratory, watched live."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from nicegui import Client, background_tasks

from hyperoxo.play.changes import now
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, RefusedError
from hyperoxo.web.component import Page, RunElement
from hyperoxo.web.reading import number, text

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


class RunPage(Page):
    """One browser's view of a run."""

    kind = RunElement

    def __init__(self, core: Core, client: Client, view: dict[str, Any]) -> None:
        super().__init__(core, client)
        self.run: int = view["run"]
        self.trusted = core.trusts(self.address)
        self._task: asyncio.Task[object] | None = None
        self.show(
            "/lab",
            f"Run {self.run}",
            view["game"],
            view=view,
            now=now(),
            trusted=self.trusted,
            workers=self.limits.run_workers,
            gone=False,
        )
        self._follow(None)
        client.on_delete(self.close)

    async def on_look(self, value: dict[str, Any]) -> None:
        """Look at a sweep in another way."""
        self._follow(look_of(value))

    async def on_stop(self, _: dict[str, Any]) -> None:
        """End the run."""
        await self.core.laboratory.stop(self.run, self.address, trusted=self.trusted)
        self.element.tell("did", now())

    async def on_resume(self, value: dict[str, Any]) -> None:
        """Resume the run, with as many workers as asked for, or as before."""
        workers = number(value, "workers") if "workers" in value else None
        await self.core.laboratory.resume(self.run, self.limits, self.address, workers)
        self.element.tell("did", now())

    async def on_rate(self, _: dict[str, Any]) -> None:
        """Rate the agents of a tournament by openskill."""
        self.element.tell("rated", await self.core.laboratory.skills(self.run))

    async def on_delete(self, _: dict[str, Any]) -> None:
        """Delete the run, and go back to the others."""
        await self.core.laboratory.delete(self.run, trusted=self.trusted)
        self.element.tell("did", now())
        self.go_to("/lab")

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
            self.refuse(as_sentence(str(refusal)))

    def close(self) -> None:
        """The browser is gone."""
        if self._task is not None:
            self._task.cancel()
