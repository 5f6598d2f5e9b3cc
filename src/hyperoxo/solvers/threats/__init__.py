"""Threat-space search: forced wins, published lines, and quiet moves."""
