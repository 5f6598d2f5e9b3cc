"""Refusals: errors with a code for programs and a message for people."""

from __future__ import annotations

from typing import ClassVar

from hyperoxo.errors import HyperoxoError


class RefusedError(HyperoxoError):
    """A refused request; nothing has changed."""

    exit_code = 1

    CODES: ClassVar[dict[str, int]] = {
        "bad-request": 422,  # a value makes no sense
        "not-found": 404,  # there is nothing at this address
        "no-game": 404,  # there is no such game
        "no-class": 404,  # there is no class with this code
        "no-node": 404,  # the game has no such position
        "no-analysis": 404,  # there is no such analysis
        "no-proof": 404,  # there is no such proof
        "no-run": 404,  # the laboratory has no such run
        "no-report": 404,  # there is no such report of a study, or none of the game
        "foreign-host": 421,  # the request is for another server
        "foreign-origin": 403,  # a page of another site asks
        "not-yours": 403,  # only the client that began the run, or one at this machine, may do this
        "no-seat": 403,  # the token holds no seat here
        "wrong-seat": 403,  # another seat is to move
        "not-host": 403,  # only the host of the game may do this
        "not-teacher": 403,  # only the teacher of the class may do this
        "illegal": 422,  # the rules forbid the move
        "late": 409,  # the move answers a position that is no longer the current one
        "twice": 409,  # the key was used for another move
        "over": 409,  # the game has ended
        "time": 409,  # the player's time had run out
        "not-yet": 403,  # this game is analysed after its end only
        "no-request": 409,  # there is nothing to answer
        "nothing-to-do": 409,  # no move to take back, nothing to pause
        "limit": 429,  # a limit of this server is reached
        "too-large": 413,  # the request is too large
        "worker": 503,  # the process of an agent has ended
        "store": 503,  # the change could not be stored, or the game not read
    }

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.status = self.CODES[code]
        super().__init__(message)
