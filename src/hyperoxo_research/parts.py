"""Commands and public names of the research package, as the core finds them."""

COMMANDS = {
    "study": (
        "Measure",
        "Repeat published measurements, as reports.",
        "hyperoxo_research.cli.study",
    ),
    "study ladder": (
        "Measure",
        "Play agents against weaker ones, step by step.",
        "hyperoxo_research.cli.ladder",
        "ladder",
    ),
    "study league": (
        "Measure",
        "Let learners learn for equal times, and measure them.",
        "hyperoxo_research.cli.league",
    ),
    "dataset": (
        "Learn",
        "Write positions with exact values, for learners and language models.",
        "hyperoxo_research.cli.dataset",
    ),
    "prove replies": (
        "Prove",
        "Prove replies lost, one by one.",
        "hyperoxo_research.cli.replies",
        "replies",
    ),
    "prove quiet": (
        "Prove",
        "Find the fewest quiet moves that a forced win needs.",
        "hyperoxo_research.cli.replies:quiet",
        "quiet",
    ),
    "prove table-bound": (
        "Prove",
        "Prove how few losing leaves a line table can have.",
        "hyperoxo_research.cli.table_bound",
        "leaves",
    ),
    "prove values": (
        "Prove",
        "Prove who wins some games, beside published values.",
        "hyperoxo_research.cli.values",
        "values",
    ),
    "draw map": (
        "Data",
        "Draw the nested map of optimal moves.",
        "hyperoxo_research.cli.map",
        "map",
    ),
    "classify": (
        "Prove",
        "Find out whether draws exist and who can force what, by theorems.",
        "hyperoxo_research.cli.classify",
    ),
    "atlas": (
        "Prove",
        "Classify all boards n^d, beside the published table.",
        "hyperoxo_research.cli.atlas",
    ),
    "bench": (
        "Tools",
        "Measure speed, beside other programs if asked.",
        "hyperoxo_research.cli.bench",
    ),
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
