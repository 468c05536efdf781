"""TVM's visitors and mutators of the graph level: one method per kind of node, named as TVM names it.

@mutator
class Faster(PyExprMutator):
    def visit_call_(self, call): ...

A method that is not overridden goes on to the parts of the node.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.core.span import Span
from tvmscript.ir.core.visit import on
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

#: class -> the method for its expressions; of several the first that fits
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
    """TVM's decorator of visitors; here a class is a visitor by its base."""
    return cls


def mutator(cls: C) -> C:
    """TVM's decorator of mutators; here a class is a mutator by its base."""
    return cls


class _Dispatch(ABC):
    """Leads a node to the method for its kind."""

    def visit_expr(self, expr: Any) -> Any:
        """What the method for this kind of expression gives. Raises `TypeError` for what is no expression."""
        kind = next((kind for kind in _VISIT_METHODS if isinstance(expr, kind)), None)
        if kind is None:
            raise TypeError(f"an expression of the graph level is needed, not a {type(expr).__name__}")
        with deep_recursion():
            return getattr(self, _VISIT_METHODS[kind])(expr)

    def visit_binding(self, binding: Binding) -> Any:
        """A binding, by `visit_var_binding_` or `visit_match_cast_`."""
        name = "visit_match_cast_" if isinstance(binding, MatchCast) else "visit_var_binding_"
        return getattr(self, name)(binding)

    def visit_binding_block(self, block: BindingBlock) -> Any:
        """A block, by `visit_binding_block_` or `visit_dataflow_block_`."""
        name = "visit_dataflow_block_" if isinstance(block, DataflowBlock) else "visit_binding_block_"
        return getattr(self, name)(block)

    def visit_var_def(self, var: Var) -> Any:
        """A variable where it is bound, by `visit_var_def_` or `visit_dataflow_var_def_`."""
        name = "visit_dataflow_var_def_" if isinstance(var, DataflowVar) else "visit_var_def_"
        return getattr(self, name)(var)

    def visit_span(self, span: Span) -> Any:
        """Where something stands in its text."""
        return span

    # what is done where nothing is overridden

    @abstractmethod
    def _expr(self, expr: Any) -> Any:
        """Go on to the parts of an expression."""

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
    """Looks at every expression, in the order in which it is computed."""

    def _expr(self, expr: Any) -> None:
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
        """A variable where it is bound."""

    def visit_dataflow_var_def_(self, var: DataflowVar) -> None:
        """A variable of a dataflow block where it is bound."""


def _subexpressions(expr: Any) -> Iterator[Any]:
    """The blocks and expressions right inside of an expression."""
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
    """Rebuilds programs in normal form; what does not change stays the same object. `builder_` emits bindings."""

    def __init__(self, mod: IRModule | None = None) -> None:
        super().__init__(BlockBuilder(mod))

    @property
    def builder_(self) -> BlockBuilder:
        """The builder that bindings are emitted to."""
        return self.builder

    def _expr(self, expr: Any) -> Any:
        if isinstance(expr, Op):
            return expr
        if isinstance(expr, SeqExpr):
            return RelaxRewriter.sequence(self, expr)
        if isinstance(expr, Function):
            return RelaxRewriter.function(self, expr)
        return self.renamed.get(expr, expr) if expr.is_name else self.descend(expr)

    def visit_expr_post_order(self, expr: Any) -> Any:
        """The expression with its parts rewritten, in normal form."""
        made = self._expr(expr)
        return self.builder.normalize(made) if isinstance(made, RelaxExpr) and made is not expr else made

    def visit_var_binding_(self, binding: VarBinding) -> None:
        """Emit the binding with its value rewritten; the variable says what is known of it then."""
        made = self.visit_expr(binding.value)
        value = made if made is binding.value else self.builder.normalize(made)
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
        made: Var = RelaxRewriter.define(self, var)
        return made

    def visit_dataflow_var_def_(self, var: DataflowVar) -> Var:
        made: Var = RelaxRewriter.define(self, var)
        return made

    def visit_with_new_scope(self, expr: RelaxExpr) -> SeqExpr:
        """The expression as a body of its own: what is emitted meanwhile stands in it."""
        if isinstance(expr, SeqExpr):
            made: SeqExpr = self.visit_expr(expr)
            return made
        return self.builder.sequence(lambda: self.visit_expr(expr))

    def set_var_remap(self, vid: Var, var: Var) -> None:
        """From here on a variable is another one. Here a variable is its own `vid`."""
        self.renamed[vid] = var

    def get_var_remap(self, vid: Var) -> Var:
        """What a variable has become."""
        made: Any = self.renamed.get(vid, vid)
        return made  # type: ignore[no-any-return]  # variables become variables

    def lookup_binding(self, var: Var) -> RelaxExpr | None:
        """The value that was bound to a variable."""
        return self.builder.lookup_binding(var)

    def with_struct_info(self, var: Var, struct_info: StructInfo | None) -> Var:
        """The variable, or another one of its name where something else is known."""
        if struct_info is None or structural_equal(struct_info, var.struct_info):
            return var
        return var.replace(struct_info=struct_info)

    # how the rewriter comes here

    @on(*(kind for kind in _VISIT_METHODS if kind is not Op))
    def _rewritten(self, node: Any) -> Any:
        return self.visit_expr(node)

    @on(VarBinding, MatchCast)
    def _emitted(self, node: Any) -> None:
        self.visit_binding(node)

    def block(self, node: BindingBlock) -> None:
        self.visit_binding_block(node)

    def define(self, name: Any) -> Any:
        made = self.visit_var_def(name) if isinstance(name, Var) else RelaxRewriter.define(self, name)
        if made is not name:
            self.renamed[name] = made
        return made
