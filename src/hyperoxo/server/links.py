"""Where games and runs are found."""

from __future__ import annotations

from urllib.parse import quote


def game_path(game: str, token: str | None = None) -> str:
    """Return the path of a game's page: with the token of a seat an invitation to it."""
    return f"/game/{quote(game)}" + (f"?seat={quote(token)}" if token else "")


def run_path(run: int) -> str:
    """Return the path of the page of a run of the laboratory."""
    return f"/run/{run}"
