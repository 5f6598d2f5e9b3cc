"""Learning by self-play with a network of cells and lines, in JAX."""
