"""All positions of a game: enumeration, move sequences, the graph of moves, tables of values."""
