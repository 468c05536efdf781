"""Hypothesis strategies of Relax programs: well typed by construction, small when shrunk.

from hypothesis import given
from tvmscript.testing.graph_strategies import graph_modules

@given(graph_modules())
def test_reads_back(module): ...

`values`: struct info, and values that are no calls. `calls`: calls of operators, kernels, other functions.
`bindings`: bindings of a function. `modules`: the strategies.
"""

from __future__ import annotations

from tvmscript.testing.graph_strategies.calls import operators
from tvmscript.testing.graph_strategies.modules import graph_calls, graph_functions, graph_modules

__all__ = ["graph_calls", "graph_functions", "graph_modules", "operators"]
