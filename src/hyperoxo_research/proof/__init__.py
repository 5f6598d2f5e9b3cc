"""Proofs of plans, fillings, regions and tables, with checkers that import no search."""
