"""The laboratory: runs, a form for a new one, one run watched live, studies, reports, the atlas."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from hyperoxo.agents import opponents
from hyperoxo.display import as_data
from hyperoxo.play.changes import now
from hyperoxo.play.describe import as_sentence
from hyperoxo.play.presets import PRESETS
from hyperoxo_research.draws.classify import REGION_WORDS
from hyperoxo_research.draws.published import GOLOMB_HALES
from hyperoxo_research.lab.levels import STEPS, steps_table
from hyperoxo_research.study.display import commands_of, counted, text_table, verdicts
from hyperoxo_research.study.parts import Section, Table
from hyperoxo_web.pages.component import Page, Text, body, page, with_error
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.api.models import RUN_BODIES, RunQuery, run_of
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.lab.laboratory import RunJob
from hyperoxo_web.server.new_game import agent_options
from hyperoxo_web.server.view import run_path

_PAGE = 50
_OFTEN = 0.3  # seconds between two reports of a run
_FROM_RESEARCH = {
    "counted": counted,
    "verdicts": verdicts,
    "text_table": text_table,
    "commands": commands_of,
}


def varied() -> list[dict[str, Any]]:
    """Return the agents for sweeps with their numeric options and defaults."""
    numbers = {
        name: {key: one for key, one in options.items() if type(one) in (int, float)}
        for name, options in agent_options().items()
    }
    return [
        {"name": name, "options": [{"name": key, "value": one} for key, one in found.items()]}
        for name, found in numbers.items()
    ]


def run_request(kind: str, value: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Parse a form into the request of a run and its number of processes."""
    if kind not in RUN_BODIES:
        raise RefusedError("bad-request", f"a run is one of {', '.join(RUN_BODIES)}")
    return run_of(kind, body(RUN_BODIES[kind], value))


class LabPage(Page):
    """One browser's view of the laboratory."""

    paths = ("/lab",)
    script = "lab"
    styles = ("form", "list", "results", "lab")
    _reported = 0.0

    async def build(self, again: str = "", kind: str = "", game: str = "", agent: str = "") -> None:
        """Build the page; `again` is the number of a run whose settings it begins with."""
        laboratory, old = self.core.laboratory, _number(again)
        picked = {"kind": kind, "game": game, "agent": agent}
        props: dict[str, Any] = {"entries": [], "trouble": "", "wrong": "", "again": None}
        with with_error(props, "wrong"):
            props["entries"] = await laboratory.listing(picked, _PAGE)
        with with_error(props, "trouble"):
            if old is not None:
                props["again"] = (await laboratory.view(old))["request"]
        head, rows = steps_table(STEPS.stored)
        self.show(
            "/lab",
            "Laboratory",
            **props,
            levels={"head": head, "rows": rows},
            now=now(),
            agents=opponents(),
            varied=varied(),
            presets=[{"name": entry.name, "spec": entry.spec} for entry in PRESETS],
            workers=self.limits.run_workers,
            asked=picked,
        )
        self.listen(laboratory.listeners, self._on_change)

    async def on_find(
        self, offset: int, kind: Text = "", game: Text = "", agent: Text = "", asked: Any = None
    ) -> None:
        """List runs."""
        offset, picked = max(0, min(offset, 10**6)), {"kind": kind, "game": game, "agent": agent}
        answer: dict[str, Any] = {"asked": asked, "offset": offset, "now": now(), "entries": []}
        with with_error(answer, "trouble"):
            answer["entries"] = await self.core.laboratory.listing(picked, _PAGE, offset)
        self.push("found", answer)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a run, and go to its page."""
        request, workers = run_request(str(value.get("kind", "")), value)
        run = await self.core.laboratory.start(request, self.client, workers)
        self.go_to(run_path(run))

    def _on_change(self, job: RunJob) -> None:
        # Throttled, as every range of games is a report; the end always passes.
        if not job.done and time.monotonic() - self._reported < _OFTEN:
            return
        self._reported = time.monotonic()
        self.push("updated", as_data(job, "run games wanted done"))


def _number(text: str) -> int | None:
    """Read a number that an address may hold."""
    # ASCII only, since `isdigit` also takes superscripts, which `int` refuses.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def evaluation_of(value: dict[str, Any]) -> dict[str, Any] | None:
    """Parse the evaluation of a sweep; None stands for the one of its request."""
    try:
        return body(RunQuery, {name: one for name, one in value.items() if one != ""}).chosen
    except RefusedError:
        return None


class RunPage(Page):
    """One browser's view of a run."""

    paths = ("/run/{run}",)
    missing = "There is no such run."
    why = "It may have been deleted."
    script = "run"
    styles = ("list", "results", "run")

    async def build(self, run: str, measure: str = "", fit: str = "", degree: str = "") -> None:
        """Build the page; the parameters choose another evaluation of a sweep."""
        chosen = evaluation_of({"measure": measure, "fit": fit, "degree": _number(degree)})
        view = await self.core.laboratory.view(_number(run) or 0, chosen)
        self.run: int = view["run"]
        self.trusted = self.core.trusts(self.address)
        self.show(
            "/lab",
            f"Run {self.run}",
            view["game"],
            view=view,
            now=now(),
            trusted=self.trusted,
            workers=self.limits.run_workers,
        )
        self.beside("watch a run", self._poll(chosen))

    async def on_evaluate(self, value: dict[str, Any]) -> None:
        """Show another evaluation of a sweep."""
        self.beside("watch a run", self._poll(evaluation_of(value)))

    async def on_stop(self) -> None:
        """End the run."""
        await self.core.laboratory.stop(self.run, self.address, trusted=self.trusted)
        self.push("did", now())

    async def on_resume(self, workers: int | None = None) -> None:
        """Resume the run, with as many workers as asked for, or as before."""
        await self.core.laboratory.resume(self.run, self.client, workers)
        self.push("did", now())

    async def on_rate(self) -> None:
        """Rate the agents of a tournament by openskill."""
        self.push("rated", await self.core.laboratory.skills(self.run))

    async def on_delete(self) -> None:
        """Delete the run, and go back to the others."""
        await self.core.laboratory.delete(self.run, trusted=self.trusted)
        self.push("did", now())
        self.go_to("/lab")

    async def _poll(self, chosen: dict[str, Any] | None) -> None:
        try:
            async with aclosing(self.core.laboratory.follow(self.run, chosen, on=True)) as views:
                async for view in views:
                    self.push("viewed", {"view": view, "now": now()})
        except RefusedError as refusal:
            self.refuse(as_sentence(str(refusal)))


class StudiesPage(Page):
    """One browser's view of the studies."""

    paths = ("/studies",)
    script = "studies"
    styles = ("list", "results", "studies")

    async def build(self) -> None:
        """Build the page."""
        laboratory = self.core.laboratory
        props: dict[str, Any] = {"now": now(), "runs": [], "trouble": ""}
        props |= {"workers": self.limits.run_workers, **await laboratory.query("studies")}
        with with_error(props, "trouble"):
            props["runs"] = await laboratory.listing({"kind": "study"})
        self.show("/lab", "Studies", **props)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a study, and go to its page."""
        # Without its own seed a study gives the same figures as the command.
        request, workers = run_request("study", {"seed": 0, **value})
        self.go_to(run_path(await self.core.laboratory.start(request, self.client, workers)))


class ReportPage(Page):
    """The report of a study in one browser."""

    paths = ("/report/{name}",)
    missing = "There is no such report."
    why = "It may have been deleted."
    script = "report"
    styles = ("list", "results", "report")

    async def build(self, name: str) -> None:
        """Build the page."""
        report = await self.core.laboratory.query("report", name=name)
        title = report["title"] or name
        try:
            sections = [(one, _section(one, report["tables"])) for one in report["sections"]]
            values = {"report": report, "sections": sections, **_FROM_RESEARCH}
            self.markup = page("report.html", "/lab", title, self.styles, **values)
        except (AttributeError, KeyError, TypeError, ValueError):  # not written by hyperoxo
            raise RefusedError("no-report", "there is no such report") from None


def _section(data: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]) -> Section:
    own = [tables[name] for name in data["tables"] if name in tables]
    return Section(data["title"], data["text"], *map(_table, own))


def _table(data: Mapping[str, Any]) -> Table:
    columns = tuple(map(str, data["columns"]))
    rows = tuple(tuple(map(row.get, columns)) for row in data["rows"])
    return Table(data["name"], data["title"], columns, rows, data["text"])


class AtlasPage(Page):
    """One browser's view of the atlas."""

    paths = ("/atlas",)
    missing = "The atlas has no such board."
    why = "It has sides 1 to 12, dimensions 1 to 8."
    script = "atlas"
    styles = ("list", "results", "atlas")

    async def build(self, board: str = "") -> None:
        """Build the page; `board` is the one whose steps are shown, empty for none."""
        if board:
            self.core.atlas.entry(board)
        entries = await in_thread(self.core.atlas.views, self.limits)
        self.show(
            "/lab",
            "Atlas of n^d",
            entries=entries,
            regions=[[region, words] for region, words in REGION_WORDS.items()],
            source=GOLOMB_HALES,
            chosen=board,
        )

    async def on_explore(self, board: Text, step: int) -> None:
        """Make the proof of a step, and go to it in the explorer."""
        self.go_to(f"/proof/{await self.core.atlas.explored(board, step, self.client)}")
