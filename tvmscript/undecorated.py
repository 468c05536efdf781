"""Objects that are often taken for programs: undecorated functions and classes, texts, schedules."""

from __future__ import annotations

from types import FunctionType

from tvmscript.ir.core import IRModule


def describe(program: object) -> str:
    """Describe an object that is not a program."""
    if isinstance(program, type):
        return f"the undecorated class {program.__name__}"
    if isinstance(program, FunctionType):
        return f"the undecorated function {program.__name__}"
    return repr(program)


def propose(program: object) -> str | None:
    """Return a hint how to make a program of an object."""
    if isinstance(program, type):
        return "decorate it with @I.ir_module"
    if isinstance(program, FunctionType):
        return "decorate it with @T.prim_func, or with @R.function for a graph"
    if isinstance(program, str):
        return "read a text first: tvmscript.from_source(text)"
    if isinstance(getattr(program, "mod", None), IRModule):
        return "take the module of the schedule: sch.mod"
    return None
