"""Runs: many games of many seatings, shared among workers, stored as they are played."""

from hyperoxo.lab.runs.run import Progress, Run, RunInterrupted

__all__ = ["Progress", "Run", "RunInterrupted"]
