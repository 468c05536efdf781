"""Annotate allocations of wmma fragments with shape and layout."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import on
from tvmscript.ir.tir import Allocate, AttrStmt, PrimFunc, Stmt, StringImm, TirRewriter, Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.tensor_cores.common.fragments import CALLS, Fragment, check_products, fragments_of


class _FragmentAnnotator(TirRewriter):
    def __init__(self, fragments: dict[Var, Fragment]) -> None:
        super().__init__()
        self.fragments = fragments

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        stmt: Stmt = self.descend(node)
        fragment = self.fragments.get(node.buffer_var)
        if fragment is None:
            return stmt
        shape = StringImm(", ".join(map(str, fragment.shape)))
        stmt = AttrStmt(node.buffer_var, "fragment_shape", shape, stmt, span=node.span)
        if fragment.layout:
            stmt = AttrStmt(node.buffer_var, "fragment_layout", StringImm(fragment.layout), stmt, span=node.span)
        return stmt


@dataclass(frozen=True)
class InferFragment(PrimFuncPass):
    """Wrap the allocation of each wmma fragment in the attributes `fragment_shape` ("m, n, k") and `fragment_layout`.

    The values are taken from the calls that fill, load and store the fragment. The layout is that of an operand in
    memory; a fragment that is filled first is row_major, an accumulator that is only loaded or stored has none. Raises
    `WrongFragment` if calls disagree or a product combines fragments of different shapes.

    rewrite:
        fa = T.allocate([256], "float16", "wmma.matrix_a")
        T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, ..., 16, "row_major")
        -->
        T.attr(fa, "fragment_layout", "row_major")
        T.attr(fa, "fragment_shape", "16, 16, 16")
        fa = T.allocate([256], "float16", "wmma.matrix_a")
        T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, ..., 16, "row_major")
    """

    name = "tir.InferFragment"
    takes = Form.FLAT
    looks_for_in_values = frozenset(CALLS)
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        fragments = fragments_of(func.body)
        check_products(func.body, fragments)
        return func.with_body(_FragmentAnnotator(fragments).rewrite(func.body)) if fragments else func
