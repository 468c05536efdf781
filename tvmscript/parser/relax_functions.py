"""Functions of the graph level: statements of a text become bindings.

What is nested in the text is bound to variables of its own: `gv`, `gv1`, in dataflow blocks `lv`, numbered as in TVM.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tvmscript.ir.core.errors import TVMScriptError, WrongType
from tvmscript.ir.core.flags import MAX_NESTING
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.derive import erase_to_well_defined
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    If,
    MatchCast,
    SeqExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lattice import BaseCheckResult, struct_info_base_check, struct_info_lca
from tvmscript.ir.relax.sizes import tir_vars_in_struct_info
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, TupleStructInfo
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Var as SizeVar
from tvmscript.parser.advice import about_construct
from tvmscript.parser.annotations import written_annotation
from tvmscript.parser.budget import Budget
from tvmscript.parser.captured import Captured
from tvmscript.parser.constructs.relax_struct_info import STRUCT_INFOS, Pending, resolved
from tvmscript.parser.errors import (
    CannotAssign,
    GivenTwice,
    InvalidAnnotation,
    InvalidArguments,
    InvalidOperation,
    MissingAnnotation,
    NoStatement,
    NotAContext,
    NotAnExpression,
    UnknownDecorator,
    UnsupportedSyntax,
    WrongTargetCount,
    refused,
)
from tvmscript.parser.evaluate import Evaluator
from tvmscript.parser.namespace import Builtin, Decorator, Namespace
from tvmscript.parser.naming import give_name, is_nameless
from tvmscript.parser.recovery import keep
from tvmscript.parser.relax_frames import Dataflow, MatchedCast, Outputs
from tvmscript.parser.relax_operators import RELAX_EXPRESSIONS, as_constant, as_prim
from tvmscript.parser.report import POISON, Report, Reported, defined_names
from tvmscript.parser.source import SourceTree
from tvmscript.parser.words import construct_name, describe

Handler: TypeAlias = "Callable[[Any, Any], None]"


class RelaxParser(Evaluator):
    """Reads one function. Constructs of the language find here what is being built."""

    def __init__(
        self,
        tree: SourceTree,
        roots: Mapping[str, Any],
        captured: Captured | None = None,
        budget: Budget | None = None,
        report: Report | None = None,
    ) -> None:
        super().__init__(tree, roots, captured, budget)
        self.report = report
        #: global infos of the module, as far as they are known
        self.global_infos: Mapping[str, Any] | None = None
        self.signatures: Mapping[str, Any] = {}
        self.attrs: dict[str, Any] | None = None
        self.function_name: str | None = None
        self.result_info: StructInfo | None = None
        self.result: RelaxExpr | None = None
        #: of the dataflow block that is being read
        self.outputs: Outputs | None = None
        #: of the sequence that is being read: blocks, and the bindings behind them
        self.finished: list[BindingBlock] = []
        self.bindings: list[VarBinding | MatchCast] = []
        #: how many variables were made, by the kind of their block
        self.numbers = {"gv": 0, "lv": 0}

    #: raises what is wrong with a function, or with those of a module
    verify = staticmethod(verify)

    # functions

    def read(self, node: ast.FunctionDef, private: bool = False, pure: bool = True) -> Function:
        """The function that a definition describes. Raises `Reported` where errors of it are in the report."""
        before = self.report.count if self.report is not None else 0
        span = self.tree.heading(node)
        self.function_name = node.name
        mark = self.scope.enter()
        params = self.parameters(node)
        if node.returns is not None:
            try:
                self.result_info = self.struct_info(node.returns, "result")
            except TVMScriptError as error:
                keep(self, node.returns, error)
        self.splice(node.body)
        if self.result is None and (self.report is None or self.report.count == before):
            hint = "end it with return"
            raise UnsupportedSyntax(what=f"{node.name} without a result", span=span, hint=hint)
        self.scope.leave(mark)
        if self.report is not None and self.report.count > before:
            raise Reported
        assert self.result is not None
        attrs = dict(self.attrs or {})
        if not private and "global_symbol" not in attrs:
            attrs["global_symbol"] = self.function_name
        body = self.sequence(self.result)
        result = self.result_info or self.seen_outside(body.struct_info, params)
        try:
            return Function(params, body, result, pure, attrs, span=span)
        except TVMScriptError as error:
            raise refused(error, span) from error

    def seen_outside(self, info: StructInfo | None, params: Sequence[Var]) -> StructInfo | None:
        """What a caller knows of the result: in the sizes of the parameters."""
        sizes = {
            var: var for param in params if param.struct_info for var in tir_vars_in_struct_info(param.struct_info)
        }
        return None if info is None else erase_to_well_defined(info, sizes, {param: param for param in params})

    def signature(self, node: ast.FunctionDef, pure: bool = True) -> FuncStructInfo:
        """What the head of a definition says of the function."""
        mark = self.scope.enter()
        params = self.parameters(node)
        result = ObjectStructInfo() if node.returns is None else self.struct_info(node.returns, "result")
        self.scope.leave(mark)
        return FuncStructInfo(tuple([param.struct_info or ObjectStructInfo() for param in params]), result, pure)

    @staticmethod
    def kernel() -> FuncStructInfo:
        """What is known of a function of the tensor level: a call writes into its arguments, and gives nothing."""
        return FuncStructInfo(None, TupleStructInfo(()), False)

    def parameters(self, node: ast.FunctionDef) -> tuple[Var, ...]:
        """Read the parameters of a function."""
        arguments = node.args
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                raise UnsupportedSyntax(what=f"*{extra.arg}", span=self.span(extra), hint="write out the parameters")
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                hint = "every call gives all arguments"
                raise UnsupportedSyntax(what="a default value", span=self.span(default), hint=hint)
        made: list[Var] = []
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            try:
                made.append(self.parameter(node.name, arg))
            except TVMScriptError as error:
                keep(self, arg, error)
                self.scope.replace(arg.arg, POISON)
        return tuple(made)

    def parameter(self, function: str, arg: ast.arg) -> Var:
        """Read one parameter of a function."""
        if arg.annotation is None:
            hint = f'write {arg.arg}: R.Tensor(shape, "float32")'
            raise MissingAnnotation(name=arg.arg, span=self.span(arg), hint=hint)
        given = written_annotation(self, function, arg)
        info = resolved(self, given, self.span(arg.annotation))
        if info is None:
            raise self.no_struct_info(given, arg.annotation, "parameter")
        var = Var(arg.arg, info, self.span(arg))
        self.scope.replace(arg.arg, var)
        return var

    def struct_info(self, node: Any, role: str) -> StructInfo:
        """The struct info that an annotation says. Raises `InvalidAnnotation`."""
        given = self.value(node)
        info = resolved(self, given, self.span(node))
        if info is None:
            raise self.no_struct_info(given, node, role)
        return info

    def no_struct_info(self, given: Any, node: Any, role: str) -> InvalidAnnotation:
        """The error about an annotation that is no struct info."""
        hint = 'struct info is such as R.Tensor((16,), "float32") or R.Object'
        return InvalidAnnotation(what=describe(given), role=role, span=self.span(node), hint=hint)

    def nested_function(self, node: Any) -> None:
        """A function inside of a function: a value, which sees the names around it."""
        pure = True
        for item in node.decorator_list:
            call = item if type(item) is ast.Call else None
            found = self.value(item if call is None else call.func)
            if not isinstance(found, Decorator) or found.kind != "function":
                raise UnknownDecorator(name=node.name, expected="@R.function", span=self.span(item))
            options = {word.arg: self.value(word.value) for word in call.keywords if word.arg} if call else {}
            found.check(options, self.span(item))
            pure = options.get("pure", True) is not False
        if not node.decorator_list:
            span = self.tree.heading(node)
            raise UnknownDecorator(name=node.name, expected="@R.function", span=span, hint="write @R.function above it")
        inner = self.inner()
        # it may call itself, as far as its head says what that gives
        var = self.variable(node, node.name, self.tree.heading(node), inner.signature(node, pure))
        self.scope.replace(node.name, var)
        made = self.inner().read(node, True, pure)
        known: Any = var
        known.struct_info = made.struct_info
        self.bindings.append(VarBinding(var, made, span=self.span(node)))

    def inner(self) -> RelaxParser:
        """A reader of a function inside of this one: it sees the same names."""
        made = RelaxParser(self.tree, self.roots, self.captured, self.budget, self.report)
        made.scope, made.names, made.metadata = self.scope, self.names, self.metadata
        made.global_infos, made.depth = self.global_infos, self.depth + 1
        return made

    # statements

    def splice(self, nodes: list[ast.stmt]) -> None:
        """Read statements into the sequence that is being read; errors are kept, and reading goes on."""
        level, depth = self.scope.level, self.depth
        for node in nodes:
            try:
                handler = STATEMENTS.get(type(node))
                if handler is None:
                    raise UnsupportedSyntax(
                        what=construct_name(node), span=self.span(node), hint=about_construct(node)
                    )  # fmt: skip
                if self.depth > MAX_NESTING:
                    self.too_deep(node)
                if self.result is not None:
                    raise UnsupportedSyntax(what="a statement behind return", span=self.span(node))
                handler(self, node)
            except TVMScriptError as error:
                self.scope.leave(level)
                self.depth = depth
                keep(self, node, error)
                for name in defined_names(node):
                    self.scope.replace(name, POISON)

    def assignment(self, node: Any) -> None:
        """`target = value`."""
        if len(node.targets) != 1:
            raise UnsupportedSyntax(what="a = b = c", span=self.span(node), hint="write one assignment for each name")
        self.assign(node.targets[0], self.value(node.value), node.value, None)

    def annotated(self, node: Any) -> None:
        """`x: R.Tensor(...) = value`."""
        if node.value is None:
            hint = "give it a value"
            raise UnsupportedSyntax(what="a declaration without a value", span=self.span(node), hint=hint)
        value = self.value(node.value)
        self.assign(node.target, value, node.value, self.struct_info(node.annotation, "variable"))

    def assign(self, target: Any, value: Any, written: ast.expr, info: StructInfo | None) -> None:
        """Bind the names of a target to a value."""
        if type(target) in (ast.Tuple, ast.List):
            self.assign_each(target, value, written)
            return
        if type(target) is not ast.Name:
            raise CannotAssign(what=construct_name(target), span=self.span(target))
        name = target.id
        made = self.bound(name, value, target, written, info)
        self.scope.replace(name, made)

    def assign_each(self, target: Any, value: Any, written: ast.expr) -> None:
        """`n, m = T.int64(), T.int64()`."""
        if not isinstance(value, tuple | list):
            what = f"several names for {describe(value)}"
            raise CannotAssign(what=what, span=self.span(target), hint="take its elements one by one: x[0]")
        if len(value) != len(target.elts):
            raise WrongTargetCount(names=len(target.elts), values=len(value), span=self.span(target))
        for part, item in zip(target.elts, value, strict=True):
            self.assign(part, item, written, None)

    def bound(self, name: str, value: Any, target: Any, written: Any, info: StructInfo | None) -> Any:
        """What a name stands for after `name = value`."""
        if isinstance(value, Expr):
            return self.size_variable(name, value, target)
        if isinstance(value, MatchedCast):
            return self.emit_match_cast(value, name, self.span(target), info, target)
        if isinstance(value, int | float):
            value = as_constant(value, self.span(written))
        if isinstance(value, RelaxExpr | GlobalVar | tuple | list):
            return self.emit(self.as_value(value, self.span(written)), name, self.span(target), info, target)
        if isinstance(value, Builtin | Namespace) or self.captured is not None:
            return value
        raise CannotAssign(what=f"a name for {describe(value)}", span=self.span(target))

    def size_variable(self, name: str, value: Expr, target: Any) -> Any:
        """`n = T.int64()`: the variable that a parameter has introduced under this name, or a new one."""
        if not is_nameless(value):
            if isinstance(value, SizeVar) and value.name == name:
                return value
            hint = "R.prim_value(...) is a value of the program"
            raise CannotAssign(what=f"a name for {describe(value)}", span=self.span(target), hint=hint)
        known = self.names.get(name)
        if isinstance(known, SizeVar) and known.dtype is value.dtype:
            return known
        give_name(value, name)
        return value

    def expression_statement(self, node: Any) -> None:
        """A call that stands alone is bound to `_`."""
        value = self.value(node.value)
        if isinstance(value, RelaxExpr):
            self.emit(value, "_", self.span(node))
        elif value is not None and not isinstance(value, str) and value is not Ellipsis:
            raise NoStatement(what=describe(value), span=self.span(node))

    def give_back(self, value: Any, span: Span) -> None:
        """`return value`."""
        if self.outputs is not None:
            raise UnsupportedSyntax(what="return in a dataflow block", span=span, hint="return behind it")
        if self.result is not None:
            raise GivenTwice(what="the result", span=span)
        self.result = self.argument(self.as_value(value, span), span)

    def returned(self, node: Any) -> None:
        """`return value`."""
        if node.value is None:
            raise UnsupportedSyntax(what="return without a value", span=self.span(node), hint="write return R.tuple()")
        value = self.value(node.value)
        if isinstance(value, int | float):
            value = as_constant(value, self.span(node.value))
        self.give_back(value, self.span(node.value))

    def no_statement(self, node: ast.Pass) -> None:
        """`pass`."""

    def with_(self, node: Any) -> None:
        """`with R.dataflow():`."""
        found = self.value(node.items[0].context_expr)
        if len(node.items) != 1 or not isinstance(found, Dataflow) or node.items[0].optional_vars is not None:
            hint = "the graph level has with R.dataflow():"
            raise NotAContext(what=describe(found), span=self.span(node.items[0].context_expr), hint=hint)
        if self.outputs is not None:
            raise UnsupportedSyntax(what="a dataflow block in another one", span=self.span(node))
        self.close_block()
        outputs = self.outputs = Outputs(node.body)
        mark = self.scope.enter()
        self.splice(node.body)
        self.outputs = None
        if self.bindings:
            if self.finished and type(self.finished[-1]) is DataflowBlock:
                before = self.finished.pop()
                self.bindings[:0] = before.bindings  # type: ignore[assignment]  # there are no others
            self.finished.append(DataflowBlock(tuple(self.bindings), span=found.span))
            self.bindings = []
        self.scope.leave(mark)
        for name, var in outputs.names():
            self.scope.replace(name, var)

    def conditional(self, node: Any) -> None:
        """`if condition: ... else: ...`: one variable, of which either branch assigns the value last."""
        if self.outputs is not None:
            raise UnsupportedSyntax(what="if in a dataflow block", span=self.span(node))
        condition = self.as_value(self.value(node.test), self.span(node.test))
        if not node.orelse:
            raise UnsupportedSyntax(what="if without else", span=self.span(node), hint="both branches give the value")
        first, name, known = self.branch(node.body, "_then")
        second, other, known_too = self.branch(node.orelse, "_else")
        if name != other:
            reason = f"one branch ends with {name}, the other with {other}"
            raise InvalidOperation(what="if", reason=reason, span=self.span(node))
        info = None
        if known is not None and known_too is not None:
            info = struct_info_lca(known, known_too)
        made = If(condition, first, second, struct_info=info, span=self.span(node))
        self.scope.replace(name, self.emit(made, name, self.span(node)))

    def branch(self, nodes: list[ast.stmt], suffix: str) -> tuple[SeqExpr, str, StructInfo | None]:
        """The sequence of a branch, the name of what it assigns last, and what is known of that behind the branch."""
        around = self.finished, self.bindings
        self.finished, self.bindings = [], []
        mark = self.scope.enter()
        self.depth += 1
        errors = self.report.count if self.report is not None else 0
        self.splice(nodes)
        self.depth -= 1
        if self.report is not None and self.report.count > errors:
            self.finished, self.bindings = around
            raise Reported
        if not self.bindings or isinstance(self.bindings[-1].var, DataflowVar):
            self.finished, self.bindings = around
            hint = "let it end with the assignment that gives the value"
            raise UnsupportedSyntax(what="a branch without a value", span=self.span(nodes[-1]), hint=hint)
        last = self.bindings.pop()
        name = last.var.name_hint
        if isinstance(last, VarBinding) and not isinstance(last.value, _BOUND):
            body: RelaxExpr = last.value
        else:
            body = Var(f"{name}{suffix}", last.var.struct_info, last.var.span)
            self.bindings.append(last.replace(var=body))
        made = self.sequence(body)
        known = made.struct_info
        end = nodes[-1]
        if isinstance(end, ast.AnnAssign) and known is not None and tir_vars_in_struct_info(known):
            known = self.struct_info(end.annotation, "variable")  # TVM forgets sizes that are variables
        self.scope.leave(mark)
        self.finished, self.bindings = around
        return made, name, known

    # bindings

    def close_block(self) -> None:
        """End the block that is being read, if it has bindings."""
        if self.bindings:
            self.finished.append(BindingBlock(tuple(self.bindings)))
            self.bindings = []

    def sequence(self, body: RelaxExpr) -> SeqExpr:
        """What was read as a sequence that leads to a value."""
        self.close_block()
        return SeqExpr(tuple(self.finished), body)

    def variable(
        self, target: Any, name: str | None, span: Span | None, info: StructInfo | None, numbered: bool = True
    ) -> Var:
        """A new variable; one in a dataflow block is an output where its target is among them."""
        outputs = self.outputs
        kind = "gv" if outputs is None else "lv"
        number = self.numbers[kind]
        if numbered:
            self.numbers[kind] = number + 1
        if name is None:
            name = f"{kind}{number or ''}"
        if outputs is None:
            return Var(name, info, span)
        if target in outputs.targets:
            var = Var(name, info, span)
            outputs.made.append(var)
            return var
        return DataflowVar(name, info, span)

    def emit(
        self, value: RelaxExpr, name: str | None, span: Span, info: StructInfo | None = None, target: Any = None
    ) -> Var:
        """Bind a value to a new variable; what is nested in it is bound before."""
        value = self.flat(value, span)
        known = value.struct_info
        if info is None or (known is not None and type(value) is not Call):
            info = self.checked(info, known, span)
        else:
            self.checked(info, known, span)
        var = self.variable(target, name, span, info)
        self.bindings.append(VarBinding(var, value, span=span))
        return var

    def checked(self, annotation: StructInfo | None, known: StructInfo | None, span: Span) -> StructInfo | None:
        """What is known of a value, which an annotation may not contradict. Raises `WrongType`."""
        if annotation is None or known is None:
            return known
        if struct_info_base_check(annotation, known) is BaseCheckResult.FAIL_L0:
            raise WrongType(where="an annotation", expected=known, got=annotation, span=span)
        return known

    def emit_match_cast(
        self, cast: MatchedCast, name: str | None, span: Span, info: StructInfo | None = None, target: Any = None
    ) -> Var:
        """Bind a value of which more is known from here on."""
        value = self.argument(cast.value, span)
        var = self.variable(target, name, span, info or cast.info)
        self.bindings.append(MatchCast(var, value, cast.info, span=span))
        return var

    def flat(self, value: RelaxExpr, span: Span) -> RelaxExpr:
        """A value with nothing nested in it but tuples."""
        kind = type(value)
        if kind is Call:
            op = value.op  # type: ignore[attr-defined]  # a Call
            if isinstance(op, RelaxExpr):
                op = self.argument(op, span)
            args = self.arguments(value.args, span)  # type: ignore[attr-defined]
            if op is not value.op or args is not value.args:  # type: ignore[attr-defined]
                return value.replace(op=op, args=args, struct_info=value.struct_info)
        elif kind is Tuple:
            fields = self.arguments(value.fields, span)  # type: ignore[attr-defined]
            if fields is not value.fields:  # type: ignore[attr-defined]
                return value.replace(fields=fields, struct_info=value.struct_info)
        elif kind is TupleGetItem:
            inner = value.tuple_value  # type: ignore[attr-defined]
            if type(inner) is Tuple:
                return self.flat(inner.fields[value.index], span)  # type: ignore[attr-defined]
            made = self.argument(inner, span)
            if made is not inner:
                return value.replace(tuple_value=made, struct_info=value.struct_info)
        elif kind is If:
            condition = value.cond  # type: ignore[attr-defined]
            made = self.argument(condition, span)
            if made is not condition:
                return value.replace(cond=made, struct_info=value.struct_info)
        return value

    def arguments(self, args: tuple[Any, ...], span: Span) -> tuple[Any, ...]:
        """Arguments that are variables, constants or tuples of them."""
        for arg in args:
            if type(arg) in _NESTED:
                return tuple([self.argument(arg, span) for arg in args])
        return args

    def argument(self, value: Any, span: Span) -> Any:
        """A value as an argument: what is computed gets a variable."""
        if type(value) not in _NESTED:
            return value
        if type(value) is Tuple:
            return self.flat(value, span)
        made = self.flat(value, value.span or span)
        if type(made) not in _BOUND:
            return made
        return self.emit(made, None, value.span or span)

    # values

    def value(self, node: ast.expr) -> Any:
        """The value of an expression node."""
        kind = type(node)
        if kind is ast.Name:
            return self.name(node)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.too_deep(node)
        handler = RELAX_EXPRESSIONS.get(kind)
        if handler is None:
            raise UnsupportedSyntax(what=construct_name(node), span=self.span(node), hint=about_construct(node))
        found = handler(self, node)
        self.depth -= 1
        return found

    def as_value(self, value: Any, span: Span) -> Any:
        """A value of the graph level: sequences of Python are tuples. Raises `NotAnExpression`."""
        if isinstance(value, RelaxExpr | GlobalVar):
            return value
        if isinstance(value, tuple | list):
            return Tuple(tuple([self.as_value(item, span) for item in value]), span=span)
        if isinstance(value, str):
            return StringImm(value, span=span)
        if isinstance(value, Expr | int | float):
            return as_prim(value, span)
        raise NotAnExpression(what=describe(value), span=span)

    def call_builtin(self, node: Any, function: Builtin, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a name of the language makes of its arguments; struct info may be given by its name alone."""
        if function.name not in _STRUCT_INFO_NAMES:
            for position, arg in enumerate(args):
                args[position] = self.settled(arg, node)
            for key, item in kwargs.items():
                kwargs[key] = self.settled(item, node)
        return super().call_builtin(node, function, args, kwargs)

    def settled(self, value: Any, node: Any) -> Any:
        """An argument with names of struct info as struct info."""
        if isinstance(value, Builtin | Pending):
            return resolved(self, value, self.span(node)) or value
        if isinstance(value, tuple | list) and any(isinstance(item, Builtin | Pending) for item in value):
            return type(value)([self.settled(item, node) for item in value])
        return value

    def call_global(self, node: Any, function: GlobalVar, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of another function of the module."""
        return self.call_value(node, function, args, kwargs)

    def call_python(self, node: Any, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of a value that is a function, or of something captured."""
        if isinstance(function, RelaxExpr):
            return self.call_value(node, function, args, kwargs)
        return super().call_python(node, function, args, kwargs)

    def call_value(self, node: Any, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Call:
        """A call of a function, with what is known of its result."""
        span = self.span(node)
        sinfo = kwargs.pop("sinfo_args", ())
        if kwargs:
            name = getattr(function, "name_hint", "a function")
            raise InvalidArguments(function=name, reason="no keywords are taken", span=span)
        given = sinfo if isinstance(sinfo, tuple | list) else (sinfo,)
        infos = [resolved(self, item, span) for item in given]
        if None in infos:
            raise InvalidArguments(function="sinfo_args", reason="struct info is needed", span=span)
        values = [self.as_value(arg, span) for arg in args]
        try:
            made = Call(function, values, None, infos, span=span)  # type: ignore[arg-type]  # none is None
        except TVMScriptError as error:
            raise refused(error, span) from error
        return made


_STRUCT_INFO_NAMES: Final = frozenset(made.name for made in STRUCT_INFOS.values())
#: what a call may not have as an argument: it gets a variable
_BOUND: Final = (Call, TupleGetItem, If, SeqExpr, Function)
_NESTED: Final = frozenset([*_BOUND, Tuple])

STATEMENTS: dict[type, Handler] = {
    ast.Assign: RelaxParser.assignment,
    ast.AnnAssign: RelaxParser.annotated,
    ast.Expr: RelaxParser.expression_statement,
    ast.Return: RelaxParser.returned,
    ast.If: RelaxParser.conditional,
    ast.With: RelaxParser.with_,
    ast.Pass: RelaxParser.no_statement,
    ast.FunctionDef: RelaxParser.nested_function,
}
