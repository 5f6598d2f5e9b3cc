"""All positions of a game: enumeration, the graph of moves, tables of values."""
