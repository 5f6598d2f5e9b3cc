"""Proof search (df-pn): running it, walking its proofs, making them smaller."""
