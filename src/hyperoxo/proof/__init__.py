"""Proofs: strategies as plain values, their file formats, and independent checkers."""

# A proof is a frozen value that claims a win or a draw for one seat, or a fact about a board. A
# checker walks every position that the claim meets, or verifies the hypotheses of a theorem; it
# imports nothing that searches for proofs. Read in this order:
#
# 1. `claim` and `envelope`: claims, verdicts and the common file format; `forms`: positions up to
#    symmetry; `kinds`: the registry behind `oxo verify`.
# 2. `strategy`: one stored move for each reachable position, the simplest walk.
# 3. `answers` (pairing strategies of Hales and Jewett, mirroring of Golomb and Hales), `coalition`
#    (potentials of Erdős and Selfridge, and of Beck).
# 4. `dictionary`, `forced`, `dictionary_walk`: wins by threats, as in Patashnik's proof of 4^3.
# 5. `endgames`: stored moves above endgames that the checker searches; `zones`: Maker-Breaker.

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
