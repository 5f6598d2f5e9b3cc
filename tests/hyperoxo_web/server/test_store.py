"""Games on disk."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.play.changes import Change, Created
from hyperoxo.play.game_in_play import apply, replay
from hyperoxo_web.server import Core, GameInPlay, RefusedError, actions
from hyperoxo_web.server.store import KIND, Store

SEATS = (("Ada_1", None, "a"), ("50%", None, "b"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "games.sqlite")) as made:
        yield made


async def stored(store: Store, game: str = "3^2", **more: object) -> tuple[GameInPlay, Change]:
    first = Created(at=1, game=game, host="h", seats=SEATS, **more)  # type: ignore[arg-type]
    state = replay([first])
    await store.append(state, first)
    return state, first


async def test_changes_come_back_in_order(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "games.sqlite")
    state, first = await stored(store, id="g")
    changes = [first]
    for token, cell in (("a", 4), ("b", 0)):
        change = actions.move(state, token, cell, 5)
        state = apply(state, change)
        await store.append(state, change, f"key {cell}")
        changes.append(change)
    store.close()
    store = Store(tmp_path / "new" / "games.sqlite")
    assert [change for _, change in await store.load("g")] == changes
    assert [key for key, _ in await store.load("g")] == [None, "key 4", "key 0"]
    assert await store.load("other") == []
    store.close()


async def test_a_version_or_a_key_is_stored_once(store: Store) -> None:
    state, _ = await stored(store, id="g")
    change = actions.move(state, "a", 4, 5)
    later = apply(state, change)
    outcomes = await asyncio.gather(
        *(store.append(later, change, "k") for _ in range(5)), return_exceptions=True
    )
    assert sum(outcome is None for outcome in outcomes) == 1
    refused = [entry for entry in outcomes if isinstance(entry, RefusedError)]
    assert [entry.code for entry in refused] == ["twice"] * 4
    again = actions.move(later, "b", 0, 6)
    with pytest.raises(RefusedError):
        await store.append(apply(later, again), again, "k")
    with pytest.raises(RefusedError, match="could not be stored"):
        await asyncio.wait_for(store.append(apply(later, again), again, "\ud800"), 10)
    assert len(await store.load("g")) == 2
    assert (await store.games())[0].ply == 1


async def test_lists_are_searched_for_words_as_they_stand(store: Store) -> None:
    await stored(store, id="one", title="Club evening")
    await stored(store, "4^3", id="two", moves=(0, 1, 21, 2, 42, 3, 63))
    await stored(store, id="three", listed=False)

    async def found(query: str = "", status: str = "all") -> set[str]:
        return {entry.id for entry in await store.games(query, status)}

    assert await found() == {"one", "two"}
    assert await found("4^3") == {"two"}
    assert await found("ada_ club") == {"one"}
    assert await found("50%") == {"one", "two"}
    assert await found("5_%") == set()
    assert await found("'; DROP TABLE games; --") == set()
    assert (await found(status="open"), await found(status="over")) == ({"one"}, {"two"})
    assert len(await store.games(limit=1)) == 1
    await store.delete("one")
    assert await found() == {"two"}
    assert await store.load("one") == []


async def test_facts_are_kept(store: Store) -> None:
    assert await store.fact("streak") is None
    await store.put_fact("streak", {"days": 3})
    await store.put_fact("streak", {"days": 4})
    assert await store.fact("streak") == {"days": 4}


def test_a_store_is_durable_and_private(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = Store(path)
    assert store._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.close()


def test_one_server_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = Store(path)
    with pytest.raises(CheckFailedError, match="in use"):
        Store(path)
    store.close()
    Store(path).close()


def test_one_server_at_a_time_whatever_the_name(tmp_path: Path) -> None:
    path, link, other = (tmp_path / f"{name}.sqlite" for name in ("games", "link", "other"))
    store = Store(path)
    link.symlink_to(path)
    with pytest.raises(CheckFailedError, match="in use"):
        Store(link)
    link.unlink()
    other.hardlink_to(path)
    with pytest.raises(CheckFailedError, match="has a second name"):
        Store(other)
    other.unlink()
    store.close()
    link.symlink_to(path)
    Store(link).close()


def test_a_newer_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Store(path).close()
    with closing(sqlite3.connect(path)) as base:
        base.execute(f"PRAGMA user_version = {KIND.version + 1}")
    before = path.read_bytes()
    with pytest.raises(CheckFailedError, match="newer version of hyperoxo"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        "{", "[]", '{"kind": "flown", "at": 5}', '{"kind": "moved", "at": 5}',
        '{"kind": "moved", "at": 5, "player": 1, "cell": 99, "node": 0}',
        '{"kind": "went", "at": 5, "node": 7}',
    ],
)  # fmt: skip
async def test_a_damaged_game_is_refused_and_others_are_not(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.sqlite"
    store = Store(path)
    for game in ("g", "h"):
        state, _ = await stored(store, id=game)
        move = actions.move(state, "a", 4, 5)
        await store.append(apply(state, move), move)
    await store.drain()
    store.close()
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE changes SET change = ? WHERE game = 'g' AND version = 2", (change,))
        base.execute("UPDATE games SET names = 'Ada' WHERE id = 'g'")
        base.commit()

    async with Core(path) as core:
        with pytest.raises(RefusedError, match="damaged") as caught:
            await core.open("g")
        assert (caught.value.code, caught.value.status) == ("store", 503)
        assert (await core.open("h")).room.position.ply == 1
        assert {entry.id: entry.names for entry in await core.store.games()} == {
            "g": [],
            "h": ["Ada_1", "50%"],
        }


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE birds (name)")
    base.commit()
    base.close()
    with pytest.raises(CheckFailedError, match="not a hyperoxo store of games"):
        Store(path)
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but a text that is long enough" * 20)
    with pytest.raises(CheckFailedError, match="is not a store of games: file is not a database"):
        Store(text)


async def test_a_disk_that_fails_acknowledges_nothing(store: Store) -> None:
    state, _ = await stored(store, id="g")
    store._writer.execute("PRAGMA query_only = ON")
    change = actions.move(state, "a", 4, 5)
    with pytest.raises(RefusedError, match="could not be stored") as caught:
        await store.append(apply(state, change), change)
    assert caught.value.code == "store"
    store._writer.execute("PRAGMA query_only = OFF")
    await store.append(apply(state, change), change)


async def test_a_report_belongs_to_what_was_played_and_goes_with_the_game(store: Store) -> None:
    await stored(store, id="g")
    two, three = (Record(Game("3^2"), moves) for moves in ((4, 0), (4, 0, 8)))
    assert await store.report("g", two) is None
    await store.put_report("g", two, {"mistakes": [2]})
    assert await store.report("g", two) == {"mistakes": [2]}
    await store.put_report("g", three, {"mistakes": []})
    assert await store.report("g", two) is None
    assert await store.report("g", three) == {"mistakes": []}
    with pytest.raises(RefusedError):
        await store.put_report("nowhere", two, {})
    await store.delete("g")
    assert await store.report("g", three) is None
