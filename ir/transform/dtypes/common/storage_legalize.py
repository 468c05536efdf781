"""Store narrow floats as unsigned integers of the same bits."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import DType, PointerType, PrimType, nodes, on
from tvmscript.ir.tir import Allocate, AllocateConst, AttrStmt, Buffer, Expr, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.tir.expr import BinaryOp, Call, Cast, FloatImm, Var
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import bits_dtype
from tvmscript.ir.transform.errors import NarrowFloatComputed, NarrowFloatParameter


def legalize_storage(func: PrimFunc, narrow: frozenset[str], name: str, legalize: str) -> PrimFunc:
    """Return the function with unsigned integers instead of `narrow` dtypes.

    Raises `NarrowFloatParameter` for a buffer among the parameters, and `NarrowFloatComputed` for an operation on such
    a value. The messages name the passes `name` and `legalize`.
    """
    for buffer in func.buffer_map.values():
        if buffer.dtype.element in narrow:
            raise NarrowFloatParameter(name=name, buffer=buffer.name, dtype=buffer.dtype, span=func.span)
    if not any(_uses_narrow(node, narrow) for node in nodes(func)):
        return func
    rewriter = _BitsRewriter(narrow, name, legalize)
    params = tuple([rewriter.define(param) for param in func.params])
    return func.replace(params=params, body=rewriter.rewrite(func.body))


def _uses_narrow(node: object, narrow: frozenset[str]) -> bool:
    if isinstance(node, (Expr, Allocate, AllocateConst, Buffer)) and node.dtype.element in narrow:
        return True
    return isinstance(node, Var) and _pointee_dtype(node).element in narrow


def _pointee_dtype(var: Var) -> DType:
    """Return the dtype that a pointer points to; the dtype of the variable if it is not a typed pointer."""
    annotation = var.pointer_type
    if isinstance(annotation, PointerType) and isinstance(annotation.element_type, PrimType):
        return annotation.element_type.dtype
    return var.dtype


class _BitsRewriter(TirRewriter):
    def __init__(self, narrow: frozenset[str], name: str, legalize: str) -> None:
        super().__init__()
        self.narrow = narrow
        self.pass_name = name
        self.legalize = legalize

    def storage_dtype(self, dtype: DType) -> DType:
        return bits_dtype(dtype) if dtype.element in self.narrow else dtype

    def error(self, node: Expr) -> NarrowFloatComputed:
        operation = f"a {type(node).__name__} of {node.dtype}"
        return NarrowFloatComputed(name=self.pass_name, what=operation, legalize=self.legalize, span=node.span)

    def define(self, name: Any) -> Any:
        if isinstance(name, Buffer):
            return self.name(name)
        pointee = _pointee_dtype(name)
        if pointee.element not in self.narrow:
            return name
        if name.dtype.is_handle:
            new_var = Var(
                name.name, PointerType(PrimType(self.storage_dtype(pointee)), name.storage_scope), span=name.span
            )
        else:
            new_var = Var(name.name, self.storage_dtype(name.dtype), span=name.span)
        self.renamed[name] = new_var
        return new_var

    @on(Var, Buffer)
    def name(self, node: Any) -> Any:
        new_name = self.renamed.get(node)
        if new_name is None and isinstance(node, Buffer):
            new_name = self.descend(node)
            if node.dtype.element in self.narrow:
                new_name = new_name.replace(dtype=self.storage_dtype(node.dtype))
            self.renamed[node] = new_name
        return node if new_name is None else new_name

    @on(FloatImm)
    def constant(self, node: Expr) -> Expr:
        if node.dtype.element in self.narrow:
            raise self.error(node)
        return node

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        if node.a.dtype.element in self.narrow:
            raise self.error(node)
        return super().binary(node)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        if node.dtype.element in self.narrow or node.value.dtype.element in self.narrow:
            raise self.error(node)
        return self.descend(node)

    @on(Call)
    def call(self, node: Call) -> Expr:
        args: tuple[Expr, ...] = self._tuple(node.args, self.rewrite)
        dtype = self.storage_dtype(node.dtype)
        if node.op is reinterpret_ and args[0].dtype is dtype:
            return args[0]
        return node.rebuild(dtype=dtype, args=args)

    @on(Allocate, AllocateConst)
    def allocate(self, node: Allocate | AllocateConst) -> Stmt:
        stmt = self.descend(node)
        dtype = self.storage_dtype(node.dtype)
        return stmt if dtype is node.dtype else stmt.replace(dtype=dtype)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        new_attr = self.descend(node)
        return new_attr.rebuild(node=self.name(node.node) if isinstance(node.node, (Buffer, Var)) else new_attr.node)
