"""Alpha-beta and max^n, to a depth or to the end of the game; columns under gravity."""
