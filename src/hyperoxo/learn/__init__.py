"""Learning to play, and measuring agents against exact values."""
