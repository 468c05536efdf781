"""The areas that mutants are drawn from, and the draw."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutation.generated.mutators import Mutant, mutants
from tests.mutation.patch import ROOT


@dataclass(frozen=True)
class Source:
    """The folders of an area, and the fuzzers that look at it."""

    folders: tuple[str, ...]
    #: areas of `tvmscript fuzz`; none: only tests look
    fuzzers: tuple[str, ...]
    #: folders inside of these that are areas of their own
    without: tuple[str, ...] = ()


AREAS: Final = {
    "parser": Source(("tvmscript/parser",), ("parser", "printer")),
    "printer": Source(("tvmscript/printer",), ("printer",)),
    "nodes": Source(("ir/core", "ir/tir"), ("nodes", "codegen", "passes", "printer")),
    "arith": Source(("ir/arith",), ("arith",)),
    "analysis": Source(("ir/analysis",), ("analysis", "schedule", "passes")),
    "schedule": Source(("ir/schedule",), ("schedule", "builds"), ("ir/schedule/default",)),
    "rules": Source(("ir/schedule/default",), ("builds",)),
    "passes": Source(("ir/transform",), ("passes",)),
    "relax": Source(("ir/relax",), ("relax", "graphs"), ("ir/relax/transform",)),
    "graphs": Source(("ir/relax/transform",), ("graphs",)),
    "te": Source(("ir/te",), ("te",)),
    "topi": Source(("ir/topi",), ("graphs", "te")),
    "llvm": Source(("backends/llvm",), ("codegen",)),
    "interp": Source(("backends/interp",), ("codegen", "cuda", "builds")),
    "cuda": Source(("backends/cuda",), ("cuda",)),
    "machine": Source(("backends/vm", "backends/runtime"), ("runtime", "graphs")),
    "frontends": Source(("tvmscript/frontend",), ("frontends",)),
}


def draw(area: str, count: int, seed: int, root: Path = ROOT) -> list[Mutant]:
    """Draw `count` mutants of an area: each kind of change as often as the others, and each site of it.

    The same seed draws the same ones from the same files.
    """
    by_kind: defaultdict[str, list[Mutant]] = defaultdict(list)
    for file in _files(AREAS[area], root):
        for mutant in mutants(str(file.relative_to(root)), file.read_text("utf-8")):
            by_kind[mutant.kind].append(mutant)
    generator = random.Random(f"{seed}/{area}")
    drawn: dict[str, Mutant] = {}
    while by_kind and len(drawn) < count:
        kind = generator.choice(sorted(by_kind))
        sites = by_kind[kind]
        mutant = sites.pop(generator.randrange(len(sites)))
        drawn.setdefault(mutant.name, mutant)
        if not sites:
            del by_kind[kind]
    return list(drawn.values())


def _files(source: Source, root: Path) -> Iterator[Path]:
    for folder in source.folders:
        for file in sorted((root / folder).rglob("*.py")):
            if not any(file.is_relative_to(root / other) for other in source.without):
                yield file
