"""Parser of PrimFuncs of TVM 0.27.

`x = value` and `x: T.int32 = value` define a mutable scalar: a local buffer of one element, which `x` loads and the
next `x = value` stores. `x: T.let = value` defines an immutable variable. A symbolic size is quoted at its first use,
`T.Buffer(("n", 4))`, or is a `TypeVar`.
"""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from tvmscript.ir.core import INT32, INT64, DType, Op, Span
from tvmscript.ir.tir import AssertStmt, Buffer, BufferLoad, BufferRegion, Call, Expr, IntImm, StringImm, Var, operators
from tvmscript.ir.tir.slices import region_load
from tvmscript.parser.diagnostics.errors import InvalidSyntax
from tvmscript.parser.frames import Frame, Wrapper
from tvmscript.parser.names.name_hints import is_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.body import STATEMENTS
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.tir.function import FunctionParser
from tvmscript.parser.v0_27.buffers import Scalar, alloc_buffer, scalar_buffer
from tvmscript.parser.v0_27.builtins import LetType, annotated_type, assert_message, jump, let
from tvmscript.parser.v0_27.meta_classes import is_meta_object, name_buffers_of
from tvmscript.parser.v0_27.specialization import specialize
from tvmscript.parser.v0_27.type_variable import TypeVariable


class V027FunctionParser(FunctionParser):
    """Parses one PrimFunc of TVM 0.27."""

    names_memory = False
    has_steps: ClassVar[bool] = True

    #: sizes defined by the signature; a declaration in the body repeats their dtype
    sizes: dict[str, Var]

    def parameters(self, node: ast.FunctionDef) -> None:
        """Parse the parameters of a function and the sizes that they define."""
        self.sizes = {}
        node = specialize(self, node)
        declared = {arg.arg: arg.annotation for arg in node.args.args}
        for name, value in list(self.names.items()):
            if isinstance(value, TypeVariable) and name not in declared:
                self.define_size(name, INT64, node)
        super().parameters(node)

    def define_size(self, name: str, dtype: DType, node: ast.AST) -> None:
        """Define a size variable."""
        var = self.sizes[name] = Var(name, dtype, None, self.span(node))
        self.scope.replace(name, var)

    def annotation(self, function: str, arg: ast.arg) -> object:
        """Evaluate the annotation of a parameter, with quoted sizes as expressions."""
        annotation = arg.annotation
        if isinstance(annotation, ast.Call):
            self.unquote(annotation)
        return super().annotation(function, arg)

    def unquote(self, call: ast.Call, position: int = 0) -> None:
        """Replace strings in the shape and strides of a buffer declaration by expressions.

        Strings in the strides of `match_buffer` name new variables, of the dtype of the first extent.
        """
        words = ("shape",) if position else ("shape", "strides")
        named = [word.value for word in call.keywords if word.arg in words]
        parts = [*call.args[position : position + 1], *named]
        for part in parts:
            if not isinstance(part, (ast.Tuple, ast.List)):
                continue
            for place, item in enumerate(part.elts):
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    part.elts[place] = self.unquoted(item)

    def unquoted(self, item: ast.Constant) -> ast.expr:
        """Parse a quoted size; new names in it define size variables."""
        try:
            expr: ast.expr = ast.parse(str(item.value), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InvalidSyntax(reason=f"{item.value!r}: {error}", span=self.span(item)) from None
        for node in ast.walk(expr):
            if isinstance(node, (ast.expr, ast.keyword)):
                ast.copy_location(node, item)
            if not isinstance(node, ast.Name) or node.id in self.roots:
                continue
            if node.id not in self.names or isinstance(self.names[node.id], TypeVariable):
                self.define_size(node.id, self.size_dtype(node.id), item)
        return expr

    def size_dtype(self, name: str) -> DType:
        """Return the dtype of a size: that of the parameter of its name, or int32."""
        annotation = self.scalars.get(name)
        value = self.value(annotation) if annotation is not None else None
        return as_dtype(value) if isinstance(value, Builtin) else INT32

    def read(self, node: ast.FunctionDef, private: bool = False) -> Any:
        """Parse a function definition."""
        #: annotations of scalar parameters
        self.scalars = {arg.arg: arg.annotation for arg in node.args.args if isinstance(arg.annotation, ast.Attribute)}
        return super().read(node, private)

    def add_parameter(self, name: str, value: object, span: Span) -> None:
        """Add a parameter; a size that a shape has named is that variable."""
        size = self.sizes.get(name)
        if isinstance(size, Var) and isinstance(value, Var) and value.dtype is size.dtype:
            self.params.append(size)
            return
        super().add_parameter(name, value, span)

    def define(self, name: str, value: object, node: ast.AST) -> None:
        """Define a name; a declaration of a size of the signature is redundant."""
        size = self.sizes.get(name)
        if isinstance(size, Var) and isinstance(value, Var) and value.dtype is size.dtype and self.is_size(name):
            return
        super().define(name, value, node)

    def is_size(self, name: str) -> bool:
        """Whether a name still denotes the size that the signature defined."""
        return name in self.sizes and self.names.get(name) is self.sizes[name]

    def call(self, node: ast.Call) -> object:
        """Evaluate a call; sizes of a buffer may be quoted."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _SHAPED:
            self.unquote(node, _SHAPED[name])
        return super().call(node)

    # assignments

    def scalar_of(self, target: ast.expr) -> Buffer | None:
        """Return the buffer of a mutable scalar, or None."""
        if not isinstance(target, ast.Name):
            return None
        value = self.names.get(target.id)
        if isinstance(value, BufferLoad):
            value = value.buffer
        if isinstance(value, Buffer) and len(value.shape) == 1:
            extent = value.shape[0]
            if isinstance(extent, IntImm) and extent.value == 1:
                return value
        return None

    def assign(self, target: ast.expr, value: object) -> None:
        """Parse `target = value`: store to a mutable scalar, or define one."""
        buffer = self.scalar_of(target)
        if buffer is not None and isinstance(value, (Expr, int, float, BufferRegion)):
            self.set_scalar(buffer, value, target)
            return
        if isinstance(target, ast.Tuple) and isinstance(value, Frame) and isinstance(value.value, tuple):
            self.open(value)  # `bx, by = T.cta_id([4, 2])`
            value = value.value
        super().assign(target, value)

    def set_scalar(self, buffer: Buffer, value: object, node: ast.AST) -> None:
        """Store to a mutable scalar."""
        if isinstance(value, BufferRegion):
            value = region_load(value)
        if isinstance(value, Expr) and value.dtype is not buffer.dtype and isinstance(value, IntImm):
            value = value.value
        self.store_value(buffer, [IntImm(INT32, 0)], value, node)

    def emit(self, value: object) -> object:
        """Declare a buffer that Python code allocates; append a statement that it constructs."""
        if isinstance(value, Frame) and isinstance(value.value, Buffer):
            self.open(value)
            return value.value
        return super().emit(value)

    def bound(self, name: str, value: Any, node: ast.AST) -> Any:
        """Return the value of a name after `name = value`: a mutable scalar."""
        span = self.span(node)
        if isinstance(value, Scalar):
            return scalar_buffer(self, name, value, span)
        size = self.sizes.get(name)
        if size is not None and is_unnamed(value) and value.dtype is size.dtype and self.is_size(name):
            return size
        if isinstance(value, (Expr, int, float)) and not isinstance(value, StringImm) and not is_unnamed(value):
            expr = self.as_expr(value, node)
            if not expr.dtype.is_handle:
                load = scalar_buffer(self, name, Scalar(expr.dtype, "local"), span)
                self.store_value(load.buffer, [IntImm(INT32, 0)], expr, node)
                return load
        elif is_meta_object(value):
            name_buffers_of(value, name)
            return value
        return super().bound(name, value, node)

    def annotated(self, node: ast.AnnAssign) -> None:
        """Parse `x: T.let = value`, `x: T.int32 = value` or `x: T.float32[4]`."""
        target, span = node.target, self.span(node)
        annotation = node.annotation
        if not isinstance(target, ast.Name):
            super().annotated(node)
            return
        if isinstance(annotation, ast.Subscript):
            owner = self.value(annotation.value)
            if isinstance(owner, Builtin) and owner.function is not let:
                self.local_array(target, owner, annotation, node)
                return
        type_ = self.value(annotation)
        if isinstance(type_, LetType) or (isinstance(type_, Builtin) and type_.function is let):
            self.immutable(target, type_, node)
            return
        value = self.value(node.value) if node.value is not None else None
        load = scalar_buffer(self, target.id, Scalar(as_dtype(type_), "local"), span)
        self.define(target.id, load, target)
        if value is not None:
            self.set_scalar(load.buffer, value, node)

    def immutable(self, target: ast.Name, annotation: object, node: Any) -> None:
        """Parse `x: T.let[...] = value`."""
        value = self.as_expr(self.value(node.value), node.value)
        kind = annotated_type(annotation, value, self.span(node.annotation))
        var = Var(target.id, kind, None, self.span(node))
        if isinstance(value, IntImm) and var.dtype.is_integer and value.dtype is not var.dtype:
            value = IntImm(var.dtype, value.value, value.span)
        self.define(target.id, var, target)
        self.let(var, value, node)

    def local_array(self, target: ast.Name, owner: Builtin, annotation: ast.Subscript, node: ast.AnnAssign) -> None:
        """Parse `x: T.float32[4, 4]`: a local buffer."""
        shape = self.value(annotation.slice)
        frame = alloc_buffer(self, self.span(node), shape, as_dtype(owner), scope="local")
        self.assign(target, frame)

    # other statements

    def condition(self, condition: Expr, node: ast.expr) -> Expr:
        """Return a scalar bool expression; device instructions return integers. Raises `InvalidCondition`."""
        if isinstance(condition, Call) and isinstance(condition.op, Op) and condition.op.dialect:
            zero = operators.const(0, condition.dtype)
            condition = self.make(self.span(node), operators.ne, condition, zero)
        return super().condition(condition, node)

    def assertion(self, node: ast.Assert) -> None:
        """Parse `assert condition, ("ValueError", ["message ", "in parts"])`."""
        condition = self.strict_condition(self.expr(node.test), node.test)
        span = self.span(node)
        given = self.value(node.msg) if node.msg is not None else ""
        message, parts = self.build(span, _message, given)
        self.open(Wrapper(None, span, lambda body: AssertStmt(condition, message, body, parts, span=span)))

    def break_(self, node: ast.Break) -> None:
        """Parse `break`."""
        self.statements.append(jump("break", self.span(node)))

    def continue_(self, node: ast.Continue) -> None:
        """Parse `continue`."""
        self.statements.append(jump("continue", self.span(node)))

    expressions = {**FunctionParser.expressions, ast.Call: lambda parser, node: parser.call(node)}
    handlers = {
        **STATEMENTS,
        ast.AnnAssign: lambda parser, node: parser.annotated(node),
        ast.Assert: lambda parser, node: parser.assertion(node),
        ast.Break: lambda parser, node: parser.break_(node),
        ast.Continue: lambda parser, node: parser.continue_(node),
    }


#: declarations of buffers -> position of the shape
_SHAPED = {"match_buffer": 1, **dict.fromkeys(("decl_buffer", "alloc_buffer", "sblock_alloc_buffer", "Buffer"), 0)}


def _message(message: object, span: Span) -> tuple[Expr, tuple[str, ...]]:
    return assert_message(message)


PARSERS: dict[str, type[FunctionParser]] = {"function": V027FunctionParser}
