"""The studies by name: one file each, and one line here."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

from hyperoxo.errors import CheckFailedError, SpecError, quoted
from hyperoxo.extensions import extensions
from hyperoxo_research.study.parts import Study

STUDIES: dict[str, tuple[str, str]] = {
    "bias": ("hyperoxo_research.study.bias", "The least bias with which the Breaker wins on n^d"),
    "breaker": ("hyperoxo_research.study.key_plan_games", "Breaker's plan on the real board"),
    "ising": ("hyperoxo_research.study.ising", "The Ising agent on boards of all sizes"),
    "prolog": (
        "hyperoxo_research.study.prolog",
        "Minimax of fixed depth, and the states it visits",
    ),
    "q-players": (
        "hyperoxo_research.study.q_players",
        "Games of q players, and what each seat can force",
    ),
    "qubic": ("hyperoxo_research.study.qubic", "The stored proofs of Qubic, 4^3"),
    "squares": ("hyperoxo_research.study.squares", "Every square board, in many games"),
    "tesseract": ("hyperoxo_research.study.tesseract", "The game of nine lines on the tesseract"),
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
        found = import_module(STUDIES[name][0]).STUDY
    elif name in extensions("hyperoxo.studies"):
        found = extensions("hyperoxo.studies")[name].load()
    else:
        raise SpecError(f"there is no study {quoted(name)}; there are {', '.join(study_titles())}")
    if not isinstance(found, Study):
        raise CheckFailedError(f"'{name}' of another package is not a study")
    return found
