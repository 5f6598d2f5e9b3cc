"""Studies: published tables measured again, as reports with *published* beside *ours*."""

from hyperoxo.lab.study.pages import StudyReport
from hyperoxo.lab.study.parts import Bench, Finding, Picture, Section, Study, Table, compared
from hyperoxo.lab.study.registry import STUDIES, find_study, study_titles
from hyperoxo.lab.study.running import studies, study

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
