"""Regions of n^d that were published: the table of Golomb and Hales, and a later result."""

from __future__ import annotations

GOLOMB_HALES = "S. Golomb and A. Hales, Hypercube tic-tac-toe, More Games of No Chance (2002)"
DELORME_POLJAK = (
    "C. Delorme and S. Poljak, Laplacian eigenvalues and the maximum cut problem, Math. "
    "Programming 62 (1993)"
)
DEZA_LAURENT = "M. Deza and M. Laurent, Geometry of Cuts and Metrics (1997)"
HALES_JEWETT = "A. Hales and R. Jewett, Regularity and positional games, Trans. AMS 106 (1963)"

_ROWS = (
    "1 1 1 1 1 1 1 1",
    "5 1 1 1 1 1 1 1",
    "5 4 2 2 2 2 2 2",
    "5 4 3 3 2 2 2 2",
    "5 5 4 3 3 3 2 2",
    "5 5 4 3 3 3 3 3",
    "5 5 4 3 3 3 3 3",
    "5 5 5 4 3 3 3 3",
    "5 5 5 4 3 3 3 3",
    "5 5 5 4 4 3 3 3",
    "5 5 5 5 4 3 3 3",
    "5 5 5 5 4 4 3 3",
)

PUBLISHED = {
    (side, dim): int(region)
    for side, row in enumerate(_ROWS, 1)
    for dim, region in enumerate(row.split(), 1)
}
"""The region of side^dim in figure 2 of Golomb and Hales, by side and dimension.

Many of these entries were never proved; the authors say so of those in the middle of the table.
"""

UNCERTAIN = frozenset({(5, 4)})
"""Entries that the table itself marks as uncertain."""

CITED = {
    (7, 3): (
        4,
        "Cain, Raymond and Kållersjö, arXiv 2509.21494 (2025)",
    )
}
"""Regions that follow from computer proofs of others, with their sources."""


def as_published(side: int, dim: int) -> str:
    """Return an entry of the table as it is printed."""
    region = PUBLISHED[side, dim]
    return f"({region})" if (side, dim) in UNCERTAIN else str(region)


def hales_jewett(side: int, dim: int) -> bool:
    """Return whether side^dim meets Hales and Jewett's condition for a pairing."""
    least: int = 3**dim - 1 if side % 2 else 2 ** (dim + 1) - 2
    return side >= least
