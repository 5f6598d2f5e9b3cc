"""Runs: many games of many seatings, shared among workers, stored as they are played."""

from hyperoxo.lab.runs.run import Run, RunInterrupted

__all__ = ["Run", "RunInterrupted"]
