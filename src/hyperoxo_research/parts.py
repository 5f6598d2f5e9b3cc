"""Commands and public names of the research package, as the core finds them."""

COMMANDS = {
    "ladder": (
        "Measure",
        "Play agents against weaker ones, step by step.",
        "hyperoxo_research.cli.ladder",
    ),
    "study": (
        "Measure",
        "Measure published tables again, as reports.",
        "hyperoxo_research.cli.study",
    ),
    "leaves": (
        "Learn",
        "Prove how few losing leaves a line table can have.",
        "hyperoxo_research.cli.leaves",
    ),
    "classify": (
        "Prove",
        "Tell whether draws exist and who can force what, by theorems.",
        "hyperoxo_research.cli.classify",
    ),
    "atlas": (
        "Prove",
        "Classify all boards n^d, beside the published table.",
        "hyperoxo_research.cli.atlas",
    ),
    "values": (
        "Prove",
        "Prove who wins some games, beside what is published.",
        "hyperoxo_research.cli.values",
    ),
    "dataset": (
        "Data",
        "Write positions with exact values, for learners and language models.",
        "hyperoxo_research.cli.dataset",
    ),
    "bench": (
        "Tools",
        "Measure speed, beside other programs if asked.",
        "hyperoxo_research.cli.bench",
    ),
}
"""The group, the line and the module of each command."""

NAMES = {
    "hyperoxo_research.lab.atlas": "Atlas AtlasEntry atlas stored_atlas",
    "hyperoxo_research.study": "studies study",
    "hyperoxo_research.learn.dataset": "Dataset dataset",
    "hyperoxo_research.learn.scoring": "score_answers",
    "hyperoxo_research.proof.keyplan.plan": "KeyPlan",
    "hyperoxo_research.draws.breaker": "breaker_plan",
    "hyperoxo_research.draws.classify": "Classification Evidence classify",
    "hyperoxo_research.draws.regions": "Region regions",
}
"""The public names of each module."""
