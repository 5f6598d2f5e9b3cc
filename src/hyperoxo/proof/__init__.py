"""Proofs: strategies as plain values, the file they travel in, and a checker that trusts nobody."""

from hyperoxo.proof.answers import (
    Mirroring,
    Pairing,
    check_mirroring,
    check_pairing,
    read_mirroring,
    read_pairing,
)
from hyperoxo.proof.claim import CLAIMS, Verdict
from hyperoxo.proof.coalition import (
    PREVENTIONS,
    Prevention,
    check_prevention,
    completes,
    contained,
    prevention_text,
    read_prevention,
    replies,
)
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.forms import Forms, forms_of
from hyperoxo.proof.kinds import (
    KINDS,
    Kind,
    Proof,
    check_proof,
    proof_size,
    verify,
    write_proof,
)
from hyperoxo.proof.strategy import (
    ProofFile,
    Strategy,
    check,
    read_strategy,
    strategy_text,
    write_strategy,
)
from hyperoxo.proof.thompson import (
    DictionaryText,
    dictionary_text,
    read_dictionary,
    write_dictionary,
)
from hyperoxo.proof.zones import ZonePlan, check_zones, read_zones, zones_text

__all__ = [
    "CLAIMS",
    "KINDS",
    "PREVENTIONS",
    "Dictionary",
    "DictionaryText",
    "Forms",
    "Kind",
    "Mirroring",
    "Pairing",
    "Prevention",
    "Proof",
    "ProofFile",
    "Strategy",
    "Verdict",
    "ZonePlan",
    "check",
    "check_mirroring",
    "check_pairing",
    "check_prevention",
    "check_proof",
    "check_zones",
    "completes",
    "contained",
    "dictionary_of",
    "dictionary_text",
    "forms_of",
    "prevention_text",
    "proof_size",
    "read_dictionary",
    "read_mirroring",
    "read_pairing",
    "read_prevention",
    "read_strategy",
    "read_zones",
    "replies",
    "strategy_text",
    "verify",
    "write_dictionary",
    "write_proof",
    "write_strategy",
    "zones_text",
]
