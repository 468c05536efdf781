"""The fuzzers by name."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Final

from tvmscript.fuzz.area import Area
from tvmscript.ir.core import UnknownName, closest

#: name -> `fuzz/<name>/area.py` has it as AREA
NAMES: Final = (
    "parser",
    "printer",
    "nodes",
    "analysis",
    "arith",
    "schedule",
    "passes",
    "relax",
    "codegen",
    "builds",
    "runtime",
    "te",
    "graphs",
    "cuda",
    "frontends",
)

#: name -> the packages that the area is about
SUBJECTS: Final = {
    "parser": ("tvmscript.parser",),
    "printer": ("tvmscript.printer",),
    "analysis": ("tvmscript.ir.analysis",),
    "nodes": ("tvmscript.ir.core", "tvmscript.ir.tir"),
    "arith": ("tvmscript.ir.arith",),
    "schedule": ("tvmscript.ir.schedule.primitive", "tvmscript.ir.schedule.analysis", "tvmscript.ir.schedule.rewrite"),
    "passes": ("tvmscript.ir.transform",),
    "relax": ("tvmscript.ir.relax.op",),
    "codegen": ("tvmscript.backends.llvm",),
    "runtime": ("tvmscript.backends.runtime",),
    "builds": ("tvmscript.ir.schedule.default.cpu",),
    "te": ("tvmscript.ir.te",),
    "cuda": ("tvmscript.backends.cuda",),
    "frontends": ("tvmscript.frontend",),
    "graphs": ("tvmscript.ir.relax.transform", "tvmscript.ir.topi"),
}


def area(text: str) -> Area:
    """Look up an area; `passes:tir.LoopPartition,tir.UnrollLoop` restricts `passes` to two passes.

    Raises `UnknownName`.
    """
    name, colon, _ = text.partition(":")
    if name not in NAMES:
        raise UnknownName(kind="area", name=repr(name), hint=f"the areas are {', '.join(NAMES)}")
    chosen: Area = importlib.import_module(f"tvmscript.fuzz.{name}.area").AREA
    return _about(chosen, replace(chosen, name=text)) if colon else chosen


def _about(whole: Area, part: Area) -> Area:
    """Restrict an area to the subjects that the name of the part has."""
    subjects, text, names = whole.subjects, part.name, part.subject_names
    if subjects is None:
        raise UnknownName(kind="subject", name=repr(text), hint=f"{whole.name} is looked at as a whole")
    subject_names = subjects.names()
    for each in names:
        if each not in subject_names:
            hint = closest(each, subject_names) or f"such as {whole.name}:{min(subject_names)}"
            raise UnknownName(kind=subjects.kind, name=repr(each), hint=hint)
    if not names:
        raise UnknownName(kind=subjects.kind, name=repr(text), hint=f"such as {whole.name}:{min(subject_names)}")
    examples = subjects.examples
    return replace(part, examples=lambda: examples(names))
