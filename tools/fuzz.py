#!/usr/bin/env python3
"""Feed malformed input to everything that reads text or files, and check that it is refused.

Usage: tools/fuzz.py [PARSER ...] [--seconds N] [--inputs N] [--seed S] [--list]

Each parser meets plain noise and changed copies of valid examples: words left out, said twice, put
elsewhere or taken from other examples, numbers beyond every limit, signs that belong nowhere.
Files with a hash get it repaired half of the time, so that damage goes deeper. What a parser may
do is return, or raise one of the errors of hyperoxo. Anything else is a failure, and so is to think
for more than --slow seconds of processor time, or to take more than --memory megabytes: it is
printed with the shortest text that did it, kept in build/fuzz, and this command ends with 1.

The same seed gives the same inputs. --seconds is for each parser, of processor time; --inputs ends
it sooner.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hyperoxo.board.limits import Allowance, Size, allowing  # noqa: E402
from hyperoxo.errors import HyperoxoError  # noqa: E402
from tests.parsers import PARSERS, Parser  # noqa: E402

FOUND = ROOT / "build" / "fuzz"

ALLOWED = Allowance(Size(2_000, 20_000), "fuzzing")
"""Largest boards that inputs may name: the limits of a server."""

_TOKENS = re.compile(r"[A-Za-z_]+|[0-9]+|\s+|.", re.DOTALL)
_NUMBERS = (
    *("0", "1", "2", "3", "7", "8", "9", "80", "255", "256", "999", "65536", "1000000"),
    *("999999999", "1000000000", "2147483647", "2147483648", "18446744073709551616", "00", "-1"),
    *("1e9", "1.5", "1e400", "NaN", "Infinity", "-0", "0x10", "9" * 30, "1_0", "٣", "²"),
)
_SIGNS = "^:,;{}[]()\"'\\.#-+=*/|&%$@!?<>~` \n\t\r\0abBWxXoO019é×·▒\u2028\u200b\ufeff\U0001f600"
_NO_BYTE = re.compile(r"[^\x00-\xff]")
_HALF = "\ud800\udfff"
_DEEP = ("[", "(", "{", '{"a":', "(;", "((4^3 ", "+", "9", " ", "\n", "/", "-", "|", "\\", "1-")
_NOISE = 0.1
_MOST_EDITS = 4
_LONGEST = 20_000
_LONGEST_MESSAGE = 600


class TooSlow(BaseException):
    """A parser has thought for too long; no handler of errors catches it."""


@dataclass
class Tally:
    """Results of one parser."""

    inputs: int = 0
    taken: int = 0
    seconds: float = 0.0
    slowest: tuple[float, str] = (0.0, "")
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The shortest input and the traceback, by error and place."""


def inputs(parser: Parser, rng: random.Random) -> Iterator[str]:
    """Yield inputs for a parser without end."""
    examples = [_TOKENS.findall(text) for text in parser.examples()]
    words = sorted({token for tokens in examples for token in tokens[:_LONGEST]})
    signs = _SIGNS if parser.binary else _SIGNS + _HALF
    while True:
        if rng.random() < _NOISE:
            text = _noise(rng, words, signs)
        else:
            tokens = list(rng.choice(examples))
            for _ in range(rng.randint(1, _MOST_EDITS)):
                _edit(tokens, rng, examples, words, signs)
            text = "".join(tokens)
        if parser.binary:
            text = _NO_BYTE.sub("ÿ", text)
        yield parser.seal(text) if parser.seal is not None and rng.random() < 0.5 else text


def _noise(rng: random.Random, words: Sequence[str], signs: str) -> str:
    count = rng.randint(0, 30)
    if rng.random() < 0.5:
        return "".join(rng.choice(signs) for _ in range(count))
    return "".join(rng.choice(rng.choice((words, _NUMBERS, signs))) for _ in range(count))


def _edit(
    tokens: list[str],
    rng: random.Random,
    examples: Sequence[list[str]],
    words: Sequence[str],
    signs: str,
) -> None:
    """Change something in the text, in place."""
    if not tokens:
        tokens.append(rng.choice(words))
        return
    at = rng.randrange(len(tokens))
    until = min(len(tokens), at + int(rng.expovariate(0.3)) + 1)
    way = rng.randrange(9)
    if rng.random() < 0.005:
        tokens.insert(at, rng.choice(_DEEP) * rng.choice((300, 3_000, 30_000)))
    elif way == 0:
        del tokens[at:until]
    elif way == 1:
        tokens[at:at] = tokens[at:until] * rng.choice((1, 1, 1, 2, 30))
    elif way == 2:
        tokens[at] = rng.choice(words)
    elif way == 3:
        tokens.insert(at, rng.choice(words))
    elif way == 4:
        numbers = [place for place in range(at, min(at + 50, len(tokens))) if tokens[place] > "/"]
        tokens[rng.choice(numbers or [at])] = rng.choice(_NUMBERS)
    elif way == 5:
        place = rng.randrange(len(tokens))
        tokens[at], tokens[place] = tokens[place], tokens[at]
    elif way == 6:
        word = tokens[at]
        place = rng.randrange(len(word) + 1)
        tokens[at] = word[:place] + rng.choice(signs) + word[place + rng.randrange(2) :]
    elif way == 7:
        del tokens[at:]
        if rng.random() < 0.7:
            other = rng.choice(examples)
            tokens += other[min(at, len(other)) :]
    else:
        other = rng.choice(examples)
        begin = rng.randrange(len(other)) if other else 0
        tokens[at:until] = other[begin : begin + until - at]


def fuzz(
    parser: Parser,
    seed: int,
    *,
    most: int | None = None,
    seconds: float | None = None,
    slow: float = 2.0,
) -> Tally:
    """Feed one parser this many inputs, or for this long; `slow` is what one input may take."""
    tally, rng = Tally(), random.Random(f"{parser.name} {seed}")
    began = time.process_time()
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        for text in inputs(parser, rng):
            if most is not None and tally.inputs >= most:
                break
            if seconds is not None and time.process_time() - began >= seconds:
                break
            _feed(parser, text, tally, slow)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    tally.seconds = time.process_time() - began
    return tally


def compile_first(parser: Parser) -> None:
    """Read the examples, so that no input is charged for compiling."""
    for text in parser.examples():
        with suppress(HyperoxoError):
            parser.read(text)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow


def _feed(parser: Parser, text: str, tally: Tally, slow: float) -> None:
    tally.inputs += 1
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, slow)
    try:
        with allowing(ALLOWED):
            parser.read(text)
        tally.taken += 1
    except HyperoxoError as error:
        if "\n" in str(error) or len(str(error)) > _LONGEST_MESSAGE:
            _fail(tally, text, error)
    except (Exception, TooSlow) as error:
        if not isinstance(error, parser.allowed):
            _fail(tally, text, error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    took = time.process_time() - begun
    if took > tally.slowest[0]:
        tally.slowest = took, text


def _fail(tally: Tally, text: str, error: BaseException) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "hyperoxo" in frame.filename] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    what = f"{type(error).__name__} in {where}"
    known = tally.failures.get(what)
    if known is None or len(text) < len(known[0]):
        tally.failures[what] = text, "".join(traceback.format_exception(error))


def _keep(name: str, tally: Tally) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    for number, (what, (text, trace)) in enumerate(tally.failures.items(), start=1):
        path = FOUND / f"{name}-{number}.txt"
        path.write_text(f"{what}\n{text!r}\n\n{trace}", "utf-8", errors="backslashreplace")
        shown = repr(text)
        _say(f"  {what}: {shown[:200]}{'...' * (len(shown) > 200)} ({path.relative_to(ROOT)})")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _bound_memory(megabytes: int) -> None:
    """Let this process take so much more memory than it has."""
    most = psutil.Process().memory_info().vms + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="PARSER")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=2.0)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list:
        _say("\n".join(f"{name:<12} {one.about}" for name, one in PARSERS.items()))
        return 0
    if unknown := sorted({*asked.names} - {*PARSERS}):
        parser.error(f"there is no parser {unknown[0]}; there are {', '.join(PARSERS)}")
    chosen = [PARSERS[name] for name in asked.names or PARSERS]
    for one in chosen:
        compile_first(one)
    _bound_memory(asked.memory)
    total = failures = 0
    for one in chosen:
        tally = fuzz(one, asked.seed, most=asked.inputs, seconds=asked.seconds, slow=asked.slow)
        share = tally.taken / max(1, tally.inputs)
        _say(
            f"{one.name:<12} {tally.inputs:>11,} inputs  {share:>4.0%} taken  "
            f"slowest {tally.slowest[0]:.2f} s  {len(tally.failures)} failures"
        )
        if tally.slowest[0] > asked.slow / 4:
            _say(f"  slow: {tally.slowest[1][:100]!r} of {len(tally.slowest[1]):,} characters")
        _keep(one.name, tally)
        total += tally.inputs
        failures += len(tally.failures)
    _say(f"{'all':<12} {total:>11,} inputs  {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
