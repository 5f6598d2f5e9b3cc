"""All positions of a game: enumeration, the graph of moves, tables of values."""

# Positions are packed keys, listed by the number of stones; with symmetry one canonical form of
# each class, weighed by its orbit. Values come from the end backwards (retrograde analysis). Read
# `layers`, then `enumerate` (counting), `graph` and `graph_files`, `tables` (values on disk).
