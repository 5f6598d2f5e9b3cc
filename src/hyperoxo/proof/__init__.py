"""Proofs: strategies as plain values, the file they travel in, and a checker that trusts nobody."""

from hyperoxo.proof.checker import Verdict, check, verify
from hyperoxo.proof.file import ProofFile, read_strategy, strategy_text, write_strategy
from hyperoxo.proof.forms import Forms, forms_of
from hyperoxo.proof.strategy import CLAIMS, Strategy

__all__ = [
    "CLAIMS",
    "Forms",
    "ProofFile",
    "Strategy",
    "Verdict",
    "check",
    "forms_of",
    "read_strategy",
    "strategy_text",
    "verify",
    "write_strategy",
]
