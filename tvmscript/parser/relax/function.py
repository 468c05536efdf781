"""Parser of Relax functions: signatures, results, nested functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tvmscript.ir.core import DType, PrimType, TVMScriptError, Type, nodes
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import erase_to_well_defined
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, PrimStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import tir_vars_in_struct_info
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir.expr import Var as SizeVar
from tvmscript.parser.diagnostics import errors
from tvmscript.parser.diagnostics.poison import POISON
from tvmscript.parser.diagnostics.recovery import report_error
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.namespace import Decorator
from tvmscript.parser.python.annotations import parameters_of, written_annotation
from tvmscript.parser.python.macro_expansion import nested_macro
from tvmscript.parser.relax.body import STATEMENTS, RelaxBodyParser
from tvmscript.parser.relax.builtins.struct_info import resolve_struct_info
from tvmscript.parser.tir.function import check_global_symbol

#: dtypes of scalars by name
_SCALARS: Final = {
    "bool": DType("bool"),
    **{f"{kind}{bits}": DType(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    **{f"float{bits}": DType(f"float{bits}") for bits in (16, 32, 64)},
}


class RelaxParser(RelaxBodyParser):
    """Parses one Relax function."""

    #: function of the module -> its result type
    signatures: Mapping[str, object]
    attrs: dict[str, object] | None = None
    #: whether the function is nested in another one
    is_inside = False
    function_name: str | None = None
    result_info: StructInfo | None = None
    #: checks that a function or a module is well-formed; TVM 0.17 does not check calls of kernels
    verify = staticmethod(partial(verify, kernel_calls=False, results=False))

    # functions

    def read(self, node: ast.FunctionDef, private: bool = False, pure: bool = True) -> Function:
        """Parse a function definition. Raises `Reported`."""
        before = self.session.report.count
        span = self.tree.heading(node)
        self.function_name = node.name
        mark = self.scope.enter()
        params = self.parameters(node)
        if node.returns is not None:
            try:
                self.result_info = self.struct_info(node.returns, "result")
            except TVMScriptError as error:
                report_error(self, node.returns, error)
        self.splice(node.body)
        if self.result is None and self.session.report.count == before:
            hint = "end it with return"
            raise errors.UnsupportedSyntax(what=f"{node.name} without a result", span=span, hint=hint)
        self.scope.leave(mark)
        if self.session.report.count > before:
            raise Reported
        assert self.result is not None
        attrs = dict(self.attrs or {})
        if "global_symbol" in attrs:
            # nested functions are private
            check_global_symbol(attrs["global_symbol"], private and not self.depth, span)
        elif not private:
            attrs["global_symbol"] = self.function_name
        body = self.bindings.finished(self.result)
        if self.bindings.ahead:
            self.check_declared(body)
        try:
            result = self.refine_result(self.erase_local_sizes(body.struct_info, params))
            return Function(params, body, result, pure, attrs, span=span)
        except TVMScriptError as error:
            raise errors.refused(error, span) from error

    def check_declared(self, body: SeqExpr) -> None:
        """Check that declared variables are used. Raises `UnsupportedSyntax`."""
        seen = set(nodes(body))
        for var in self.bindings.ahead.values():
            if var not in seen:
                raise errors.UnsupportedSyntax(
                    what="a declaration without a value", span=var.span, hint="give it a value"
                )

    def refine_result(self, inferred: StructInfo | None) -> StructInfo | None:
        """Return the struct info of the result: the annotation, or that of the body if it is more precise."""
        annotation = self.result_info
        if annotation is None or inferred is None:
            return annotation or inferred
        return inferred if annotation.is_base_of(inferred) else annotation

    def erase_local_sizes(self, info: StructInfo | None, params: Sequence[Var]) -> StructInfo | None:
        """Return the struct info of the result in terms of the sizes of the parameters."""
        sizes = {
            var: var for param in params if param.struct_info for var in tir_vars_in_struct_info(param.struct_info)
        }
        return None if info is None else erase_to_well_defined(info, sizes)

    def signature(self, node: ast.FunctionDef, pure: bool = True) -> FuncStructInfo:
        """Return the struct info of a function definition."""
        mark = self.scope.enter()
        params = self.parameters(node)
        result = ObjectStructInfo() if node.returns is None else self.struct_info(node.returns, "result")
        self.scope.leave(mark)
        return FuncStructInfo(tuple([param.struct_info or ObjectStructInfo() for param in params]), result, pure)

    @staticmethod
    def prim_func_struct_info(result: Type | None) -> FuncStructInfo:
        """Return the struct info of a PrimFunc: its result is a scalar, or it writes to its arguments."""
        if isinstance(result, PrimType):
            return FuncStructInfo(None, PrimStructInfo(result.dtype), True)
        return FuncStructInfo(None, TupleStructInfo(()), False)

    def parameters(self, node: ast.FunctionDef) -> tuple[Var, ...]:
        """Parse the parameters of a function."""
        args = parameters_of(self, node)
        self.declared_dtypes = dict(self.declarations(node))
        params: list[Var] = []
        seen: set[str] = set()
        if self.is_inside:
            self.open_sizes(node)
        for arg in args:
            try:
                if arg.arg in seen:
                    raise errors.AlreadyDefined(name=arg.arg, span=self.span(arg))
                seen.add(arg.arg)
                params.append(self.parameter(node.name, arg))
            except TVMScriptError as error:
                report_error(self, arg, error)
                self.scope.replace(arg.arg, POISON)
        return tuple(params)

    def declarations(self, node: ast.FunctionDef) -> Iterator[tuple[str, DType]]:
        """Yield the sizes that a body declares, `y = T.float32()`, with their dtypes."""
        for stmt in node.body:
            value = stmt.value if isinstance(stmt, ast.Assign) else None
            if isinstance(stmt, ast.Assign) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                dtype = _SCALARS.get(value.func.attr)
                names = [target.id for target in stmt.targets if isinstance(target, ast.Name)]
                yield from [(name, dtype) for name in names if dtype is not None and not value.args]

    def open_sizes(self, node: ast.FunctionDef) -> None:
        """Define quoted sizes of a nested function as new variables, as in TVM. Other sizes are those around it."""
        annotations = [arg.annotation for arg in node.args.args if arg.annotation is not None]
        shapes = [part for each in annotations for part in ast.walk(each) if isinstance(part, (ast.Tuple, ast.List))]
        for item in [item for shape in shapes for item in shape.elts]:
            name = item.value if isinstance(item, ast.Constant) else None
            if isinstance(name, str) and isinstance(self.names.get(name), SizeVar):
                self.scope.replace(name, SizeVar(name, "int64", None, self.span(item)))

    def parameter(self, function: str, arg: ast.arg) -> Var:
        """Parse one parameter."""
        if arg.annotation is None:
            hint = f'write {arg.arg}: R.Tensor(shape, "float32")'
            raise errors.MissingAnnotation(name=arg.arg, span=self.span(arg), hint=hint)
        given = self.annotation_value(written_annotation(self, function, arg), arg.annotation)
        info = resolve_struct_info(self, given, self.span(arg.annotation))
        if info is None:
            raise self.no_struct_info(given, arg.annotation, "parameter")
        var = Var(arg.arg, info, self.span(arg))
        self.scope.replace(arg.arg, var)
        return var

    def nested_function(self, node: ast.FunctionDef) -> None:
        """Parse a nested function, a value that sees the enclosing names, or a macro."""
        pure = True
        for item in node.decorator_list:
            call = item if type(item) is ast.Call else None
            decorator = self.value(item if call is None else call.func)
            if isinstance(decorator, Decorator) and decorator.kind == "macro":
                self.scope.replace(node.name, nested_macro(self, node))
                return
            if not isinstance(decorator, Decorator) or decorator.kind != "function":
                raise errors.UnknownDecorator(name=node.name, expected="@R.function", span=self.span(item))
            options = {word.arg: self.value(word.value) for word in call.keywords if word.arg} if call else {}
            decorator.check(options, self.span(item))
            pure = options.get("pure", True) is not False
        if not node.decorator_list:
            span = self.tree.heading(node)
            raise errors.UnknownDecorator(
                name=node.name, expected="@R.function", span=span, hint="write @R.function above it"
            )
        inner = self.inner()
        # it may call itself, with the struct info of its signature
        var = self.bindings.variable(node, node.name, self.tree.heading(node), inner.signature(node, pure))
        self.scope.replace(node.name, var)
        function = self.inner().read(node, True, pure)
        placeholder: Any = var
        placeholder.struct_info = function.struct_info
        self.bindings.emit_normalized(VarBinding(var, function, span=self.span(node)))

    def inner(self) -> RelaxParser:
        """Create a parser of a nested function, which sees the same names."""
        inner = type(self)(self.session)
        inner.tree, inner.closure = self.tree, self.closure
        inner.scope, inner.names, inner.depth = self.scope, self.names, self.depth + 1
        inner.is_inside = True
        return inner


RelaxParser.handlers = {**STATEMENTS, ast.FunctionDef: RelaxParser.nested_function}
