"""Requests that make no sense: one line names the command and says why."""

from __future__ import annotations

import pytest

from tests.command import oxo, refusal
from tests.hyperoxo.cli.test_prove import PART
from tests.hyperoxo.cli.test_sweep import words as words_of

TRAIN = ("train", "3^2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("analyse",), "name a FILE"),
        (("analyse", "--moves", "0"), "need --game"),
        (("analyse", "nowhere.oxo"), "does not exist"),
        (("analyse", "--game", "3^2", "--moves", "0", "--position", "moves:0"), "name a FILE"),
        (("analyse", "--game", "3^2", "--moves", "0,0"), "taken"),
        (("analyse", "--game", "3^2", "--moves", "0", "--seconds", "-1"), "seconds"),
        (("dataset", "3^2"), "--out is needed"),
        (("dataset", "3^2", "--out", "a.csv"), "must end in .parquet, .jsonl"),
        (("dataset", "3^2", "--out", "nowhere/a.jsonl"), "there is no folder nowhere"),
        (("dataset", "9^", "--out", "a.jsonl"), "bad game"),
        (("dataset", "3^2", "--out", "a.jsonl", "--split", "test"), "--split belongs to --score"),
        (("dataset", "--score", __file__, "a", "b"), "--score takes one file of answers"),
        (("dataset", "--score", __file__, "none.jsonl"), "none.jsonl: No such file"),
        (("dataset", "--score", "none.jsonl", "a"), "none.jsonl"),
        (("play",), "oxo play: name a game, such as 3^2, or load one with --load"),
        (("play", "3^2", "random"), "oxo play: 3^2 has 2 seats, one agent each; 1 named"),
        (("play", "3^2", "nobody", "random"), "oxo play: unknown agent 'nobody'; known are"),
        (
            ("play", "3^2", "--position", "1"),
            "oxo play: position has 1 character, the board 9 cells",
        ),
        (("play", "3^2", "--icons", "X"), "oxo play: 2 players need 2 icons, not 1"),
        (("play", "3^2", "--save", "x.doc"), "oxo play: --save: the name of x.doc must end in"),
        (("play", "--load", "nowhere.json"), "oxo play: nowhere.json: No such file or directory"),
        (
            ("play", "--load", "a", "--position", "."),
            "oxo play: --load and --position exclude each other",
        ),
        (("verify", "--dictionary", "nothing", "4^3"), "'nothing' does not exist"),
        (("verify", "--dictionary", str(PART), "4^x"), "bad game '4^x'"),
        (("verify", "--dictionary", str(PART), "4^3:gravity"), "it needs no gravity"),
        (("verify", "--dictionary", str(PART), "4^3", "--position", "x"), "1 character,"),
        (("verify", str(PART), "--seat", "1"), "go with --dictionary"),
        (("verify", "nothing"), "'nothing' does not exist"),
        (("proof",), "Missing command"),
        (("proof", "show", str(PART)), "this is not a proof file"),
        (("proof", "export", str(PART), "--dictionary", "-"), "this is not a dictionary file"),
        (("proof", "pack", "4^3", "--dictionary", str(PART)), "Missing option '--out'"),
        (("proof", "stored", "5^3"), "no proof of 5^3 comes with the program; there are 4^3, "),
        (("proof", "stored", "--out", "x"), "--out goes with a GAME"),
        (("proof", "show", str(PART), "--position", "moves:"), "for strategies and dictionaries"),
        (("study", "league", "--minutes", "1,x"), "'x' is not a valid"),
        (("study", "league", "--minutes", "1,0"), "0.0 is not in the range"),
        (("study", "league", "4^"), "4^"),
        (words_of("bias=0:1:0.1", "--degree", "x"), "--degree: 'x' is not a valid integer"),
        (words_of("bias=0:1:0.1", "--degree", "20"), "degree must be 0 to"),
        (words_of("bias=0:1:0.1", "--figure", "x.bmp"), "must end in"),
        (words_of("bias=0:1:0.1", "--vary", "bias=0:1:0.1"), "bias is varied twice"),
        ((*TRAIN, "td", "--log", "csv"), "needs one: give --out"),
        ((*TRAIN, "td", "--log", "a.txt"), "must end in .csv"),
        ((*TRAIN, "td", "--device", "cpu"), "td learns on the processor"),
        ((*TRAIN, "td", "--from", __file__), "td begins with nothing"),
        ((*TRAIN, "td", "--eval", "nobody"), "unknown agent 'nobody'"),
        ((*TRAIN, "alphazero", "--device", "tpu"), "JAX finds no device 'tpu' here, only"),
        ((*TRAIN, "alphazero", "--from", __file__), "is not a safetensors file"),
        ((*TRAIN, "sarsa"), "unknown learner 'sarsa'; known are td, alphazero, ppo"),
        ((*TRAIN, "td:"), "an option must follow ':'"),
        ((*TRAIN, "td:speed=1"), "option 'speed' is not one of classes, stages, games"),
        ((*TRAIN, "td:games=1"), "games must be 20 to"),
        ((*TRAIN, "td:games=100,games=200"), "given twice"),
        ((*TRAIN, "td:classes=rings"), "classes must be one of"),
        (
            (*TRAIN, "td", "--against", "minimax:depth=2"),
            "minimax:depth=2 cannot train: it does not score moves by lines",
        ),
        ((*TRAIN, "td", "--against", "greedy:heuristic=neighbours"), "cannot train"),
        ((*TRAIN, "td", "--against", "nobody"), "oxo train: unknown agent 'nobody'"),
        ((*TRAIN, "td:against=greedy", "--against", "greedy"), "option 'against' is not one of"),
        ((*TRAIN, "alphazero", "--against", "greedy"), "learns from games against itself alone"),
        ((*TRAIN, "alphazero:steps=0"), "'alphazero:steps=0': steps must be 1 to 1000000000"),
        (
            (*TRAIN, "alphazero:batch=100"),
            "bad learner 'alphazero:batch=100': batch must divide boards times plies",
        ),
        ((*TRAIN, "alphazero:rate=2"), "bad learner 'alphazero:rate=2': rate must be 1e-06 to 1"),
        ((*TRAIN, "alphazero:also=3^"), "bad learner 'alphazero:also=3^': bad game"),
        ((*TRAIN, "alphazero:depth=1"), "option 'depth' is not one of steps, also, simulations"),
        (("truth", "3^2", "greedy", "--set", __file__, "--positions", "3"), "exclude each other"),
        (("truth", "3^2"), "Missing argument 'AGENT...'"),
        (("truth", "4^3", "greedy"), "a number of positions gives a sample of them"),
        (("truth", "3^2", "nobody"), "unknown agent 'nobody'"),
        (("truth", "3^2:bias=2+1", "greedy"), "it needs one cell a turn"),
        (("truth", "3^2", "greedy", "--out", "nowhere/a.json"), "there is no folder nowhere"),
        (("truth", "3^2", "greedy", "--figure", "a.xyz"), ".svg"),
        (("truth", "3^2", "greedy", "--positions", "0"), "--positions"),
        (("tui", "3^"), "3^"),
        (("tui", "3^2", "human"), "2 seats"),
        (("tui", "3^2", "human", "nobody"), "nobody"),
        (("tui", "100^2"), "fit on a screen"),
        (("tui", "3^2", "--position", "moves:0,0"), "taken"),
        (("tui", "3^2", "--load", "x.oxo"), "No such file"),
        (("tui", "--load", "x.oxo"), "No such file"),
    ],
)
def test_bad_requests_are_one_line(words: tuple[str, ...], message: str) -> None:
    line = refusal(oxo(*words))
    assert line.startswith(f"oxo {words[0]}")
    assert message in line
