"""Results on positional games, and the studies that measure published ones, on top of `hyperoxo`."""
