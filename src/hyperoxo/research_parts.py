"""Commands and public names of the research package, as the core finds them."""

COMMANDS = {
    "ladder": ("Measure", "Play agents against weaker ones, step by step.", "hyperoxo.cli.ladder"),
    "study": ("Measure", "Measure published tables again, as reports.", "hyperoxo.cli.study"),
    "leaves": (
        "Learn",
        "Prove how few losing leaves a line table can have.",
        "hyperoxo.cli.leaves",
    ),
    "classify": (
        "Prove",
        "Tell whether draws exist and who can force what, by theorems.",
        "hyperoxo.cli.classify",
    ),
    "atlas": (
        "Prove",
        "Classify all boards n^d, beside the published table.",
        "hyperoxo.cli.atlas",
    ),
    "values": (
        "Prove",
        "Prove who wins some games, beside what is published.",
        "hyperoxo.cli.values",
    ),
    "dataset": (
        "Data",
        "Write positions with exact values, for learners and language models.",
        "hyperoxo.cli.dataset",
    ),
    "bench": ("Tools", "Measure speed, beside other programs if asked.", "hyperoxo.cli.bench"),
}
"""The group, the line and the module of each command."""

NAMES = {
    "hyperoxo.lab.atlas": "Atlas AtlasEntry atlas stored_atlas",
    "hyperoxo.lab.study": "studies study",
    "hyperoxo.learn.dataset": "Dataset dataset",
    "hyperoxo.learn.scoring": "score_answers",
    "hyperoxo.proof.breaker": "BreakerPlan",
    "hyperoxo.solvers.draws.breaker": "breaker_plan",
    "hyperoxo.solvers.draws.classify": "Classification Evidence classify",
    "hyperoxo.solvers.draws.regions": "Region regions",
}
"""The public names of each module."""
