"""The web server behind the pages: games that people and agents play, kept in one file.

The pure part: a `GameInPlay` is the fold of its changes (`changes`, `apply`), and `actions` says
who may make which. Around it: `store` keeps changes, `live` tells watchers, `thinking` and
`analyses` work in processes of their own, `core` holds all of them together. `api` is the
door over HTTP; pages use `Core` directly.
"""

from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo_web.server.core import Core, Invitation
from hyperoxo_web.server.limits import HOME, PUBLIC, Limits
from hyperoxo_web.server.live import LiveRoom
from hyperoxo_web.server.new_game import NewGame, SeatSpec
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import Listing, default_path
from hyperoxo_web.server.view import state_view

__all__ = [
    "HOME",
    "PUBLIC",
    "Core",
    "GameInPlay",
    "Invitation",
    "Limits",
    "Listing",
    "LiveRoom",
    "NewGame",
    "RefusedError",
    "SeatSpec",
    "default_path",
    "state_view",
]
