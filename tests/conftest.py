"""Settings of all tests."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

# What tests play is no result of the person who runs them.
_DATA = tempfile.TemporaryDirectory(prefix="hyperoxo-tests-")
os.environ["XDG_DATA_HOME"] = _DATA.name

# The first call of a kernel compiles it, which no deadline for one example should count.
settings.register_profile("hyperoxo", deadline=None)
settings.load_profile("hyperoxo")
