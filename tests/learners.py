"""Runs of learners without checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hyperoxo.learn.learner import Learner

Kind = TypeVar("Kind", bound="Learner")


def learned(learner: Kind) -> Kind:
    """Make all steps of a learner."""
    while learner.step < learner.steps:
        learner.advance()
    return learner
