"""Studies as a kind of run, as the core finds it."""

from hyperoxo.run_options import Option, RunKind

STUDY = RunKind(
    "hyperoxo_research.study:study",
    (
        Option("study", "The study.", required=True),
        Option("full", "Samples of full size; the default takes about a minute.", bool, False),
        Option(
            "scale",
            "Fraction of each sample to play, for a quick look.",
            *(float, 1.0),
            above=0,
            most=1,
            implied=True,
        ),
    ),
    reports=True,
)
