"""Commands and public names of the research package, as the core finds them."""

_LINES = {
    "Measure": {
        "study": "Repeat published measurements, as reports.",
        "study ladder": "Play agents against weaker ones, step by step.",
        "study league": "Let learners learn for equal times, and measure them.",
    },
    "Learn": {
        "dataset": "Write positions with exact values, for learners and language models.",
    },
    "Prove": {
        "prove replies": "Prove replies lost, one by one.",
        "prove quiet": "Find the fewest quiet moves that a forced win needs.",
        "prove table-bound": "Prove how few losing leaves a line table can have.",
        "prove values": "Prove the values of games, beside the published ones.",
        "classify": "Find out whether draws exist and who can force what, by theorems.",
        "atlas": "Classify all boards n^d, beside the published table.",
    },
    "Data": {"draw map": "Draw the nested map of optimal moves."},
    "Tools": {"bench": "Measure speed, beside other programs if asked."},
}
_PLACES = {"prove quiet": "replies:quiet", "prove table-bound": "table_bound"}
_OLD = {
    "study ladder": "ladder",
    "prove table-bound": "leaves",
    **{f"prove {one}": one for one in ("replies", "quiet", "values")},
    "draw map": "map",
}

COMMANDS = {
    name: (
        heading,
        line,
        f"hyperoxo_research.cli.{_PLACES.get(name, name.split()[-1])}",
        _OLD.get(name, ""),
    )
    for heading, lines in _LINES.items()
    for name, line in lines.items()
}
"""The heading, the line, the module and the old name of each command, as in `hyperoxo.cli`."""

NAMES = {
    "hyperoxo_research.lab.atlas": "Atlas AtlasEntry atlas stored_atlas",
    "hyperoxo_research.study": "studies study",
    "hyperoxo_research.learn.dataset": "Dataset dataset",
    "hyperoxo_research.learn.scoring": "score_answers",
    "hyperoxo_research.proof.keyplan.plan": "KeyPlan",
    "hyperoxo_research.draws.key_plan_search": "find_key_plan",
    "hyperoxo_research.draws.classify": "Classification Evidence classify",
    "hyperoxo_research.draws.regions": "Region regions",
}
"""The public names of each module."""
