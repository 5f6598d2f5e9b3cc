"""Proofs: strategies as plain values, the file they travel in, and a checker that trusts nobody."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
