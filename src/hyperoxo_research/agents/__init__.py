"""Agents that play by key plans."""
