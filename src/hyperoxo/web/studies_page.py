"""The studies, and the reports that came of them."""

from __future__ import annotations

from typing import Any, Self

from nicegui import Client, ui

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core
from hyperoxo.server.links import run_path
from hyperoxo.server.times import now
from hyperoxo.web.component import ReportElement, StudiesElement
from hyperoxo.web.reading import number, share, text
from hyperoxo.web.shell import frame


class StudiesPage:
    """One browser's view of the studies.

    Parameters
    ----------
    core : Core
        The server.
    client : Client
        The browser.
    props : dict
        What the page is given at first.
    """

    def __init__(self, core: Core, client: Client, props: dict[str, Any]) -> None:
        self.core = core
        self.client = client
        with frame("/lab", "Studies"):
            self.element = StudiesElement(**props)
        self.element.hears("begin", self.on_begin)

    @classmethod
    async def opened(cls, core: Core, client: Client) -> Self:
        """Build the page."""
        limits = core.limits_of(client.ip or "")
        props: dict[str, Any] = {
            "now": now(),
            "runs": [],
            "trouble": "",
            "workers": limits.run_workers,
        }
        props |= await core.laboratory.studies()
        try:
            props["runs"] = await core.laboratory.listing({"kind": "study"})
        except HyperoxoError as problem:
            props["trouble"] = as_sentence(str(problem))
        return cls(core, client, props)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a study, and go to its page."""
        client = self.client.ip or ""
        options = {"study": text(value, "study") or "", "full": value.get("full") is True}
        try:
            if value.get("scale", 1) != 1:
                options["scale"] = share(value, "scale")
            # Without a seed of its own a study gives the same figures as the command.
            seed = number(value, "seed") if "seed" in value else 0
            workers = number(value, "workers") if "workers" in value else 1
            request = {"kind": "study", "game": "", "options": options, "seed": seed}
            limits = self.core.limits_of(client)
            run = await self.core.laboratory.start(request, limits, client, workers)
        except HyperoxoError as problem:
            self.element.tell("failed", as_sentence(str(problem)))
            return
        with self.element:
            ui.navigate.to(run_path(run))


async def report_page(core: Core, name: str) -> ReportElement:
    """Build the page of a report."""
    report = await core.laboratory.report(name)
    with frame("/lab", report["title"] or name):
        return ReportElement(report=report, now=now())
