"""Hypothesis strategies of tensor expressions and classic schedules, with the values that NumPy gives.

from hypothesis import given
from tvmscript.testing.tensor_strategies import apply_steps, classic_steps, tensor_graphs

@given(tensor_graphs(), classic_steps())
def test_values(graph, steps):
    inputs, outputs = graph.tensors()
    schedule = te.create_schedule([tensor.op for tensor in outputs])
    apply_steps(schedule, steps)
    arrays, expected = graph.arrays(seed=0)

`definitions`: kinds of definitions. `semantics`: their meaning in `te` and NumPy. `graphs`: graphs of them.
`steps`: steps of schedules.
"""

from __future__ import annotations

from tvmscript.testing.tensor_strategies.graphs import Definition, TensorGraph, tensor_graphs
from tvmscript.testing.tensor_strategies.steps import Step, apply_steps, classic_steps

__all__ = ["Definition", "Step", "TensorGraph", "apply_steps", "classic_steps", "tensor_graphs"]
