"""Hypothesis strategies of TIR programs: well typed by construction, small when shrunk.

    from hypothesis import given
    from tvmscript.testing.strategies import prim_funcs

    @given(prim_funcs())
    def test_reads_back(func): ...

`expressions`: dtypes, constants, expressions, nested operators. `statements`: buffers, regions, statements.
`functions`: parameters, functions, functions of blocks that run, modules. Kernels with inputs: `testing.kernels`.
"""

from __future__ import annotations

from tvmscript.testing.strategies.expressions import constants, dtypes, exprs, operator_exprs
from tvmscript.testing.strategies.functions import block_funcs, modules, parameters, prim_funcs
from tvmscript.testing.strategies.statements import buffers, regions, stmts

__all__ = [
    "block_funcs",
    "buffers",
    "constants",
    "dtypes",
    "exprs",
    "modules",
    "operator_exprs",
    "parameters",
    "prim_funcs",
    "regions",
    "stmts",
]
