"""Compiled loops over flat arrays: no Python objects, no input or output.

Everything here takes and fills NumPy arrays. Boards and rules are turned into such arrays by the
rooms above, and every loop is tested against the readable rules of `hyperoxo.game`.
"""
