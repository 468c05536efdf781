"""Sums of products of numbers of at most 16 bits, of which x86 adds two by one instruction (`vpmaddwd`).

LLVM's vectorizer counts the lanes of the sums, and would fill half of a register with the numbers.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.codegen.vectorizable_loops import slope
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import INT32, on
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.tir import Expr, IntImm, StatementRewriter, Stmt, Var, substitute
from tvmscript.ir.tir.expr import Add, Cast, Mul
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind

#: annotation of loops whose terms are all in vectors of pairs
PAIRED: Final = "tir.paired"
#: bits of the numbers in a pair, and vectors of pairs in an iteration
_BITS: Final = 16
VECTORS: Final = 2


def paired_lanes(model: MachineModel) -> int:
    """Return how many numbers of pairs are in a vector."""
    return model.lanes(_BITS // 8)


class PairProducts(StatementRewriter):
    """Split off the terms of sums that do not fill vectors.

    rewrite, for 32 terms at once:
        for k in range(100):                                  -->     for k in range(96): ...
            C[0] = C[0] + T.int32(A[k]) * T.int32(B[k])               for k in range(4):
                                                                          C[0] = C[0] + T.int32(A[k + 96]) * ...
    """

    def __init__(self, lanes: int) -> None:
        super().__init__()
        self.lanes = lanes

    @on(For)
    def loop(self, node: For) -> Stmt:
        terms, at_once = node.extent, VECTORS * self.lanes
        is_plain = node.kind is ForKind.SERIAL and is_const(node.min, 0)
        if not is_plain or not isinstance(terms, IntImm) or terms.value < at_once or not _adds_products(node):
            return self.descend(node)
        whole = IntImm(terms.dtype, terms.value - terms.value % at_once)
        paired = node.replace(extent=whole, annotations={**node.annotations, PAIRED: TRUE})
        if whole.value == terms.value:
            return paired
        var, rest = Var(node.loop_var.name, terms.dtype), IntImm(terms.dtype, terms.value % at_once)
        body = substitute(node.body, {node.loop_var: index_add(var, whole)})
        return flatten_seq((paired, node.replace(loop_var=var, extent=rest, body=body)), node)


def _adds_products(loop: For) -> bool:
    store = loop.body
    if not isinstance(store, BufferStore) or store.value.dtype is not INT32 or not isinstance(store.value, Add):
        return False
    product = store.value.b
    is_product = isinstance(product, Mul) and _is_narrow(product.a) and _is_narrow(product.b)
    return is_product and all(slope(index, loop.loop_var) == 0 for index in store.indices)


def _is_narrow(factor: Expr) -> bool:
    """Return whether a number fits a signed one of 16 bits."""
    if not isinstance(factor, Cast) or not factor.value.dtype.is_integer:
        return False
    return factor.value.dtype.bits + (factor.value.dtype.code == "uint") <= _BITS
