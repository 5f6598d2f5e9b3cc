"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline for one example should count.
settings.register_profile("hyperoxo", deadline=None)
settings.load_profile("hyperoxo")
