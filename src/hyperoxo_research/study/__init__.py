"""Studies: published tables measured again, as reports with *published* beside *ours*."""

from hyperoxo_research.study.parts import Bench, Finding, Picture, Section, Study, Table, compared
from hyperoxo_research.study.registry import STUDIES, find_study, study_titles
from hyperoxo_research.study.report import StudyReport
from hyperoxo_research.study.running import studies, study

__all__ = [
    "STUDIES",
    "Bench",
    "Finding",
    "Picture",
    "Section",
    "Study",
    "StudyReport",
    "Table",
    "compared",
    "find_study",
    "studies",
    "study",
    "study_titles",
]
