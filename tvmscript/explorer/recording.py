"""Record the output of every pass and compiler stage for a program."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tvmscript import driver, graph_build
from tvmscript.backends.runtime.module import Module
from tvmscript.differ import diff
from tvmscript.explorer.native import assembly_text, llvm_text
from tvmscript.explorer.origins import program_text, script_text
from tvmscript.explorer.stages import Recording, Stage, Text
from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.core.span import Source
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_record import PassRecord


@deep_recursion
def record(program: IRModule, target: str = "llvm", *, title: str = "") -> Recording:
    """Compile a program for a target, and record every text down to machine code; for a GPU down to kernels.

    Graphs go through the pipeline `default`. Raises what `tvmscript.build`, `relax.build` and `tvmscript.lower` raise.
    """
    passes = PassRecord()
    with PassContext(instruments=[passes], config={"tir.enable_debug": True}):
        begin = time.perf_counter()
        built = _build(program, target)
        seconds = time.perf_counter() - begin
    stages = [*_initial_stages(program), *_pass_stages(passes)]
    rest = seconds - passes.seconds
    for kind, name, summary, read in _NATIVE:
        if built is not None and kind in built.source_kinds:
            begin = time.perf_counter()
            text = read(built.get_source(kind))
            stages.append(Stage(name, summary, text, rest or time.perf_counter() - begin, changed=True))
            rest = 0.0
    return Recording(title, target, tuple(stages))


def _build(program: IRModule, target: str) -> Module | None:
    """Compile a program; lower it only, where the target has no backend."""
    if any(isinstance(func, Function) for func in program.values()):
        return graph_build.build(program, target, pipeline="default").native
    if target.split()[0] in driver.BACKENDS:
        return driver.build(program, target)
    driver.lower(program, target)
    return None


#: source kind of a compiled module, stage, summary, reader
_NATIVE = (
    ("ll", "LLVM IR", "LLVM's intermediate code, optimized.", llvm_text),
    ("asm", "assembly", "The machine code.", assembly_text),
)


def _initial_stages(program: IRModule) -> list[Stage]:
    """Return the stages of the source file, where known, and of the parsed program."""
    stages: list[Stage] = []
    source = _source_of(program)
    if source is not None:
        stages.append(Stage("script", "The file as it was written.", script_text(source), 0.0))
    return [*stages, Stage("parsed", "The program in normal form.", program_text(program), 0.0, changed=bool(stages))]


def _source_of(program: IRModule) -> Source | None:
    return next((node.span.source for node in nodes(program) if node.span is not None), None)


def _pass_stages(passes: PassRecord) -> Iterator[Stage]:
    texts: dict[int, Text] = {}
    for depth, ran in passes:
        program = ran.after or ran.before
        if id(program) not in texts:
            texts[id(program)] = program_text(program)
        yield Stage(
            ran.info.text or ran.info.name,
            ran.info.summary,
            texts[id(program)],
            ran.seconds,
            depth,
            tuple(diff(ran.before, program).rows) if ran.changed else (),
            ran.changed,
        )
