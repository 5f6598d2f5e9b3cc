"""Checkpoint of a long table: answers by name in its folder, so that the next call resumes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hyperoxo.files import replace_file
from hyperoxo.untrusted import parse_json, read_bytes


class Kept:
    """Answers by name in a JSON file, under `key`; discarded if `made` differs."""

    def __init__(self, path: Path, made: dict[str, Any], key: str) -> None:
        self.path, self.made, self.key = path, made, key
        try:
            data = parse_json(read_bytes(path)) if path.exists() else {}
        except ValueError:
            data = {}
        same = isinstance(data, dict) and all(data.get(one) == made[one] for one in made)
        self.answers: dict[str, Any] = dict(data[key]) if same else {}

    def add(self, name: str, answer: dict[str, Any]) -> None:
        """Keep an answer."""
        self.answers[name] = answer
        text = json.dumps({**self.made, self.key: self.answers}, indent=1)
        replace_file(self.path, f"{text}\n".encode())
