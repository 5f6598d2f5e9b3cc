"""The studies by name: one file each, and one line here."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

from hyperoxo.errors import CheckFailedError, SpecError, quoted
from hyperoxo.extensions import extensions
from hyperoxo_research.study.parts import Study

STUDIES = {
    "bias": (".bias", "The least bias with which the Breaker wins on n^d"),
    "breaker": (".key_plan_games", "Breaker's plan on the real board"),
    "ising": (".ising", "The Ising agent on boards of all sizes"),
    "prolog": (".prolog", "Minimax of fixed depth, and the states it visits"),
    "q-players": (".q_players", "Games of q players, and what each seat can force"),
    "qubic": (".qubic", "The stored proofs of Qubic, 4^3"),
    "squares": (".squares", "Every square board, in many games"),
    "tesseract": (".tesseract", "The game of nine lines on the tesseract"),
}
"""Studies by name: the module whose attribute ``STUDY`` it is, and its subject.

Studies of other packages are entry points of ``hyperoxo.studies``.
"""


def study_titles() -> dict[str, str]:
    """Return the titles of all studies by name, without extensions that do not load."""
    found = {name: about for name, (_, about) in STUDIES.items()}
    for name in extensions("hyperoxo.studies"):
        with suppress(CheckFailedError):
            found.setdefault(name, find_study(name).title)
    return found


def find_study(name: str) -> Study:
    """Load a study."""
    if name in STUDIES:
        found = import_module(STUDIES[name][0], __package__).STUDY
    elif name in extensions("hyperoxo.studies"):
        found = extensions("hyperoxo.studies")[name].load()
    else:
        raise SpecError(f"there is no study {quoted(name)}; there are {', '.join(study_titles())}")
    if not isinstance(found, Study):
        raise CheckFailedError(f"'{name}' of another package is not a study")
    return found
