"""Sentences that a native writer would turn round: rules for texts of the interface."""

from __future__ import annotations

import re

STATES = "closed|blocked|fixed|finished|needed|named|based|limited|mixed|set"
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|being|be) (?:\w+ly |not |now |only |still )?"
    rf"(?!(?:{STATES})\b)"
    r"(?:\w+[^e\W]ed|kept|shown|made|given|told|said|heard|drawn|taken|put|found|seen|known|sent)\b"
    r"(?! by\b)"
)
"""A passive without an agent; words for states, such as "closed", are none."""
NOUN_CLAUSE = re.compile(
    r"(?:^|[.:;] |>)(?:What|Which|Who(?:ever)?|How(?! to )|Whether)\b(?![^.]*\?)"
)
"""A sentence or a title that begins like a question and asks none."""


def translated(words: str) -> list[str]:
    """Find passives without an agent, and noun clauses that stand for sentences."""
    plain = re.sub(r"\s+", " ", words).strip()
    return [found[0] for rule in (PASSIVE, NOUN_CLAUSE) for found in rule.finditer(plain)]
