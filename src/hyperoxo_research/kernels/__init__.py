"""Compiled loops of the searches for key plans and odd sums, over flat arrays."""
