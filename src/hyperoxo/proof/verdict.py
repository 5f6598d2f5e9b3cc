"""What checking a proof gives."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    """What a checker found.

    Attributes
    ----------
    claim : str
        What was to be proved, as a sentence; empty where the file cannot even be read.
    verdict : {"proved", "rejected"}
        Whether the file proves what it claims.
    reason : str
        Why it was rejected, else empty.
    positions : int
        Distinct positions walked through.
    seconds : float
        Time taken.

    Examples
    --------
    >>> Verdict("player 1 wins 2^2", "proved", "", 4, 0.001).proved
    True
    """

    claim: str
    verdict: str
    reason: str
    positions: int
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the claim was proved."""
        return self.verdict == "proved"
