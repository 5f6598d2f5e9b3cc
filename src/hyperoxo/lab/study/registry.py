"""The studies by name: one file each, and one line here."""

from __future__ import annotations

import importlib

from hyperoxo.errors import SpecError, quoted
from hyperoxo.lab.study.parts import Study

STUDIES: dict[str, tuple[str, str]] = {
    "bias": ("hyperoxo.lab.study.bias", "The least bias with which the Breaker wins on n^d"),
    "breaker": ("hyperoxo.lab.study.breaker", "Breaker's plan on the real board"),
    "ising": ("hyperoxo.lab.study.ising", "The Ising agent on boards of all sizes"),
    "learners": ("hyperoxo.lab.study.learners", "Learned and other agents against exact values"),
    "prolog": ("hyperoxo.lab.study.prolog", "Minimax of fixed depth, and the states it visits"),
    "q-players": (
        "hyperoxo.lab.study.q_players",
        "Games of q players, and what each seat can force",
    ),
    "qubic": ("hyperoxo.lab.study.qubic", "The stored proofs of Qubic, 4^3"),
    "squares": ("hyperoxo.lab.study.squares", "Every square board, in many games"),
    "tesseract": ("hyperoxo.lab.study.tesseract", "The game of nine lines on the tesseract"),
}
"""Where each study is, as the attribute ``STUDY`` of a module, and what it is about."""


def find_study(name: str) -> Study:
    """Load a study."""
    if name not in STUDIES:
        raise SpecError(f"there is no study {quoted(name)}; there are {', '.join(STUDIES)}")
    found = importlib.import_module(STUDIES[name][0]).STUDY
    assert isinstance(found, Study)
    return found
