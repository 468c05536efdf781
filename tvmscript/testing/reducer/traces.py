"""Reduce a failing trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.trace.trace import Trace, random_variables_in
from tvmscript.testing.reducer.candidates import without_parts
from tvmscript.testing.reducer.programs import NothingFails


def reduce_trace(trace: Trace, fails: Callable[[Trace], bool]) -> Trace:
    """A short trace for which `fails` is still true.

    Every candidate can be done: with a step those go that use what it gives. No step can be left out of the result.
    Raises `NothingFails`.
    """
    if not fails(trace):
        raise NothingFails
    seen = {str(trace)}
    progress = True
    while progress:
        progress = False
        for kept in without_parts(trace.insts):
            candidate = _of(trace, kept)
            if str(candidate) in seen:
                continue
            seen.add(str(candidate))
            if fails(candidate):
                trace, progress = candidate, True
                break
    return trace


def _of(trace: Trace, insts: Sequence[Instruction]) -> Trace:
    """The trace of those instructions whose inputs others of them give."""
    defined: set[object] = set()
    outputs = {variable for inst in trace.insts for variable in inst.outputs}
    kept: list[Instruction] = []
    for inst in insts:
        if (random_variables_in(inst.inputs) & outputs) <= defined:
            kept.append(inst)
            defined.update(inst.outputs)
    return Trace(kept, {inst: trace.decisions[inst] for inst in kept if inst in trace.decisions}).simplified()
