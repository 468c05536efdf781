"""Narrow floats are integers of the same bits: in memory, in variables, and on the way between them."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BinaryOp, Call, Cast, FloatImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, AttrStmt
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import bits_dtype
from tvmscript.ir.transform.errors import NarrowFloatComputed, NarrowFloatParameter


def stored_as_bits(func: PrimFunc, narrow: frozenset[str], name: str, legalize: str) -> PrimFunc:
    """The function with unsigned integers for values of `narrow` dtypes.

    Raises `NarrowFloatParameter` for a buffer among the parameters, `NarrowFloatComputed` for what computes with such
    a value; `name` and `legalize` are the passes to be named in them.
    """
    for buffer in func.buffer_map.values():
        if buffer.dtype.element in narrow:
            raise NarrowFloatParameter(name=name, buffer=buffer.name, dtype=buffer.dtype, span=func.span)
    if not any(_is_about(node, narrow) for node in nodes(func)):
        return func
    change = _Bits(narrow, name, legalize)
    params = tuple([change.define(param) for param in func.params])
    return func.replace(params=params, body=change.rewrite(func.body))


def _is_about(node: Any, narrow: frozenset[str]) -> bool:
    if isinstance(node, Expr | Allocate | AllocateConst | Buffer) and node.dtype.element in narrow:
        return True
    return isinstance(node, Var) and _pointee(node).element in narrow


def _pointee(var: Var) -> DType:
    """What a pointer points to, the variable's own dtype where it is none or does not tell."""
    annotation = var.type_annotation
    is_known = isinstance(annotation, PointerType) and isinstance(annotation.element_type, PrimType)
    return annotation.element_type.dtype if is_known else var.dtype  # type: ignore[union-attr]


class _Bits(TirRewriter):
    def __init__(self, narrow: frozenset[str], name: str, legalize: str) -> None:
        super().__init__()
        self.narrow = narrow
        self.pass_name = name
        self.legalize = legalize

    def stored(self, dtype: DType) -> DType:
        return bits_dtype(dtype) if dtype.element in self.narrow else dtype

    def refuse(self, node: Expr) -> NarrowFloatComputed:
        what = f"a {type(node).__name__} of {node.dtype}"
        return NarrowFloatComputed(name=self.pass_name, what=what, legalize=self.legalize, span=node.span)

    def define(self, name: Any) -> Any:
        if isinstance(name, Buffer):
            return self.name(name)
        pointee = _pointee(name)
        if pointee.element not in self.narrow:
            return name
        if name.dtype.is_handle:
            made = Var(name.name, PointerType(PrimType(self.stored(pointee)), name.storage_scope), span=name.span)
        else:
            made = Var(name.name, self.stored(name.dtype), span=name.span)
        self.renamed[name] = made
        return made

    @on(Var, Buffer)
    def name(self, node: Any) -> Any:
        found = self.renamed.get(node)
        if found is None and isinstance(node, Buffer):
            found = self.descend(node)
            if node.dtype.element in self.narrow:
                found = found.replace(dtype=self.stored(node.dtype))
            self.renamed[node] = found
        return node if found is None else found

    @on(FloatImm)
    def constant(self, node: Expr) -> Expr:
        if node.dtype.element in self.narrow:
            raise self.refuse(node)
        return node

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        if node.a.dtype.element in self.narrow:
            raise self.refuse(node)
        return super().binary(node)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        if node.dtype.element in self.narrow or node.value.dtype.element in self.narrow:
            raise self.refuse(node)
        return self.descend(node)

    @on(Call)
    def call(self, node: Call) -> Expr:
        args = self._tuple(node.args, self.rewrite)
        dtype = self.stored(node.dtype)
        if node.op is reinterpret_ and args[0].dtype is dtype:
            return args[0]  # type: ignore[no-any-return]  # rules return expressions
        return node if args is node.args and dtype is node.dtype else Call(dtype, node.op, args, node.span)

    @on(Allocate, AllocateConst)
    def allocate(self, node: Any) -> Stmt:
        made = self.descend(node)
        dtype = self.stored(node.dtype)
        return made if dtype is node.dtype else made.replace(dtype=dtype)  # type: ignore[no-any-return]

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made = self.descend(node)
        about = self.name(node.node) if isinstance(node.node, Buffer | Var) else made.node
        return made if about is made.node else made.replace(node=about)
