"""Agents measured against each other: matches, and what can be said of their results."""
