"""Networks: files that hold them, their answers, the agent that plays by them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

import hyperoxo as ox
from hyperoxo.agents import agent, check_agent
from hyperoxo.agents.alphazero import AlphazeroAgent
from hyperoxo.agents.network import FORMAT, Network, file_of, stored_network, tensors_of
from hyperoxo.errors import AgentError, HyperoxoError, NotSupportedError
from hyperoxo.game import Game, cell_name
from hyperoxo.kernels.network import CHANNELS, block_sizes
from tests.expect import message_of, require

pytestmark = pytest.mark.more

METADATA = {"format": FORMAT}


def blocks(rounds: int = 1, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(0, 0.3, (rows, CHANNELS)).astype(np.float32)
        for name, rows in block_sizes(rounds).items()
    }


def written(path: Path, rounds: int = 1, seed: int = 0) -> Path:
    found = {f"network/{name}": block for name, block in blocks(rounds, seed).items()}
    save_file(found, path, METADATA)
    return path


def header_of(path: Path) -> tuple[dict[str, object], bytes]:
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def test_matches_play_a_network_that_is_in_no_file(tmp_path: Path) -> None:
    weights = written(tmp_path / "drawn.safetensors")
    players = AlphazeroAgent(Network(blocks(), {})), f"alphazero:checkpoint={weights}", "alphazero"
    unsaved, saved, stored = (ox.match("3^2", [one, "greedy"], 40, seed=1) for one in players)
    assert unsaved.counts == saved.counts != stored.counts


def test_damage_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "good.safetensors")
    Network.read(path)
    data = path.read_bytes()
    header, body = header_of(path)
    signed = {**header, "__metadata__": {**METADATA, "sha256": "0" * 64}}
    cases = {
        "is not a safetensors file": [b"", b"{}", b"\x80\x04\x95" + data, data[:8]],
        "it is cut off, or its header is invalid": [
            data[:-1],
            data[:100],
            data.replace(b'"F32"', b'"F33"'),
            data.replace(b'"data_offsets"', b'"data_offsetz"'),
        ],
        "SHA-256 mismatch": [repacked(signed, body)],
        "does not hold a hyperoxo network": [repacked({**header, "__metadata__": {}}, body)],
        "holds a network of another architecture": [
            data.replace(b"network/move", b"network/mowe"),
        ],
        "weights that are not numbers": [data[:-4] + np.float32("nan").tobytes()],
    }
    for message, files in cases.items():
        for bad in files:
            path.write_bytes(bad)
            assert message in message_of(HyperoxoError, agent, f"alphazero:checkpoint={path}")


def repacked(header: dict[str, object], body: bytes) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize(
    "spec",
    [
        "3^2",
        "3^3:gravity",
        "3^2:players=3,target=2",
        "4^2:misere",
    ],
)
def test_symmetry_moves_logits_with_the_cells(spec: str) -> None:
    game = Game(spec)
    network = Network(blocks(2), {})
    rng = np.random.default_rng(1)
    for perm in game.symmetry.permutations()[::7]:
        position = game.start()
        for _ in range(int(rng.integers(0, game.cells // 2))):
            following = position.play(int(rng.choice(position.legal_moves)))
            position = position if following.is_over else following
        owners = np.frombuffer(position.owners, np.uint8)
        image = np.zeros_like(owners)
        image[perm] = owners
        logits, values = network.judge(game, np.stack([owners, image]))
        assert logits[1][perm] == pytest.approx(logits[0], abs=1e-4)
        assert values[1] == pytest.approx(values[0], abs=1e-5)


def test_what_is_over_has_no_logits() -> None:
    game = Game("3^2")
    over = game.position("moves:0,3,1,4,2")
    logits, values = Network(blocks(), {}).judge(game, np.frombuffer(over.owners, np.uint8)[None])
    assert np.isneginf(logits).all()
    assert np.isnan(values).all()


def test_the_agent_keeps_its_contract(tmp_path: Path) -> None:
    path = written(tmp_path / "network.safetensors", rounds=2)
    player = agent(f"alphazero:checkpoint={path}")
    assert player.spec == f"alphazero:checkpoint={path}"
    assert check_agent(player) == 9


def test_the_agent_plays_a_most_likely_move(tmp_path: Path) -> None:
    path = written(tmp_path / "network.safetensors")
    position = Game("3^2").position("moves:4,0,8")
    found = agent(f"alphazero:checkpoint={path},ties=lowest").think(position)
    assert sum(chance for _, chance in found.candidates) == pytest.approx(1)
    assert found.candidates[0][1] == pytest.approx(dict(found.candidates)[found.move], rel=1e-2)
    assert f"gives cell {cell_name(position.game, found.move)} a probability of" in found.reason


@pytest.mark.parametrize("ties", ["random", "lowest"])
def test_many_positions_are_judged_together(tmp_path: Path, ties: str) -> None:
    path = written(tmp_path / "network.safetensors")
    player = agent(f"alphazero:checkpoint={path},ties={ties}")
    start = Game("3^2").start()
    positions = [start, start.play(4), start.play(0).play(4)]
    apart = [{player.choose(position, seed) for seed in range(40)} for position in positions]
    rows = player.choose_many(positions * 40, 0).reshape(40, 3)
    assert [set(column.tolist()) for column in rows.T] == apart
    assert max(map(len, apart)) == (1 if ties == "lowest" else 4)
    with pytest.raises(AgentError, match="the game is over"):
        player.choose_many([start, Game("3^2").position("moves:0,3,1,4,2")])


def test_files_are_the_same_for_the_same_numbers(tmp_path: Path) -> None:
    arrays = {"b": np.arange(3, dtype=np.int32), "a": np.array(True), "c": np.zeros((2, 0), "<f4")}
    content = file_of(arrays, {"x": "y"})
    assert content == file_of(arrays, {"x": "y"})
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with safe_open(path, "np") as file:
        assert file.metadata()["x"] == "y"
        assert file.keys() == sorted(arrays)
        for name, array in arrays.items():
            assert np.array_equal(file.get_tensor(name), array)
            assert file.get_tensor(name).shape == array.shape
    path.write_bytes(content[:-1] + b"\7")
    assert "SHA-256 mismatch" in message_of(HyperoxoError, tensors_of, path.read_bytes(), "a")


def test_games_that_networks_do_not_judge_are_refused() -> None:
    with pytest.raises(NotSupportedError, match="the network of cells and lines"):
        agent("alphazero").check(Game("3^2:convention=maker-breaker"))
    with pytest.raises(NotSupportedError, match="the network of cells and lines"):
        agent("alphazero").choose(Game("3^2:bias=2+1").start())
    with pytest.raises(NotSupportedError, match="needs normal play"):
        agent("alphazero").check(Game("3^2:misere"))


@pytest.mark.parametrize("game", ["3^2", "4^3"])
def test_networks_that_come_along_say_how_they_were_made(game: str) -> None:
    log = json.loads(stored_network(game).metadata["log"])
    assert log["step"] == log["steps"]
    assert game in (log["game"], *log["options"]["also"].split("+"))


def test_without_a_checkpoint_the_networks_that_come_along_play() -> None:
    assert check_agent(agent("alphazero")) == 8  # all but misère
    assert ox.truth("3^2", "alphazero").marks[0].kept == 1.0
    wins = ox.match(
        "4^3", ["alphazero", "greedy"], games=20, seed=1, swap=True, random_plies=4
    ).wins
    assert wins[0] > wins[1]


def test_a_search_of_one_position_plays_the_likeliest_move() -> None:
    position = Game("3^2").position("moves:4,0")
    bare, searching = agent("alphazero:ties=lowest"), agent("alphazero:simulations=1,ties=lowest")
    found = bare.think(position)
    likeliest = [
        cell for cell, chance in found.candidates if chance > found.candidates[0][1] - 1e-4
    ]
    assert {searching.choose(position, seed) for seed in range(10)} <= set(likeliest)


def test_a_search_by_a_network_proves_wins() -> None:
    forced = require(agent("alphazero:simulations=50").explain(Game("3^3").start(), 0))
    assert (forced.move, forced.candidates[0]) == (13, (13, 1.0))
    assert "proved" in forced.reason
    assert ox.truth("3^2", "alphazero:simulations=20", positions=300).marks[0].kept == 1.0


def test_limits_of_a_search_by_a_network() -> None:
    game = Game("3^2")
    assert agent("alphazero").quick(game)
    assert agent("alphazero:simulations=100").quick(game)
    assert not agent("alphazero:simulations=10000").quick(game)
    timed = agent("alphazero:seconds=0.1")
    assert not timed.quick(game)
    assert not timed.repeatable
    assert timed.choose(Game("4^3").start(), 0) in range(64)
    with pytest.raises(NotSupportedError, match="the network of cells and lines"):
        agent("alphazero:simulations=9").choose(Game("3^2:bias=2+1").start())
