"""Tables from the code are on the pages that describe them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.test_documents import DOCS, load

pytestmark = pytest.mark.text

TABLES = load(DOCS / "_ext" / "reference.py")


def included(page: str) -> list[str]:
    return re.findall(
        r"{include} _reference/([\w-]+)\.md", (DOCS / f"{page}.md").read_text("utf-8")
    )


def test_every_request_is_on_the_page() -> None:
    document = TABLES.document()
    tables = TABLES.tables(document)
    assert {*included("api-http")} == {tag.replace(" ", "-") for tag in tables}
    rows = [line for lines in tables.values() for line in lines if line.startswith("| `")]
    requests = [row for row in rows if "/api" in row.split("`")[1]]
    assert len(requests) == sum(map(len, document["paths"].values())) > 50
    (move,) = (row for row in requests if "`POST /api/games/ID/moves`" in row)
    assert move.endswith("| `cell`, `ply`, `node`, `key`, `wait` | a receipt |")
    assert "| `ply` | Number of moves before this one. |" in rows


def test_limits_and_kinds_of_proofs() -> None:
    assert included("serve") == ["limits"]
    assert "| `agent_seconds` | 60.0 | 20.0 |" in [*TABLES.limits()]
    assert included("solving") == ["proofs-kinds"]
    assert any(row.startswith("| `hyperoxo-region 1` |") for row in TABLES.kinds_of_proofs())


def test_tables_are_files(tmp_path: Path) -> None:
    TABLES.write_tables(tmp_path)
    names = {path.stem for path in (tmp_path / "_reference").iterdir()}
    assert names == {*included("api-http"), *included("serve"), *included("solving")}
