"""Data classes of a recording: texts with source lines, and compiler stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tvmscript.differ.side_by_side import Row

#: language of a text
Language = Literal["script", "llvm", "asm"]


@dataclass(frozen=True)
class Text:
    """A text with the source lines of each line."""

    language: Language
    lines: tuple[str, ...]
    #: for each line its source lines in the script, from 1; empty where unknown
    origins: tuple[tuple[int, ...], ...]
    #: number of the first line: a script may be part of a file
    first_line: int = 1

    def __post_init__(self) -> None:
        assert len(self.lines) == len(self.origins)


@dataclass(frozen=True)
class Stage:
    """The output of one pass or compiler step."""

    #: name of the pass, such as "tir.Simplify"
    name: str
    #: one-line summary
    summary: str
    text: Text
    seconds: float
    #: nesting depth of the pass
    depth: int = 0
    #: rows of the text before and after; empty where nothing changed or the languages differ
    rows: tuple[Row, ...] = ()
    changed: bool = False


@dataclass(frozen=True)
class Recording:
    """All stages of a compilation."""

    title: str
    target: str
    stages: tuple[Stage, ...] = field(default=())

    @property
    def seconds(self) -> float:
        """The total time of the outermost stages."""
        return sum(stage.seconds for stage in self.stages if stage.depth == 0)
