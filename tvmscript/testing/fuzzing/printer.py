"""Programs and their parts, printed with random options, read back to the same program."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.core.dtype import BOOL, FLOAT32, INT32, DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm, Var
from tvmscript.printer.errors import NoText
from tvmscript.testing.errors import NotPrinted
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.kernels import kernels
from tvmscript.testing.round_trip import roundtrip
from tvmscript.testing.scopes import scoped_funcs
from tvmscript.testing.strategies import block_funcs, exprs, modules, prim_funcs, stmts

#: ways to print that all read back
_OPTIONS: Final[list[dict[str, Any]]] = [
    {},
    {"verbose_expr": True},
    {"syntax_sugar": False},
    {"show_meta": True},
    {"num_context_lines": 0},
    {"indent_spaces": 2},
    {"int_dtype": "int64"},
    {"float_dtype": "float32"},
    {"tir_prefix": "tir", "ir_prefix": "ir"},
    {"print_line_numbers": False},
]
#: the same for the dialect of TVM 0.27
_NEWER: Final[list[dict[str, Any]]] = [
    {"dialect": "0.27", **options} for options in ({}, {}, {"syntax_sugar": False}, {"verbose_expr": True})
]


@dataclass(frozen=True)
class Printed:
    """A program and the options that it is printed with."""

    program: Node
    options: dict[str, Any]


def _parts(*, with_statements: bool = True) -> st.SearchStrategy[Node]:
    """Expressions, and statements, over names that nothing defines."""
    variables = [Var("i", INT32), Var("x", FLOAT32), Var("c", BOOL), Var("w", "int64")]
    buffers = [make_buffer((IntImm("int32", 4), IntImm("int32", 8)), dtype, "A") for dtype in (FLOAT32, INT32)]
    dtypes = st.sampled_from(list(map(DType, ["int32", "float32", "bool", "int64", "uint8", "float16", "int32x4"])))
    expressions = dtypes.flatmap(lambda dtype: exprs(dtype, variables, buffers))
    return st.one_of(expressions, stmts(variables, buffers)) if with_statements else expressions


def _has_no_large_number(program: Node) -> bool:
    """0.27 writes numbers beyond int64 as conversions of negative ones."""
    return all(node.value < 2**63 for node in nodes(program) if isinstance(node, IntImm))


def examples() -> st.SearchStrategy[Printed]:
    """Functions, modules, graphs, parts; each with options."""
    programs = st.one_of(prim_funcs(), scoped_funcs(), block_funcs(), modules(), graph_modules(), _parts())
    # 0.27 has no scopes of lets and of memory that end before the statements around them do, no known numbers in graphs
    newer = st.one_of(kernels(), block_funcs(), _parts(with_statements=False).filter(_has_no_large_number))
    return st.one_of(
        st.builds(Printed, programs, st.sampled_from(_OPTIONS)),
        st.builds(Printed, programs, st.sampled_from(_OPTIONS)),
        st.builds(Printed, newer, st.sampled_from(_NEWER)),
    )


def check(example: Printed) -> None:
    """Raises a `RoundTripError`; not all programs can be said in each dialect."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            roundtrip(example.program, **example.options)
        except NotPrinted as error:
            if not (isinstance(error.__cause__, NoText) and "dialect" in example.options):
                raise


def write(example: Printed) -> str:
    """As constructor calls, since the text is what may be wrong."""
    return "\n".join(
        [
            construction(example.program),
            "",
            "from tvmscript.testing.fuzzing.printer import Printed, check",
            "",
            f"check(Printed(program, {example.options!r}))",
        ]
    )


AREA: Final = Area("printer", "programs print a text that reads back to the same program", examples, check, write)
