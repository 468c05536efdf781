"""Parser of Relax statements, which become bindings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from tvmscript.ir.core import GlobalVar, Span, TVMScriptError
from tvmscript.ir.core.python_settings import MAX_NESTING
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, DataflowVar, If, SeqExpr, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import debug
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.struct_info_lattice import struct_info_lca
from tvmscript.ir.relax.symbolic_shape import tir_vars_in_struct_info
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir.expr import Var as SizeVar
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.errors import (
    CannotAssign,
    GivenTwice,
    InvalidOperation,
    NoStatement,
    NotAContext,
    UnsupportedSyntax,
    WrongTargetCount,
)
from tvmscript.parser.diagnostics.hints import about_construct
from tvmscript.parser.diagnostics.poison import POISON, defined_names
from tvmscript.parser.diagnostics.recovery import report_error
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.name_hints import is_unnamed, name_if_unnamed
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.python.literals import python_value
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.python.macro_expansion import count_expanded, expand
from tvmscript.parser.reader import Session
from tvmscript.parser.relax.bindings import Bindings
from tvmscript.parser.relax.builtins.struct_info import PendingStructInfo
from tvmscript.parser.relax.evaluator import RelaxEvaluator
from tvmscript.parser.relax.frames import Dataflow, MatchedCast, Outputs
from tvmscript.parser.relax.operators import as_constant

Handler: TypeAlias = "Callable[[Any, Any], None]"


class Branch(NamedTuple):
    """A branch of `if`: its sequence, the name of its last variable, and the struct info of its value."""

    body: SeqExpr
    name: str
    known: StructInfo | None


def print_values(form: str, *values: object, span: Span | None = None) -> Call:
    """Return `R.print` of values under a format."""
    call: Call = script_function_of(debug.print)(*values, format=form, span=span)
    return call


class RelaxBodyParser(RelaxEvaluator):
    """Parses the statements of a function body."""

    print_function: ClassVar[Builtin | None] = Builtin("print", print_values)
    breakpoint_function: ClassVar[Builtin | None] = Builtin("breakpoint", script_function_of(debug.breakpoint))
    #: node type -> function that parses it
    handlers: ClassVar[Mapping[type, Handler]]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.bindings = Bindings(session.limits)
        self.result: RelaxExpr | None = None
        #: the dataflow block that a macro is expanded in
        self.expanded_in: Outputs | None = None

    def splice(self, nodes: list[ast.stmt]) -> None:
        """Parse statements into the current sequence; report errors and continue with the next statement."""
        level, depth = self.scope.level, self.depth
        for node in nodes:
            try:
                handler = self.handlers.get(type(node))
                if handler is None:
                    hint = _INSTEAD.get(type(node)) or about_construct(node)
                    raise UnsupportedSyntax(what=construct_name(node), span=self.span(node), hint=hint)
                if self.depth > MAX_NESTING:
                    self.too_deep(node)
                if self.result is not None:
                    raise UnsupportedSyntax(what="a statement after return", span=self.span(node))
                outputs = self.bindings.outputs
                if outputs is not None and outputs.is_declared and type(node) is not ast.Return:
                    hint = "R.output ends the block"
                    raise UnsupportedSyntax(what="a statement after R.output", span=self.span(node), hint=hint)
                handler(self, node)
            except TVMScriptError as error:
                self.scope.leave(level)
                self.depth = depth
                report_error(self, node, error)
                self.poison(node)
            except Reported:
                # errors in a part of the statement are reported already
                self.scope.leave(level)
                self.depth = depth
                self.poison(node)
                if self.session.report.stopped:
                    raise

    def poison(self, node: ast.stmt) -> None:
        """Poison the names that a failed statement defines."""
        for name in defined_names(node):
            self.scope.replace(name, POISON)
        if isinstance(node, (ast.If, ast.With, ast.For)):
            for part in (*node.body, *getattr(node, "orelse", ())):
                self.poison(part)

    def assignment(self, node: ast.Assign) -> None:
        """Parse `target = value`."""
        if len(node.targets) != 1:
            raise UnsupportedSyntax(what="a = b = c", span=self.span(node), hint="write one assignment for each name")
        self.assign(node.targets[0], self.value(node.value), node.value, None)

    def annotated(self, node: ast.AnnAssign) -> None:
        """Parse `x: R.Tensor(...) = value`."""
        if node.value is None:
            self.declared(node)
            return
        value = self.value(node.value)
        self.assign(node.target, value, node.value, self.struct_info(node.annotation, "variable"))

    def declared(self, node: ast.AnnAssign) -> None:
        """Parse `x: R.Tensor(...)`: a free variable, or one that is bound later. `x: None` has no struct info."""
        if type(node.target) is not ast.Name:
            hint = "give it a value"
            raise UnsupportedSyntax(what="a declaration without a value", span=self.span(node), hint=hint)
        annotation = node.annotation
        is_none = type(annotation) is ast.Constant and annotation.value is None
        info = None if is_none else self.struct_info(annotation, "variable")
        var = self.bindings.ahead[node.target.id] = Var(node.target.id, info, self.span(node.target))
        self.scope.replace(node.target.id, var)

    def assign(self, target: ast.AST, value: object, written: ast.expr, info: StructInfo | None) -> None:
        """Bind the names of a target to a value."""
        if type(target) in (ast.Tuple, ast.List):
            self.assign_each(target, value, written)
            return
        if type(target) is not ast.Name:
            raise CannotAssign(what=construct_name(target), span=self.span(target))
        name = target.id
        variable = self.bound(name, value, target, written, info)
        self.scope.replace(name, variable)

    def assign_each(self, target: Any, value: object, written: ast.expr) -> None:
        """`n, m = T.int64(), T.int64()`; `a, b = t` binds the items of a tuple."""
        if isinstance(value, RelaxExpr) and isinstance(value.struct_info, TupleStructInfo):
            held = self.bindings.argument(value, self.span(written))
            count, span = len(value.struct_info.fields), self.span(written)
            value = [TupleGetItem(held, index, span=span) for index in range(count)]
        if not isinstance(value, (tuple, list)):
            what = f"several names for {describe(value)}"
            raise CannotAssign(what=what, span=self.span(target), hint="take its elements one by one: x[0]")
        if len(value) != len(target.elts):
            raise WrongTargetCount(names=len(target.elts), values=len(value), span=self.span(target))
        for part, item in zip(target.elts, value, strict=True):
            self.assign(part, item, written, None)

    def bound(self, name: str, value: object, target: object, written: object, info: StructInfo | None) -> object:
        """Return the value of a name after `name = value`: a variable of the program or a Python value."""
        if isinstance(value, Expr):
            return self.size_variable(name, value, target)
        if isinstance(value, list) and info is None:
            return value
        if isinstance(value, MatchedCast):
            return self.bindings.bind_cast(value.value, value.info, name, self.span(target), info, target)
        if isinstance(value, (int, float)):
            value = as_constant(value, self.span(written))
        if isinstance(value, (RelaxExpr, GlobalVar, tuple, list)):
            return self.bindings.bind(self.as_value(value, self.span(written)), name, self.span(target), info, target)
        if isinstance(value, KEPT) or self.closure is not None:
            return value
        raise CannotAssign(what=f"a name for {describe(value)}", span=self.span(target))

    def size_variable(self, name: str, value: Expr, target: object) -> object:
        """`n = T.int64()`: the variable that a parameter has introduced under this name, or a new one; `m = n + 1` is
        a name for the expression.
        """
        if not is_unnamed(value):
            if isinstance(value, SizeVar) and value.name != name:
                hint = f"write {value.name}, or R.prim_value({value.name}), which is a value of the program"
                raise CannotAssign(what=f"another name for {value.name}", span=self.span(target), hint=hint)
            return value
        size_var = self.names.get(name)
        if isinstance(size_var, SizeVar):
            if size_var.dtype is not value.dtype:
                what = f"{name}, a size of {size_var.dtype},"
                raise CannotAssign(what=what, span=self.span(target), hint=f"write {name} = T.{size_var.dtype}()")
            return size_var
        name_if_unnamed(value, name)
        return value

    def expression_statement(self, node: ast.Expr) -> None:
        """Parse an expression statement. A call without a result is bound to `_`; other values are rejected."""
        value = self.value(node.value)
        if isinstance(value, RelaxExpr):
            info = self.bindings.bind(value, "_", self.span(node)).struct_info
            if not isinstance(info, TupleStructInfo) or info.fields:
                raise NoStatement(what="a value of the graph", span=self.span(node), hint="give it a name: _ = ...")
        elif value is not None and not isinstance(value, str) and value is not Ellipsis:
            raise NoStatement(what=describe(value), span=self.span(node))

    def give_back(self, value: object, span: Span) -> None:
        """Parse `return value`."""
        outputs = self.bindings.outputs
        if outputs is not self.expanded_in and not (outputs and outputs.may_return):
            hint = "return variables, or behind the block"
            raise UnsupportedSyntax(what="return of something else in a dataflow block", span=span, hint=hint)
        if self.result is not None:
            raise GivenTwice(what="the result", span=span)
        self.result = self.bindings.argument(self.as_value(value, span), span)

    def returned(self, node: ast.Return) -> None:
        """Parse `return value`."""
        if node.value is None:
            raise UnsupportedSyntax(what="return without a value", span=self.span(node), hint="write return R.tuple()")
        value = self.value(node.value)
        if isinstance(value, (int, float)):
            value = as_constant(value, self.span(node.value))
        self.give_back(value, self.span(node.value))

    def no_statement(self, node: ast.Pass) -> None:
        """Parse `pass`."""

    # macros

    def expand(self, node: object, macro: Macro, args: list[object], kwargs: dict[str, object]) -> RelaxExpr | None:
        """Expand a macro to a sequence: its bindings, and the value that it returns.

        In a dataflow block, and without a return, its bindings are added to the current sequence.
        """
        around = self.result, self.expanded_in
        self.result, self.expanded_in = None, self.bindings.outputs
        try:
            if self.bindings.outputs is not None or not isinstance(macro.node.body[-1], ast.Return):
                expand(self, node, macro, args, kwargs)
                return self.result
            with self.bindings.elsewhere():
                self.expanded_in = None
                failed = self.failures
                expand(self, node, macro, args, kwargs)
                if self.result is None or self.failures > failed:
                    raise Reported
                return self.bindings.finished(self.result)
        finally:
            self.result, self.expanded_in = around

    @property
    def failures(self) -> int:
        """Number of failures so far."""
        return self.session.report.count

    def with_(self, node: ast.With) -> None:
        """Parse `with R.dataflow():`."""
        frame = self.value(node.items[0].context_expr)
        if len(node.items) != 1 or not isinstance(frame, Dataflow) or node.items[0].optional_vars is not None:
            hint = "write with R.dataflow():"
            raise NotAContext(what=describe(frame), span=self.span(node.items[0].context_expr), hint=hint)
        if self.bindings.outputs is not None:
            raise UnsupportedSyntax(what="a nested dataflow block", span=self.span(node))
        outputs = Outputs(node.body)
        mark = self.scope.enter()
        with self.bindings.dataflow(outputs, frame.span):
            self.splice(node.body)
        self.scope.leave(mark)
        for name, var in outputs.names():
            self.scope.replace(name, var)

    def loop(self, node: ast.For) -> None:
        """Unroll `for x in values` over Python values."""
        values = python_value(self.value(node.iter))
        if not isinstance(values, (range, tuple, list)) or node.orelse:
            hint = "write a recursive function, or put the loop into a kernel"
            raise UnsupportedSyntax(what="for over values that are not known", span=self.span(node.iter), hint=hint)
        self.depth += 1
        for value in values:
            count_expanded(self, node)
            self.bind_item(node.target, value)
            self.splice(node.body)
        self.depth -= 1

    def bind_item(self, target: Any, item: object) -> None:
        """Bind the target of a loop."""
        if type(target) is ast.Name:
            self.scope.replace(target.id, item)
        elif type(target) in (ast.Tuple, ast.List) and isinstance(item, (tuple, list)):
            if len(item) != len(target.elts):
                raise WrongTargetCount(names=len(target.elts), values=len(item), span=self.span(target))
            for part, value in zip(target.elts, item, strict=True):
                self.bind_item(part, value)
        else:
            raise CannotAssign(what=construct_name(target), span=self.span(target))

    def conditional(self, node: Any) -> None:
        """Parse `if condition: ... else: ...`; the last statement of both branches assigns the same variable."""
        span = self.span(node.test)
        test = self.value(node.test)
        if isinstance(test, bool):
            self.splice(node.body if test else node.orelse)
            return
        if self.bindings.outputs is not None:
            raise UnsupportedSyntax(what="if in a dataflow block", span=self.span(node))
        condition = self.as_value(test, span)
        if not node.orelse:
            raise UnsupportedSyntax(
                what="if without else", span=self.span(node), hint="both branches must assign the value"
            )
        first, second = self.branches(node)
        name = first.name
        if name != second.name:
            reason = f"one branch ends with {name}, the other with {second.name}"
            raise InvalidOperation(what="if", reason=reason, span=self.span(node))
        info = None
        if first.known is not None and second.known is not None:
            info = struct_info_lca(first.known, second.known)
        condition = self.bindings.argument(condition, span)  # numbered behind the branches
        expr = If(condition, first.body, second.body, struct_info=info, span=self.span(node))
        self.scope.replace(name, self.bindings.bind_normal(expr, name, self.span(node)))

    def branches(self, node: Any) -> list[Branch]:
        """Parse both branches. Raises `Reported` if one fails."""
        branches_: list[Branch] = []
        depth = self.depth
        for nodes, suffix in ((node.body, "_then"), (node.orelse, "_else")):
            mark = self.scope.enter()
            try:
                branches_.append(self.branch(nodes, suffix))
            except TVMScriptError as error:
                report_error(self, nodes[-1], error)
            except Reported:
                if self.session.report.stopped:
                    raise
            self.scope.leave(mark)
            self.depth = depth
        if len(branches_) < 2:
            raise Reported
        return branches_

    def branch(self, nodes: list[ast.stmt], suffix: str) -> Branch:
        """Parse one branch."""
        failures = self.failures
        with self.bindings.elsewhere():
            self.depth += 1
            self.splice(nodes)
            if self.failures > failures:
                raise Reported
            seq, name = self.branch_value(nodes[-1], suffix)
        branch_info = seq.struct_info
        end = nodes[-1]
        if isinstance(end, ast.AnnAssign) and branch_info is not None and tir_vars_in_struct_info(branch_info):
            branch_info = self.struct_info(end.annotation, "variable")  # TVM drops symbolic sizes
        return Branch(seq, name, branch_info)

    def branch_value(self, end: ast.stmt, suffix: str) -> tuple[SeqExpr, str]:
        """Return the sequence of a branch, and the name of the variable that holds its value."""
        bindings = self.bindings.body.bindings
        if not bindings or isinstance(bindings[-1].var, DataflowVar):
            hint = "end it with an assignment of the value"
            raise UnsupportedSyntax(what="a branch without a value", span=self.span(end), hint=hint)
        last = bindings.pop()
        name = last.var.name_hint
        if isinstance(last, VarBinding) and not isinstance(last.value, _COMPUTED):
            return self.bindings.finished(last.value, last.span), name
        body = Var(f"{name}{suffix}", last.var.struct_info, last.var.span)
        bindings.append(last.replace(var=body))
        return self.bindings.finished(self.bindings.argument(body, self.span(end))), name


#: statement without a meaning in Relax -> hint
_INSTEAD: Final[dict[type[ast.stmt], str]] = {
    ast.While: "write a recursive function",
    ast.AugAssign: "write x = x + y",
    ast.Assert: "write R.assert_op(condition)",
}
#: values that names may denote without a binding in the program
KEPT: Final = (str, type(None), dict, StructInfo, PendingStructInfo, Builtin, Namespace)
#: values that a branch does not return directly
_COMPUTED: Final = (Call, TupleGetItem, If, SeqExpr, Function)

STATEMENTS: dict[type, Handler] = {
    ast.Assign: RelaxBodyParser.assignment,
    ast.AnnAssign: RelaxBodyParser.annotated,
    ast.Expr: RelaxBodyParser.expression_statement,
    ast.Return: RelaxBodyParser.returned,
    ast.For: RelaxBodyParser.loop,
    ast.If: RelaxBodyParser.conditional,
    ast.With: RelaxBodyParser.with_,
    ast.Pass: RelaxBodyParser.no_statement,
}
