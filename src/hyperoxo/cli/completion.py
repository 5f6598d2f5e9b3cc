"""Shell completion: commands and options by click, games and agents by the tables here.

Nothing here imports the agents, and with them Numba, so that completion is fast.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import ClassVar

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from hyperoxo.extensions import extensions

Item = CompletionItem[str]

BOARDS = {
    "3^2": "nine cells, the classic",
    "4^2": "16 cells in a square",
    "5^2": "25 cells in a square",
    "3^3": "27 cells in a cube",
    "4^3": "64 cells in a cube, Qubic",
    "5^3": "125 cells in a cube",
    "3^4": "81 cells in four dimensions",
    "4^4": "256 cells in four dimensions",
    "15,15,5": "five in a row on 15 by 15",
}
"""Suggested boards with descriptions; any other may be typed."""

AGENTS = {
    "random": "seconds",
    "greedy": "attack defend heuristic ties seconds sight",
    "ising": "bias reading ties c temperature seconds heuristic coupling field rivals",
    "td": "checkpoint ties seconds",
    "minimax": "depth heuristic ties seconds nodes prune concept reading bias",
    "mcts": "simulations seconds c rave playout epsilon nodes reuse ties",
    "puct": "simulations seconds heuristic c temperature leaf nodes reuse ties",
    "expert": "seconds simulations heuristic ties",
    "proof": "",
    "breaker": "plan",
    "adversary": "plan at",
    "ppo": "checkpoint temperature",
    "pairing": "pairs",
    "alphazero": "checkpoint simulations seconds c temperature leaf nodes reuse ties",
    "level": "",
    "human": "",
}
"""The agents of this package and their options, as `hyperoxo.agents.spec` has them."""

_SWITCHES = ("prune", "reuse", "threats")


def complete_file(_: object, __: object, incomplete: str) -> list[Item]:
    """Complete files by the shell."""
    return [Item(incomplete, type="file")]


def complete_game_or_file(context: object, parameter: object, incomplete: str) -> list[Item]:
    """Suggest games, and files where no game begins so."""
    given = context, parameter, incomplete
    return complete_game(*given) or complete_file(*given)


def complete_game(_: object, __: object, incomplete: str) -> list[Item]:
    """Suggest boards, after a colon the options of games, and after an equals sign their values."""
    board, colon, options = incomplete.partition(":")
    if not colon:
        return _starting(BOARDS.items(), incomplete)
    from hyperoxo.game.spec import OPTIONS

    before, last, taken = _last(options)
    start = f"{board}:{before}"
    name, equals, _ = last.partition("=")
    if equals:
        named = [one for one in OPTIONS if one.name == name and one.form != "flag"]
        values = [pair for one in named for pair in (*one.words, *one.examples)]
        return _starting(((f"{start}{name}={one}", about) for one, about in values), incomplete)
    # Gravity and wrapping have a usual axis, so that they are whole without a value.
    whole = ("flag", "axis", "axes")
    others = [one for one in OPTIONS if one.name not in taken]
    words = [(f"{one.name}{'' if one.form in whole else '='}", one.about) for one in others]
    return _starting(((f"{start}{word}", about) for word, about in words), incomplete)


def complete_agent(_: object, __: object, incomplete: str) -> list[Item]:
    """Suggest agents, after a colon their options, and after an equals sign their values."""
    agent, colon, options = incomplete.partition(":")
    if not colon:
        names = dict.fromkeys((*AGENTS, *extensions("hyperoxo.agents")), "")
        return _starting(names.items(), incomplete)
    if agent == "level":
        return _starting(((f"level:{number}", "") for number in range(1, 9)), incomplete)
    if agent not in AGENTS:
        return []
    before, last, taken = _last(options)
    start = f"{agent}:{before}"
    name, equals, _ = last.partition("=")
    if equals:
        return _starting(((f"{start}{name}={one}", "") for one in _values(name)), incomplete)
    known = (*AGENTS[agent].split(), "threats")
    return _starting(((f"{start}{one}=", "") for one in known if one not in taken), incomplete)


def _last(options: str) -> tuple[str, str, set[str]]:
    """Split off the option that is being written; name those before it."""
    before, comma, last = options.rpartition(",")
    return before + comma, last, {one.partition("=")[0] for one in before.split(",")}


def _values(option: str) -> Iterable[str]:
    if option == "ties":
        return ("random", "lowest")
    if option in _SWITCHES:
        return ("on", "off")
    if option == "heuristic":
        from hyperoxo.heuristics import HEURISTICS

        return HEURISTICS
    return ()


def _starting(offered: Iterable[tuple[str, str]], incomplete: str) -> list[Item]:
    """Keep the offers that begin as typed."""
    return [
        Item(value, help=about or None) for value, about in offered if value.startswith(incomplete)
    ]


class _Bash(BashComplete):
    """Bash ends words at colons and equals signs, of which specs of games and agents are full."""

    # It is therefore given the line as typed, and replaces what follows the last such sign.

    source_template: ClassVar[str] = r"""%(complete_func)s() {
    local IFS=$'\n' answer kind value
    local line="${COMP_LINE:0:COMP_POINT}"
    local word="${line##*[[:space:]]}" breaks="${COMP_WORDBREAKS//[^:=@]/}" kept=""
    if [[ -n $breaks && $word != [\'\"]* && $word == *[$breaks]* ]]; then
        kept="${word%%"${word##*[$breaks]}"}"
    fi
    COMPREPLY=()
    for answer in $(env COMP_WORDS="$line" %(complete_var)s=bash_complete "$1"); do
        kind="${answer%%%%,*}" value="${answer#*,}"
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("${value#"$kept"}") ;;
        esac
    done
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=,] ]]; then
        compopt -o nospace
    fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Split the line up to the cursor."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)
        open_word = bool(words) and not line[-1:].isspace()
        return (words[1:-1], words[-1]) if open_word else (words[1:], "")


class _Zsh(ZshComplete):
    """As click's, but without a space after an unfinished word: ``players=``."""

    source_template: ClassVar[str] = r"""#compdef %(prog_name)s
%(complete_func)s() {
    local -a whole open response
    local kind value about
    (( ! $+commands[%(prog_name)s] )) && return 1
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \
        %(complete_var)s=zsh_complete %(prog_name)s)}")
    for kind value about in ${response}; do
        case $kind in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain)
                if [[ $value == *[=:,] ]]; then
                    open+=("$value:$about")
                else
                    whole+=("$value:$about")
                fi ;;
        esac
    done
    (( $#whole )) && _describe -V unsorted whole -U
    (( $#open )) && _describe -V unsorted open -U -S ''
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

    def format_completion(self, item: Item) -> str:
        """Escape colons, at which Zsh would begin the description."""
        value = item.value.replace(":", r"\:") if item.type == "plain" else item.value
        return f"{item.type}\n{value}\n{item.help or ' '}"


class _Fish(FishComplete):
    """As click's, but only the first comma is a separator: specs contain commas."""

    source_template: ClassVar[str] = FishComplete.source_template.replace(
        'string split ","', 'string split --max 1 ","'
    )


def register() -> None:
    """Replace click's completion classes."""
    for shell in (_Bash, _Zsh, _Fish):
        add_completion_class(shell)
