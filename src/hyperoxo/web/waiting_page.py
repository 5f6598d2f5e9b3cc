"""A page that cannot be shown before something is compiled for it, at its first use."""

from __future__ import annotations

from typing import Any

from hyperoxo.server import Core
from hyperoxo.web.clients import Client
from hyperoxo.web.component import Page


class WaitingPage(Page):
    """Says how far it is, and goes to the page when it can be shown."""

    script = "waiting"

    def __init__(
        self, core: Core, client: Client, path: str, name: str, needs: dict[str, Any]
    ) -> None:
        super().__init__(core, client)
        self.show(f"/{path.split('/')[1]}", name, name=name)
        self.beside("wait for a page", self._wait(path, needs))

    async def _wait(self, path: str, needs: dict[str, Any]) -> None:
        await self.core.preparation.ready(needs, self.prepares)
        self.go_to(path)
