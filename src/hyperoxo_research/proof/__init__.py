"""Proofs of plans, draws, regions and tables, with checkers that import no search."""
