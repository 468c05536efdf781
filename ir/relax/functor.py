"""TVM's visitors and mutators of Relax expressions: one method per node class, with TVM's names.

@mutator
class Faster(PyExprMutator):
    def visit_call_(self, call): ...

The default methods visit the children of the node.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, TypeVar, cast

from tvmscript.ir.core import GlobalVar, IRModule, Op, Span, on, structural_equal
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    Binding,
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter

C = TypeVar("C", bound=type)

#: class -> name of the method that visits it; subclasses come first
_VISIT_METHODS: Final[dict[type, str]] = {
    DataflowVar: "visit_dataflow_var_",
    Var: "visit_var_",
    Constant: "visit_constant_",
    Tuple: "visit_tuple_",
    ShapeExpr: "visit_shape_expr_",
    ExternFunc: "visit_extern_func_",
    GlobalVar: "visit_global_var_",
    Function: "visit_function_",
    Call: "visit_call_",
    SeqExpr: "visit_seq_expr_",
    If: "visit_if_",
    Op: "visit_op_",
    TupleGetItem: "visit_tuple_getitem_",
    PrimValue: "visit_prim_value_",
    StringImm: "visit_string_imm_",
    DataTypeImm: "visit_data_type_imm_",
}


def visitor(cls: C) -> C:
    """Return the class. TVM requires this decorator on visitors; here the base class suffices."""
    return cls


def mutator(cls: C) -> C:
    """Return the class. TVM requires this decorator on mutators; here the base class suffices."""
    return cls


class _Dispatch(ABC):
    """Dispatches a node to the method for its class."""

    @deep_recursion
    def visit_expr(self, expr: object) -> Any:
        """Call the method for the class of the expression. Raises `TypeError` for other objects."""
        kind = next((kind for kind in _VISIT_METHODS if isinstance(expr, kind)), None)
        if kind is None:
            raise TypeError(f"expected a Relax expression, not a {type(expr).__name__}")
        return getattr(self, _VISIT_METHODS[kind])(expr)

    def visit_binding(self, binding: Binding) -> Any:
        """Visit a binding by `visit_var_binding_` or `visit_match_cast_`."""
        name = "visit_match_cast_" if isinstance(binding, MatchCast) else "visit_var_binding_"
        return getattr(self, name)(binding)

    def visit_binding_block(self, block: BindingBlock) -> Any:
        """Visit a block by `visit_binding_block_` or `visit_dataflow_block_`."""
        name = "visit_dataflow_block_" if isinstance(block, DataflowBlock) else "visit_binding_block_"
        return getattr(self, name)(block)

    def visit_var_def(self, var: Var) -> Any:
        """Visit the definition of a variable by `visit_var_def_` or `visit_dataflow_var_def_`."""
        name = "visit_dataflow_var_def_" if isinstance(var, DataflowVar) else "visit_var_def_"
        return getattr(self, name)(var)

    def visit_span(self, span: Span) -> Any:
        """Visit a span."""
        return span

    # default methods

    @abstractmethod
    def _expr(self, expr: object) -> Any:
        """Visit the children of an expression."""

    def visit_constant_(self, op: Constant) -> Any:
        return self._expr(op)

    def visit_tuple_(self, op: Tuple) -> Any:
        return self._expr(op)

    def visit_var_(self, op: Var) -> Any:
        return self._expr(op)

    def visit_dataflow_var_(self, op: DataflowVar) -> Any:
        return self._expr(op)

    def visit_shape_expr_(self, op: ShapeExpr) -> Any:
        return self._expr(op)

    def visit_extern_func_(self, op: ExternFunc) -> Any:
        return self._expr(op)

    def visit_global_var_(self, op: GlobalVar) -> Any:
        return self._expr(op)

    def visit_function_(self, op: Function) -> Any:
        return self._expr(op)

    def visit_call_(self, op: Call) -> Any:
        return self._expr(op)

    def visit_seq_expr_(self, op: SeqExpr) -> Any:
        return self._expr(op)

    def visit_if_(self, op: If) -> Any:
        return self._expr(op)

    def visit_op_(self, op: Op) -> Any:
        return self._expr(op)

    def visit_tuple_getitem_(self, op: TupleGetItem) -> Any:
        return self._expr(op)

    def visit_prim_value_(self, op: PrimValue) -> Any:
        return self._expr(op)

    def visit_string_imm_(self, op: StringImm) -> Any:
        return self._expr(op)

    def visit_data_type_imm_(self, op: DataTypeImm) -> Any:
        return self._expr(op)


class PyExprVisitor(_Dispatch):
    """Visits every expression in evaluation order."""

    def _expr(self, expr: object) -> None:
        if isinstance(expr, Function):
            for param in expr.params:
                self.visit_var_def(param)
        for part in _subexpressions(expr):
            if isinstance(part, BindingBlock):
                self.visit_binding_block(part)
            else:
                self.visit_expr(part)

    def visit_var_binding_(self, binding: VarBinding) -> None:
        self.visit_expr(binding.value)
        self.visit_var_def(binding.var)

    def visit_match_cast_(self, binding: MatchCast) -> None:
        self.visit_expr(binding.value)
        self.visit_var_def(binding.var)

    def visit_binding_block_(self, block: BindingBlock) -> None:
        for binding in block.bindings:
            self.visit_binding(binding)

    def visit_dataflow_block_(self, block: DataflowBlock) -> None:
        for binding in block.bindings:
            self.visit_binding(binding)

    def visit_var_def_(self, var: Var) -> None:
        """Visit the definition of a variable."""

    def visit_dataflow_var_def_(self, var: DataflowVar) -> None:
        """Visit the definition of a DataflowVar."""


def _subexpressions(expr: object) -> Iterator[Any]:
    """Yield the child blocks and expressions of an expression."""
    if isinstance(expr, Call):
        yield from (expr.op, *expr.args)
    elif isinstance(expr, Tuple):
        yield from expr.fields
    elif isinstance(expr, TupleGetItem):
        yield expr.tuple_value
    elif isinstance(expr, If):
        yield from (expr.cond, expr.true_branch, expr.false_branch)
    elif isinstance(expr, SeqExpr):
        yield from (*expr.blocks, expr.body)
    elif isinstance(expr, Function):
        yield expr.body


class PyExprMutator(_Dispatch, RelaxRewriter):
    """Rebuilds programs in A-normal form; unchanged nodes stay the same objects. `builder_` emits new bindings."""

    def __init__(self, mod: IRModule | None = None) -> None:
        super().__init__(BlockBuilder(mod))

    @property
    def builder_(self) -> BlockBuilder:
        """The builder that receives new bindings."""
        return self.builder

    def _expr(self, expr: Any) -> Any:
        if isinstance(expr, Op):
            return expr
        if isinstance(expr, SeqExpr):
            return RelaxRewriter.sequence(self, expr)
        if isinstance(expr, Function):
            return RelaxRewriter.function(self, expr)
        return self.renamed.get(expr, expr) if expr.is_name else self.descend(expr)

    def visit_expr_post_order(self, expr: object) -> Any:
        """Rewrite the children of an expression, and normalize it."""
        rewritten = self._expr(expr)
        if isinstance(rewritten, RelaxExpr) and rewritten is not expr:
            return self.builder.normalize(rewritten)
        return rewritten

    def visit_var_binding_(self, binding: VarBinding) -> None:
        """Emit the binding with its value rewritten, and update the struct info of the variable."""
        value = self.visit_expr(binding.value)
        if value is not binding.value:
            value = self.builder.normalize(value)
        var = self.with_struct_info(self.visit_var_def(binding.var), value.struct_info)
        if var is not binding.var:
            self.set_var_remap(binding.var, var)
        unchanged = var is binding.var and value is binding.value
        self.builder.emit_normalized(binding if unchanged else binding.replace(var=var, value=value))

    def visit_match_cast_(self, binding: MatchCast) -> None:
        RelaxRewriter.match_cast(self, binding)

    def visit_binding_block_(self, block: BindingBlock) -> None:
        RelaxRewriter.block(self, block)

    def visit_dataflow_block_(self, block: DataflowBlock) -> None:
        RelaxRewriter.block(self, block)

    def visit_var_def_(self, var: Var) -> Var:
        return RelaxRewriter.define(self, var)

    def visit_dataflow_var_def_(self, var: DataflowVar) -> Var:
        return RelaxRewriter.define(self, var)

    def visit_with_new_scope(self, expr: RelaxExpr) -> SeqExpr:
        """Rewrite the expression into a sequence that holds the bindings emitted meanwhile."""
        if isinstance(expr, SeqExpr):
            return cast(SeqExpr, self.visit_expr(expr))
        return self.builder.sequence(lambda: self.visit_expr(expr))

    def set_var_remap(self, vid: Var, var: Var) -> None:
        """Replace a variable from here on. A variable is its own `vid`."""
        self.renamed[vid] = var

    def get_var_remap(self, vid: Var) -> Var:
        """Return the replacement of a variable, the variable itself where it has none."""
        return cast(Var, self.renamed.get(vid, vid))

    def lookup_binding(self, var: Var) -> RelaxExpr | None:
        """Return the value bound to a variable, None where it is not bound."""
        return self.builder.lookup_binding(var)

    def with_struct_info(self, var: Var, struct_info: StructInfo | None) -> Var:
        """Return the variable with this struct info: a new one of the same name where it differs."""
        if struct_info is None or structural_equal(struct_info, var.struct_info):
            return var
        return var.replace(struct_info=struct_info)

    # entry points from `RelaxRewriter`

    @on(*(kind for kind in _VISIT_METHODS if kind is not Op))
    def _rewritten(self, node: object) -> Any:
        return self.visit_expr(node)

    @on(VarBinding, MatchCast)
    def _emitted(self, node: Any) -> None:
        self.visit_binding(node)

    def block(self, node: BindingBlock) -> None:
        self.visit_binding_block(node)

    def define(self, name: Any) -> Any:
        new_name = self.visit_var_def(name) if isinstance(name, Var) else RelaxRewriter.define(self, name)
        if new_name is not name:
            self.renamed[name] = new_name
        return new_name
