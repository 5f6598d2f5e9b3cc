"""Whoever chooses a move: at random, by a heuristic, by search, or by asking a person."""
