"""The studies, and the reports that came of them."""

from __future__ import annotations

from typing import Any

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.changes import now
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core
from hyperoxo.server.view import run_path
from hyperoxo.web.component import Page, ReportElement, StudiesElement
from hyperoxo.web.reading import number, share, text
from hyperoxo.web.shell import frame


class StudiesPage(Page):
    """One browser's view of the studies."""

    kind = StudiesElement

    async def build(self) -> None:
        """Build the page."""
        laboratory = self.core.laboratory
        props: dict[str, Any] = {"now": now(), "runs": [], "trouble": ""}
        props |= {"workers": self.limits.run_workers, **await laboratory.studies()}
        try:
            props["runs"] = await laboratory.listing({"kind": "study"})
        except HyperoxoError as problem:
            props["trouble"] = as_sentence(str(problem))
        self.show("/lab", "Studies", **props)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a study, and go to its page."""
        options = {"study": text(value, "study") or "", "full": value.get("full") is True}
        if value.get("scale", 1) != 1:
            options["scale"] = share(value, "scale")
        # Without a seed of its own a study gives the same figures as the command.
        seed = number(value, "seed") if "seed" in value else 0
        workers = number(value, "workers") if "workers" in value else 1
        request = {"kind": "study", "game": "", "options": options, "seed": seed}
        run = await self.core.laboratory.start(request, self.limits, self.address, workers)
        self.go_to(run_path(run))


async def report_page(core: Core, name: str) -> ReportElement:
    """Build the page of a report."""
    report = await core.laboratory.report(name)
    with frame("/lab", report["title"] or name):
        return ReportElement(report=report, now=now())
