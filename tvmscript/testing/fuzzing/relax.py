"""Modules of graph functions: what their operators infer, their text, their copies, their differences."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.graph_laws import LAWS, leads
from tvmscript.testing.graph_strategies import graph_modules


class GraphLawBroken(TVMScriptError):
    """A module of graph functions for which something does not hold that holds for all of them."""

    code = "TS8046"
    message = "{law}: {reason}"


def examples() -> st.SearchStrategy[tuple[IRModule, IRModule]]:
    """Two modules: the laws of one, and the difference to the other."""
    return st.tuples(graph_modules(), graph_modules(3))


def check(modules: tuple[IRModule, IRModule]) -> None:
    """Raises `GraphLawBroken`, and whatever else goes wrong."""
    module, other = modules
    for law in LAWS:
        try:
            law(module)
        except AssertionError as error:
            raise GraphLawBroken(law=law.__name__, reason=error) from error
    try:
        leads(module, other)
    except AssertionError as error:
        raise GraphLawBroken(law="differences", reason=error) from error


def write(modules: tuple[IRModule, IRModule]) -> str:
    """Both as constructor calls."""
    return f"{construction(modules)}\n\nfrom tvmscript.testing.fuzzing.relax import check\n\ncheck(program)\n"


AREA: Final = Area("relax", "graph modules: inference, text, copies, differences", examples, check, write)
