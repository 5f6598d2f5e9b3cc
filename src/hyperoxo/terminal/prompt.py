"""Play in the terminal: a prompt that works for people and in pipes."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.notation import Record
from hyperoxo.play.look import Look
from hyperoxo.play.pictures.boards import draw_board
from hyperoxo.play.reasons import move_sentence
from hyperoxo.play.saving import load_record, save_record
from hyperoxo.play.session import HUMAN, Session
from hyperoxo.play.words import as_sentence, resignation, result_sentence, rules_sentences
from hyperoxo.terminal.commands import run_command
from hyperoxo.terminal.screen import Screen
from hyperoxo.terminal.typed import looks_like_move, move_hint, read_typed_move

__all__ = ["Terminal", "look_of"]

_LONGEST_POSITION = 2000


class Terminal:
    """One session at one screen."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        look: Look,
        *,
        save_path: Path | None = None,
        explain: bool = False,
        quiet: bool = False,
    ) -> None:
        self.session = session
        self.screen = screen
        self.look = look
        self.save_path = save_path
        self.explain = explain
        self.quiet = quiet
        self.stale = True
        self.leaving = False

    def run(self) -> dict[str, Any]:
        """Play until the game is over or the person leaves; return the game as plain values."""
        try:
            self.introduce()
            self._loop()
        except KeyboardInterrupt:
            self._interrupted()
            raise
        return self.session.summary()

    def _loop(self) -> None:
        ended = False
        while not self.leaving:
            if self.session.is_over:
                if not ended or self.stale:
                    self._finish()
                ended = True
                if not (self.screen.interactive and self.session.humans):
                    return
                if not self._prompt("Again? (new, undo, quit): "):
                    return
            elif self.session.human_to_move:
                ended = False
                if self.stale:
                    self.show_board()
                if not self._prompt(self._turn_prompt()):
                    self._say_how_to_go_on()
                    return
            else:
                ended = False
                self._agent_turn()
        if not self.session.is_over:
            self._say_how_to_go_on()

    def _agent_turn(self) -> None:
        before = self.session.position
        cell, why = self.session.think(explain=self.explain)
        if not self.quiet or self.explain:
            self.screen.tell(move_sentence(before, cell, self.look, why))
        self.changed()

    def _prompt(self, question: str) -> bool:
        """Ask once and do what is said; return False at the end of the input."""
        try:
            text = self.screen.ask(question).strip()
        except EOFError:
            if self.screen.interactive:
                self.screen.tell("")
            return False
        try:
            if looks_like_move(self.session.game, text):
                self.session.play(read_typed_move(self.session.position, text))
                self.changed()
            elif text:
                run_command(self, text)
        except HyperoxoError as error:
            self.screen.tell(as_sentence(str(error)))
        except OSError as error:
            self.screen.tell(f"{error.filename}: {error.strerror}.")
        return True

    def _turn_prompt(self) -> str:
        if len(self.session.humans) == 1:
            return "Your move: "
        return f"{self.look.name(self.session.position.to_move)} to move: "

    def changed(self) -> None:
        """Note that the position has changed; save it where that was asked for."""
        self.stale = True
        self.keep()

    def keep(self) -> None:
        """Save the game where that was asked for."""
        if self.save_path is not None:
            self.save(self.save_path)

    def show_board(self) -> None:
        """Draw the board, and the score where more than one line is wanted."""
        drawn = draw_board(self.session.position, self.look, chosen=self.session.answers)
        self.screen.show(drawn)
        self.stale = False
        game = self.session.game
        if game.target > 1 and not self.session.is_over:
            scores = enumerate(self.session.position.lines_owned, start=1)
            told = ", ".join(f"{self.look.name(player)} {score}" for player, score in scores)
            self.screen.tell(f"Lines: {told}; {game.target} wanted.")

    def introduce(self) -> None:
        """Tell who plays what, the rules that are not plain, and how to type a move."""
        self.stale = True
        if self.quiet:
            return
        self.introduce_seats()
        if self.session.humans:
            for sentence in rules_sentences(self.session.game):
                self.screen.tell(sentence)
            self.screen.tell(f"{move_hint(self.session.game)} 'help' lists the commands.")

    def introduce_seats(self) -> None:
        """Tell who plays what."""
        alone = len(self.session.humans) == 1
        told = []
        for player, seat in enumerate(self.session.seats, start=1):
            name, icon = self.look.name(player), self.look.icon(player)
            named = name if name == icon else f"{name} {icon}"
            if seat == HUMAN:
                told.append(f"You are {named}." if alone else f"{named} is typed.")
            else:
                told.append(f"{named} is {seat}.")
        self.screen.tell(" ".join(told))

    def _finish(self) -> None:
        if self.stale:
            self.show_board()
        session = self.session
        if session.resigned is not None:
            sentence = resignation(session.resigned, session.game.players, self.look)
        else:
            sentence = result_sentence(session.position, self.look)
        self.screen.show_line(sentence)

    def _say_how_to_go_on(self) -> None:
        position = self.session.position
        if self.stale:
            self.show_board()
        if self.save_path is not None:
            self.save(self.save_path)
            self.screen.tell(f"Go on with: oxo play --load {shlex.quote(str(self.save_path))}")
            return
        if position.ply == 0:
            return
        text = position.text
        if position.setup is None:
            text = "moves:" + ",".join(map(str, position.history))
        if len(text) > _LONGEST_POSITION:
            return
        words = ["oxo", "play", str(self.session.game), *self.session.seats, "--position", text]
        self.screen.tell(f"Go on with: {shlex.join(words)}")

    def _interrupted(self) -> None:
        if self.screen.interactive:
            self.screen.tell("")
        if self.save_path is not None:
            self.save(self.save_path)
            self.screen.tell(f"Interrupted; the game is saved in {self.save_path}.")
        else:
            self.screen.tell("Interrupted.")

    def save(self, path: Path) -> None:
        """Save the game; the ending of the file's name says in which notation."""
        save_record(path, self.session.record(self.look.icons))

    def load(self, path: Path) -> None:
        """Go on with a saved game, in its own seats and with its own icons."""
        record = load_record(path)
        self.session = Session.of_record(record, self.session.rng)
        self.look = look_of(record, self.look)
        self.stale = True


def look_of(record: Record, look: Look) -> Look:
    """Return a look with the icons of a record, where it names any that can be drawn."""
    players = record.game.players
    plain = look.free == "."
    icons = record.icons[:players]
    if plain and any(not icon.isascii() for icon in icons):
        icons = ()
    try:
        fresh = Look.of(players, ascii_only=plain, icons=icons)
    except SpecError:
        fresh = Look.of(players, ascii_only=plain)
    return replace(look, icons=fresh.icons)
