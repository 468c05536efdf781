"""Modules of graph functions: what their operators infer, their text, their copies, their differences."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.graph_laws import LAWS, agrees_with_numpy, is_inferred_again, leads
from tvmscript.testing.graph_strategies import graph_calls, graph_modules


class GraphLawBroken(TVMScriptError):
    """A module of graph functions for which something does not hold that holds for all of them."""

    code = "TS8046"
    message = "{law}: {reason}"


#: two modules, or one of calls alone
Graphs = tuple[IRModule, ...]


def examples() -> st.SearchStrategy[Graphs]:
    """Two modules: the laws of one, and the difference to the other; or one of calls: what is inferred of them."""
    return st.one_of(st.tuples(graph_modules(), graph_modules(3)), st.tuples(graph_calls()))


def check(modules: Graphs) -> None:
    """Raises `GraphLawBroken`, and whatever else goes wrong."""
    module, *others = modules
    for law in LAWS if others else (is_inferred_again, agrees_with_numpy):
        try:
            law(module)
        except AssertionError as error:
            raise GraphLawBroken(law=law.__name__, reason=error) from error
    for other in others:
        try:
            leads(module, other)
        except AssertionError as error:
            raise GraphLawBroken(law="differences", reason=error) from error


def write(modules: Graphs) -> str:
    """All as constructor calls."""
    return f"{construction(modules)}\n\nfrom tvmscript.testing.fuzzing.relax import check\n\ncheck(program)\n"


AREA: Final = Area("relax", "graph modules: inference, text, copies, differences", examples, check, write)
