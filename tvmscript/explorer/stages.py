"""The texts that a program went through: the script, the program after each pass, LLVM IR, assembly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tvmscript.differ.side_by_side import Row

#: what the lines of a text are written in
Language = Literal["script", "llvm", "asm"]


@dataclass(frozen=True)
class Text:
    """One text, and where its lines come from."""

    language: Language
    lines: tuple[str, ...]
    #: for each line the lines of the script (from 1) that it was made of; empty where nobody knows
    origins: tuple[tuple[int, ...], ...]
    #: number of the first line: a script may be a part of a file
    first_line: int = 1

    def __post_init__(self) -> None:
        assert len(self.lines) == len(self.origins)


@dataclass(frozen=True)
class Stage:
    """What one pass, or one step of the compiler, made."""

    #: a pass's name, such as "tir.Simplify"
    name: str
    #: what is true afterwards, in a line
    summary: str
    text: Text
    seconds: float
    #: how many passes it ran inside of
    depth: int = 0
    #: the text before and after side by side; empty where nothing changed, or where the two are in other languages
    rows: tuple[Row, ...] = ()
    changed: bool = False


@dataclass(frozen=True)
class Recording:
    """A program's way, from the script on."""

    title: str
    target: str
    stages: tuple[Stage, ...] = field(default=())

    @property
    def seconds(self) -> float:
        """The time of all stages that are not inside of others."""
        return sum(stage.seconds for stage in self.stages if stage.depth == 0)
