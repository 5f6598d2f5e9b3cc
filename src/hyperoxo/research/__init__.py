"""What research adds to the core: kinds of proofs, sources of knowledge, methods of solving."""
