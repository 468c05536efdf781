"""Running the passes and the compiler on a program, and keeping what each of them made."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tvmscript import driver
from tvmscript.differ import diff
from tvmscript.explorer.native import assembly_text, llvm_text
from tvmscript.explorer.origins import program_text, script_text
from tvmscript.explorer.stages import Recording, Stage, Text
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.core.span import Source
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_record import PassRecord


def record(program: IRModule, target: str = "llvm", *, title: str = "") -> Recording:
    """Compile a program for a target, and keep every text on the way to machine code; for a GPU as far as kernels.

    Raises what `tvmscript.build` and `tvmscript.lower` raise.
    """
    passes = PassRecord()
    with deep_recursion(), PassContext(instruments=[passes], config={"tir.enable_debug": True}):
        begin = time.perf_counter()
        built = driver.build(program, target) if target.split()[0] in driver.BACKENDS else None
        if built is None:  # there is no backend yet: what it would take
            driver.lower(program, target)
        seconds = time.perf_counter() - begin
    stages = [*_beginning(program), *_passes(passes)]
    rest = seconds - passes.seconds
    for kind, name, summary, read in _NATIVE:
        if built is not None and kind in built.source_kinds:
            begin = time.perf_counter()
            text = read(built.get_source(kind))
            stages.append(Stage(name, summary, text, rest or time.perf_counter() - begin, changed=True))
            rest = 0.0
    return Recording(title, target, tuple(stages))


#: source of a compiled module, stage, what it is, how it is read
_NATIVE = (
    ("ll", "LLVM IR", "LLVM's intermediate code, optimized.", llvm_text),
    ("asm", "assembly", "What the machine runs.", assembly_text),
)


def _beginning(program: IRModule) -> list[Stage]:
    """The file that the program was read from, where it is known, and the program in normal form."""
    stages: list[Stage] = []
    source = _source_of(program)
    if source is not None:
        stages.append(Stage("script", "The file as it was written.", script_text(source), 0.0))
    return [*stages, Stage("parsed", "The program in normal form.", program_text(program), 0.0, changed=bool(stages))]


def _source_of(program: IRModule) -> Source | None:
    return next((node.span.source for node in nodes(program) if node.span is not None), None)


def _passes(passes: PassRecord) -> Iterator[Stage]:
    texts: dict[int, Text] = {}
    for depth, ran in passes:
        made = ran.after or ran.before
        if id(made) not in texts:
            texts[id(made)] = program_text(made)
        yield Stage(
            ran.info.text or ran.info.name,
            ran.info.summary,
            texts[id(made)],
            ran.seconds,
            depth,
            tuple(diff(ran.before, made).rows) if ran.changed else (),
            ran.changed,
        )
