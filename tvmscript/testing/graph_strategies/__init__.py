"""Hypothesis strategies that draw programs of the graph level: well typed by construction, small when shrunk.

from hypothesis import given
from tvmscript.testing.graph_strategies import graph_modules

@given(graph_modules())
def test_reads_back(module): ...

`values`: what is known of values, and those that are no calls. `calls`: of operators, kernels, other functions.
`bindings`: a function, binding by binding. `modules`: the strategies.
"""

from __future__ import annotations

from tvmscript.testing.graph_strategies.calls import operators
from tvmscript.testing.graph_strategies.modules import graph_calls, graph_functions, graph_modules

__all__ = ["graph_calls", "graph_functions", "graph_modules", "operators"]
