"""The web server: event-sourced games of people and agents, stored in one SQLite file.

The pure part: a `GameInPlay` is the fold of its changes (`changes`, `apply`), and `actions`
authorises them. Around it: `store` persists changes, `live` publishes them to subscribers,
`thinking` and `analyses` use worker processes, `core` composes all of it. `api` is the HTTP
interface; pages use `Core` directly.
"""

from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo_web.server.core import Core, Invitation
from hyperoxo_web.server.game_session import GameSession
from hyperoxo_web.server.limits import HOME, PUBLIC, Limits
from hyperoxo_web.server.new_game import NewGame, SeatSpec
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import default_path

__all__ = [
    "HOME",
    "PUBLIC",
    "Core",
    "GameInPlay",
    "GameSession",
    "Invitation",
    "Limits",
    "NewGame",
    "RefusedError",
    "SeatSpec",
    "default_path",
]
