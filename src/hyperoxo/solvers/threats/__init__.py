"""Threat sequences: forced wins, published lines, and quiet moves."""
