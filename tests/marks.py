"""Marks of single parameters, where several tests share the list of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def more(
    cases: Iterable[Any], chosen: Collection[Any] = (), *, but: Collection[Any] = ()
) -> list[ParameterSet]:
    """Return parameters of which the chosen ones, or all but some, are marked as `more`."""
    sets = [
        ParameterSet.extract_from(case, force_tuple=not isinstance(case, tuple)) for case in cases
    ]
    values = [one.values if len(one.values) > 1 else one.values[0] for one in sets]
    assert all(one in values for one in (*chosen, *but)), "no such parameter"
    return [
        pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.more])
        if value in chosen or (but and value not in but)
        else one
        for one, value in zip(sets, values, strict=True)
    ]
