"""The family of errors."""

from __future__ import annotations

import pytest

from hyperoxo import errors

CLASSES = [name for name in errors.__all__ if name[0].isupper()]


@pytest.mark.parametrize("name", CLASSES)
def test_every_error_belongs_to_the_family(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, errors.HyperoxoError)
    assert issubclass(kind, ValueError)
    assert kind.exit_code in {1, 2}


def test_a_missing_extra_says_how_to_get_it() -> None:
    error = errors.MissingExtraError("web", "the web application")
    assert error.extra == "web"
    assert error.exit_code == 1
    assert str(error) == ('the web application needs the extra "web": pip install "hyperoxo[web]"')


@pytest.mark.parametrize("name", CLASSES)
def test_every_message_is_one_line(name: str) -> None:
    odd = "a\nb\r\t\x1b[31m\x9b\u2028\u202e\ud800 é"
    shown = str(getattr(errors, name)(odd))
    assert r"a\nb\r\t\x1b[31m\x9b\u2028\u202e\ud800 é" in shown
    assert shown.isprintable()
