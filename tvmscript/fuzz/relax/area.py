"""Fuzz graph modules: inference, text, copies, diffs."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.construct_script import construction
from tvmscript.fuzz.relax.module_laws import LAWS, agrees_with_numpy, is_inferred_again, leads
from tvmscript.fuzz.relax.operator_laws import check_operator_call
from tvmscript.fuzz.relax.struct_info_laws import check_struct_info
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.testing.graph_strategies import graph_calls, graph_modules
from tvmscript.testing.operator_calls import RECIPES, OperatorCall, operator_call


class GraphLawBroken(TVMScriptError, code="TS8046"):
    """A law of graph modules does not hold for a module."""

    message = "{law}: {reason}"


#: two modules, or one module of calls
Graphs = tuple[IRModule, ...]


@dataclass(frozen=True)
class Calls:
    """Valid calls of operators, and the seed of their checks."""

    calls: tuple[OperatorCall, ...]
    seed: int


#: calls in an example; each takes less than a millisecond
_CALLS: Final = 40


#: struct infos in an example
_INFOS: Final = 8


def _calls(seed: int) -> Calls:
    r = random.Random(seed)
    names = r.sample(sorted(RECIPES), _CALLS)
    return Calls(tuple(operator_call(name, r) for name in names), seed)


def examples() -> st.SearchStrategy[Graphs | Calls]:
    """Draw two modules for laws and diffs, a module of calls for inference, or valid operator calls."""
    modules = st.tuples(graph_modules(), graph_modules(3))
    calls = st.integers(0, 2**32).map(_calls)
    return st.one_of(modules, st.tuples(graph_calls()), calls, calls, calls, calls)


def check(example: Graphs | Calls) -> None:
    """Raises `GraphLawBroken`; propagates other errors."""
    if isinstance(example, Calls):
        _check_calls(example)
    else:
        _check_graphs(example)


def _check_calls(example: Calls) -> None:
    r = random.Random(example.seed)
    try:
        for _ in range(_INFOS):
            check_struct_info(r)
    except AssertionError as error:
        raise GraphLawBroken(law="struct info", reason=error) from error
    for call in example.calls:
        try:
            check_operator_call(call, example.seed)
        except AssertionError as error:
            raise GraphLawBroken(law=f"calls of R.{call.operator}", reason=f"{error}\n{call}") from error


def _check_graphs(modules: Graphs) -> None:
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


def write(example: Graphs | Calls) -> str:
    """Write the example as constructor calls."""
    if isinstance(example, Calls):
        imports = "from tvmscript.testing.operator_calls import Data, Number, OperatorCall, Sizes"
        return f"{imports}\nfrom tvmscript.fuzz.relax.area import Calls, check\n\ncheck({example!r})\n"
    return f"{construction(example)}\n\nfrom tvmscript.fuzz.relax.area import check\n\ncheck(program)\n"


AREA: Final = Area("relax", "graph modules: inference, text, copies, differences", examples, check, write)
