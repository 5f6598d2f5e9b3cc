"""Results on positional games, and studies that measure published ones, built on `hyperoxo`."""
