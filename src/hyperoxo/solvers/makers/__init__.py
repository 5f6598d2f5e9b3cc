"""Maker-Breaker games: whether a player completes a line, with any bias, and what proves it."""
