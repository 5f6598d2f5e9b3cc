# The names of the room, each with its home; `__init__.py` loads them at their first use.

from .exact.perft import (
    PerftResult as PerftResult,
)
from .exact.perft import (
    perft as perft,
)
from .solution import (
    MoveValue as MoveValue,
)
from .solution import (
    Solution as Solution,
)
from .values import (
    solve as solve,
)
