# The names of the room, each with its home; `__init__.py` loads them at their first use.

from .cluster import (
    Cancelled as Cancelled,
)
from .cluster import (
    ClusterExecutor as ClusterExecutor,
)
from .pools import (
    Call as Call,
)
from .pools import (
    Workers as Workers,
)
from .pools import (
    share_out as share_out,
)
