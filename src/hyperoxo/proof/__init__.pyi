# The names of the room, each with its home; `__init__.py` loads them at their first use.

from .answers import (
    Mirroring as Mirroring,
)
from .answers import (
    Pairing as Pairing,
)
from .answers import (
    check_mirroring as check_mirroring,
)
from .answers import (
    check_pairing as check_pairing,
)
from .answers import (
    read_mirroring as read_mirroring,
)
from .answers import (
    read_pairing as read_pairing,
)
from .canonical import (
    CanonicalForms as CanonicalForms,
)
from .canonical import (
    canonical_forms_of as canonical_forms_of,
)
from .claim import (
    CLAIMS as CLAIMS,
)
from .claim import (
    BoardProof as BoardProof,
)
from .claim import (
    Proof as Proof,
)
from .claim import (
    Verdict as Verdict,
)
from .coalition import (
    PREVENTIONS as PREVENTIONS,
)
from .coalition import (
    Prevention as Prevention,
)
from .coalition import (
    check_prevention as check_prevention,
)
from .coalition import (
    completes as completes,
)
from .coalition import (
    contained as contained,
)
from .coalition import (
    prevention_text as prevention_text,
)
from .coalition import (
    read_prevention as read_prevention,
)
from .coalition import (
    replies as replies,
)
from .dictionary import (
    Dictionary as Dictionary,
)
from .dictionary import (
    dictionary_of as dictionary_of,
)
from .registry import (
    KINDS as KINDS,
)
from .registry import (
    ProofKind as ProofKind,
)
from .registry import (
    check_proof as check_proof,
)
from .registry import (
    proof_size as proof_size,
)
from .registry import (
    verify as verify,
)
from .registry import (
    write_proof as write_proof,
)
from .strategy import (
    ProofFile as ProofFile,
)
from .strategy import (
    Strategy as Strategy,
)
from .strategy import (
    check as check,
)
from .strategy import (
    read_strategy as read_strategy,
)
from .strategy import (
    strategy_text as strategy_text,
)
from .strategy import (
    write_strategy as write_strategy,
)
from .thompson import (
    DictionaryText as DictionaryText,
)
from .thompson import (
    dictionary_text as dictionary_text,
)
from .thompson import (
    read_dictionary as read_dictionary,
)
from .zones import (
    ZonePlan as ZonePlan,
)
from .zones import (
    check_zones as check_zones,
)
from .zones import (
    read_zones as read_zones,
)
from .zones import (
    zones_text as zones_text,
)
