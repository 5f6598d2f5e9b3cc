"""The web server behind the pages: games that people and agents play, kept in one file.

The pure part: a `GameInPlay` is the fold of its changes (`changes`, `apply`), and `actions` says
who may make which. Around it: `store` keeps changes, `live` tells watchers, `bots` and
`analyses` think in processes of their own, `core` holds all of them together. `api` is the
door over HTTP; pages use `Core` directly.
"""

from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo.server.core import Core, Invitation
from hyperoxo.server.limits import HOME, PUBLIC, Limits
from hyperoxo.server.live import LiveRoom
from hyperoxo.server.new_game import NewGame, SeatSpec
from hyperoxo.server.refusal import RefusedError
from hyperoxo.server.store import Listing, default_path
from hyperoxo.server.view import state_view

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
