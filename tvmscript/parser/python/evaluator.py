"""Evaluation of expression nodes to IR expressions or Python values.

For a text only builtins of the script and arithmetic on small Python values are executed. A decorated function may
also call the Python that it captures.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, Final, NoReturn, TypeAlias, TypeVar

from tvmscript.ir.core import DiagnosticError, GlobalVar, Node, Span, TVMScriptError, closest
from tvmscript.ir.core.python_settings import MAX_NESTING
from tvmscript.ir.tir import Buffer, BufferLoad, BufferRegion, Call, Expr, IntImm, operators
from tvmscript.ir.tir.slices import getitem, region_load
from tvmscript.parser.diagnostics import errors, hints
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.limits import CONTAINERS
from tvmscript.parser.frames import Frame, Loops
from tvmscript.parser.names.namespace import ACTIVE, Builtin, Decorator, Namespace
from tvmscript.parser.names.parameters import Lambda, signature_of
from tvmscript.parser.names.scope import Scope
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.parser.python import literals
from tvmscript.parser.python.annotations import annotation
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.python.members import member_of, members_of
from tvmscript.parser.python.operations import is_number
from tvmscript.parser.python.operators import binary, boolean, compare, conditional, unary
from tvmscript.parser.reader import Session, SpecialForm
from tvmscript.parser.source.closure import Closure
from tvmscript.parser.source.tree import SourceTree

#: errors of operations on Python values
FAILURES = (
    TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError,
)  # fmt: skip
#: characters of a string argument that counts nothing in the budget of a text
_SHORT: Final = 64


Handler: TypeAlias = "Callable[[Any, Any], Any]"
Result = TypeVar("Result")


class Evaluator:
    """Evaluates expression nodes."""

    #: node type -> function that evaluates it
    expressions: ClassVar[Mapping[type, Handler]]
    #: whether it reads the body of a PrimFunc
    is_kernel: ClassVar[bool] = False
    print_function: ClassVar[Builtin | None] = None
    breakpoint_function: ClassVar[Builtin | None] = None

    def __init__(self, session: Session) -> None:
        self.session = session
        self.tree = session.tree
        self.roots = session.roots
        self.closure = session.closure
        self.scope = Scope()
        self.names = self.scope.names
        self.depth = 0
        #: `A[0:4]` denotes a vector, not a region
        self.vector_slices = False

    def span(self, node: object) -> Span:
        """Return the span of an AST node."""
        return self.tree.span(node)

    def value(self, node: ast.expr) -> object:
        """Evaluate an expression node to a Python value or an IR expression."""
        kind = type(node)
        if kind is ast.Name:
            return self.name(node)
        if kind is ast.Constant:
            return literals.constant(self, node)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.too_deep(node)
        handler = self.expressions.get(kind)
        if handler is None:
            raise errors.UnsupportedSyntax(
                what=construct_name(node), span=self.span(node), hint=hints.about_construct(node)
            )
        value = handler(self, node)
        self.depth -= 1
        return value

    def snapshot_names(self, node: ast.AST) -> dict[str, object]:
        """Return a copy of the visible names, for a macro or lambda. Raises `ValueTooLarge`."""
        self.session.limits.kept_names -= len(self.names)
        if self.session.limits.kept_names < 0:
            raise errors.ValueTooLarge(what="keeping the names around so many definitions", span=self.span(node))
        return dict(self.names)

    def too_deep(self, node: ast.AST) -> NoReturn:
        """Raise `NestedTooDeeply`."""
        raise errors.NestedTooDeeply(limit=MAX_NESTING, span=self.span(node))

    def expr(self, node: ast.expr) -> Expr:
        """Evaluate a node to an IR expression. Raises `NotAnExpression`."""
        value = self.value(node)
        return value if isinstance(value, Expr) else self.as_expr(value, node)

    def as_expr(self, value: object, node: ast.AST) -> Expr:
        """Convert a value to an IR expression. Raises `NotAnExpression`."""
        if isinstance(value, Expr):
            return value
        if isinstance(value, BufferRegion):
            return region_load(value)
        if isinstance(value, (bool, int, float, str)):
            return operators.as_expr(value, None, self.span(node))
        if self.closure is not None and is_number(value):
            return self.guarded(node, "a number", operators.as_expr, value, None, self.span(node))
        raise errors.NotAnExpression(what=describe(value), span=self.span(node), hint=hints.expression_hint(value))

    # names and attributes

    def name(self, node: Any) -> object:
        """Look up a name: a local, a captured variable, a name of the script."""
        name: str = node.id
        names = self.names
        if name in names:
            return names[name]
        if self.scope.rebound and name in self.scope.rebound:
            raise errors.DefinedAgain(name=name, span=self.span(node))
        if self.closure is not None:
            captured = self.closure.find(name, self.roots)
            if captured is not None:
                return captured[0]
        elif name in self.roots:
            return self.roots[name]
        raise errors.UndefinedName(name=name, span=self.span(node), hint=hints.about_name(name, names, self.roots))

    def attribute(self, node: ast.Attribute) -> object:
        """Evaluate `value.name`."""
        name: str = node.attr
        try:
            owner = self.value(node.value)
        except errors.UndefinedName as error:
            if isinstance(node.value, ast.Name):
                error.hint = hints.about_library(node.value.id, name) or error.hint
            raise
        if type(owner) is Namespace:
            entry = owner.used.get(name) or owner.entry(name)
            if entry is not None:
                if type(entry) is UnsupportedName:
                    self.refuse_name(entry, node)
                return entry
            raise errors.UnknownMember(
                owner=owner.name,
                name=name,
                span=self.span(node),
                hint=closest(name, owner.table, f"{owner.name}.{{}}") or hints.about_table(owner),
            )
        member = member_of(owner, name)
        if member is not None:
            return member[0]
        if self.closure is not None:
            try:
                return getattr(owner, name)
            except AttributeError:
                pass
        raise errors.UnknownMember(
            owner=describe(owner), name=name, span=self.span(node), hint=hints.about_member(name, members_of(owner))
        )

    def refuse_name(self, name: UnsupportedName, node: object) -> NoReturn:
        """Raise `NoCounterpart`."""
        raise errors.NoCounterpart(name=name.name, place=name.place, span=self.span(node), hint=name.hint)

    def constants(self) -> Mapping[str, object]:
        """Return the constants of the section `metadata`, or of the variable `metadata` that the caller gave."""
        constants: object = self.session.metadata
        if constants is None:
            constants = self.roots.get("metadata")
        if constants is None and self.closure is not None:
            constants = next(iter(self.closure.find("metadata", self.roots) or ()), None)
        return constants if isinstance(constants, Mapping) else {}

    # operators

    def build(self, span: Span, function: Callable[..., object], *args: object) -> Any:
        """Call an IR builder with `span`; report its errors as diagnostics."""
        try:
            return function(*args, span=span)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise errors.refused(error, span) from error
        except FAILURES as error:
            raise errors.InvalidOperation(what="an operator", reason=str(error), span=span) from error

    def is_true(self, value: object, node: object) -> bool:
        """Return the truth value of a Python value.

        Raises `InvalidCondition` for a construct that is not called, which is always true.
        """
        if isinstance(value, (Builtin, Decorator, Namespace)):
            raise errors.InvalidCondition(
                what=describe(value), span=self.span(node), hint="call it, or leave the branch out"
            )
        return self.guarded(node, "a condition", bool, value)

    def guarded(self, node: object, what: str, function: Callable[..., Result], *args: object) -> Result:
        """Call a Python function; report its errors as diagnostics at `node`."""
        try:
            return function(*args)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise errors.refused(error, self.span(node)) from error
        except FAILURES as error:
            raise errors.InvalidOperation(
                what=what, reason=str(error) or type(error).__name__, span=self.span(node)
            ) from error

    # subscripts and calls

    def subscript(self, node: ast.Subscript) -> object:
        """Evaluate `A[i, j]`, `A[0:4, j]`, or an element of a Python value."""
        return self.element(self.value(node.value), node)

    def element(self, owner: object, node: ast.Subscript) -> object:
        """Evaluate the subscript `node` on `owner`."""
        if type(owner) is Buffer:
            are_vectors, self.vector_slices = self.vector_slices, False
            indices = self.indices(node.slice)
            span = self.span(node)
            if slice not in map(type, indices):
                exprs = [i if isinstance(i, Expr) else self.as_expr(i, node.slice) for i in indices]
                try:
                    return self.build(span, _load, owner, tuple(exprs))
                except errors.Refused as error:
                    hints.point_at_index(self.tree, error, node.slice, exprs)
                    raise
            if are_vectors:
                indices = [slice(i.start, i.stop, 1) if type(i) is slice and i.step is None else i for i in indices]
            return self.build(span, getitem, owner, indices)
        index: object
        parts = node.slice.elts if type(node.slice) is ast.Tuple and isinstance(owner, Builtin) else []
        if ast.Slice in map(type, parts):
            index = tuple([self.slice_of(part) if type(part) is ast.Slice else self.value(part) for part in parts])
        elif type(node.slice) is not ast.Slice:
            index = self.value(node.slice)
        elif isinstance(owner, Builtin):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            index = slice(*[None if part is None else self.value(part) for part in bounds])
        else:
            index = self.slice_of(node.slice)
        if owner is Annotated:
            return annotation(index, self.span(node))
        if isinstance(owner, Builtin):
            return self.call_builtin(node, owner, [*owner.arguments(index)], {})
        if isinstance(owner, (Expr, Frame, Loops)) or (
            self.closure is None and not isinstance(owner, (str, tuple, list, dict))
        ):
            raise errors.InvalidOperation(what="[]", reason=f"{describe(owner)} has no elements", span=self.span(node))
        if isinstance(index, IntImm):
            index = index.value
        if isinstance(owner, (str, tuple, list)) and isinstance(index, int) and not -len(owner) <= index < len(owner):
            reason = f"{describe(owner)} has {len(owner)} element{'s' * (len(owner) != 1)}"
            raise errors.InvalidOperation(what=f"[{index}]", reason=reason, span=self.span(node.slice))
        return literals.check_budget(self, self.guarded(node, "[]", operator.getitem, owner, index), node)

    def indices(self, node: Any) -> list[object]:
        """Evaluate the indices of a subscript. A slice becomes a Python slice; a list stands for all its items."""
        kind = type(node)
        if kind is ast.Tuple:
            parts = node.elts
            if ast.Starred in map(type, parts):
                return [self.as_expr(value, node) for value in literals.items(self, parts)]
            return [self.slice_of(part) if type(part) is ast.Slice else self.index(part) for part in parts]
        if kind is ast.Slice:
            return [self.slice_of(node)]
        value = self.value(node)
        if type(value) is int or isinstance(value, Expr):
            return [value]
        return [self.as_index(item, node) for item in (value if isinstance(value, (tuple, list)) else [value])]

    def index(self, node: ast.expr) -> object:
        """Evaluate one index."""
        value = self.value(node)
        if type(value) is int or isinstance(value, Expr):
            return value
        return self.as_index(value, node)

    def as_index(self, value: object, node: ast.AST) -> Expr:
        """Convert a value to an index; a region with several elements is a vector: `A[B[0:4]]`.

        Raises `NotAnExpression`.
        """
        expr = self.as_expr(value, node)
        if isinstance(value, BufferRegion) and expr.dtype.lanes == value.buffer.dtype.lanes:
            raise errors.NotAnExpression(what=describe(value), span=self.span(node), hint=hints.expression_hint(value))
        return expr

    def slice_of(self, node: Any) -> slice:
        """Evaluate `start:stop:step`."""
        return slice(*[None if part is None else self.index(part) for part in (node.lower, node.upper, node.step)])

    def call(self, node: ast.Call) -> object:
        """Evaluate `function(arguments)`."""
        function = self.value(node.func)
        if type(function) is SpecialForm:
            return function.read(self, node)
        args = literals.items(self, node.args)
        kwargs: dict[str, object] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                unpacked = self.value(keyword.value)
                if not isinstance(unpacked, Mapping) or not all(isinstance(key, str) for key in unpacked):
                    raise errors.InvalidOperation(
                        what="**", reason="the operand is not a mapping with string keys", span=self.span(keyword)
                    )
                kwargs.update(unpacked)
            else:
                kwargs[keyword.arg] = self.value(keyword.value)
        if type(function) is Builtin:
            return self.call_builtin(node, function, args, kwargs)
        if type(function) is GlobalVar:
            return self.call_global(node, function, args, kwargs)
        if type(function) is Macro:
            return self.expand(node, function, args, kwargs)
        if isinstance(function, Builtin):
            return self.call_builtin(node, function, args, kwargs)
        return self.call_python(node, function, args, kwargs)

    def call_builtin(self, node: object, function: Builtin, args: list[object], kwargs: dict[str, object]) -> object:
        """Call a name of the script. Regions become vectors, unless the function needs the parser."""
        span = self.span(node)
        if self.closure is None:
            for arg in (*args, *kwargs.values()) if kwargs else args:
                if type(arg) in CONTAINERS and not (type(arg) is str and len(arg) <= _SHORT):
                    literals.check_budget(self, arg, node)
        try:
            if function.needs_kernel:
                return function.function(self, span, *args, **kwargs)
            for position, arg in enumerate(args):
                if type(arg) is BufferRegion:
                    args[position] = region_load(arg)
            for name, arg in kwargs.items():
                if type(arg) is BufferRegion:
                    kwargs[name] = region_load(arg)
            value = function.function(*args, span=span, **kwargs)
            return literals.check_budget(self, value, node) if type(value) in CONTAINERS else value
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise hints.refused_call(self.tree, node, error, args, kwargs) from error
        except FAILURES as error:
            reason, hint = hints.explain_mismatch(function, args, kwargs)
            hint = hint or hints.about_arguments(function, args)
            reason = reason or str(error) or type(error).__name__
            raise errors.InvalidArguments(function=function.name, reason=reason, span=span, hint=hint) from error

    def call_global(self, node: ast.AST, function: GlobalVar, args: list[object], kwargs: dict[str, object]) -> object:
        """Call another function of the module."""
        if kwargs:
            raise errors.InvalidArguments(
                function=function.name_hint, reason="keyword arguments are not supported", span=self.span(node)
            )
        places = node.args if isinstance(node, ast.Call) and len(node.args) == len(args) else [node] * len(args)
        values = [self.argument(arg, place) for arg, place in zip(args, places, strict=True)]
        return Call(self.result_dtype(function), function, tuple(values), self.span(node))

    def argument(self, arg: object, node: ast.AST) -> Expr:
        """Convert an argument of a call between functions. Raises `NotAnExpression`."""
        if isinstance(arg, Buffer):
            hint = f"pass its memory: {arg.name}.data"
            raise errors.NotAnExpression(what=describe(arg), span=self.span(node), hint=hint)
        return arg if isinstance(arg, Expr) else self.as_expr(arg, node)

    def expand(self, node: object, macro: Macro, args: list[object], kwargs: dict[str, object]) -> Any:
        """Expand a macro. Raises `NotInside` outside of functions."""
        raise errors.NotInside(what=f"the macro {macro.name}", place="a function", span=self.span(node))

    def result_dtype(self, function: GlobalVar) -> str:
        """Return the dtype of a call of another function of the module."""
        return "void"

    def call_python(self, node: Any, function: object, args: list[object], kwargs: dict[str, object]) -> object:
        """Call captured Python code."""
        if type(function) is UnsupportedName:
            self.refuse_name(function, node.func)
        if self.closure is None or not callable(function) or isinstance(function, (Node, Decorator)):
            raise errors.NotCallable(what=describe(function), span=self.span(node), hint=hints.about_call(function))
        active = ACTIVE.set((self, node))
        try:
            return function(
                *map(literals.python_value, args), **{key: literals.python_value(item) for key, item in kwargs.items()}
            )
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            diagnostic = errors.refused(error, self.span(node))
            diagnostic.hint = hints.about_python_function(function, [*args, *kwargs.values()]) or diagnostic.hint
            raise diagnostic from error
        except FAILURES as error:
            name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or repr(function)
            raise errors.PythonFailed(
                function=name,
                error=f"{type(error).__name__}: {error}",
                span=self.span(node),
                hint=hints.about_python_function(function, [*args, *kwargs.values()]),
            ) from error
        finally:
            ACTIVE.reset(active)

    def emit(self, value: object) -> object:
        """Return what a name of the script gives Python code."""
        return value

    def enter_frame(self, opened: Frame | Loops, node: ast.AST) -> object:
        """Raise `NotInside`: only a PrimFunc has frames."""
        raise errors.NotInside(what="a frame", place="a PrimFunc", span=self.span(node))

    def exit_frame(self, opened: Frame | Loops, node: ast.AST) -> None:
        """Raise `NotInside`: only a PrimFunc has frames."""
        raise errors.NotInside(what="a frame", place="a PrimFunc", span=self.span(node))

    def lambda_(self, node: ast.Lambda) -> Lambda:
        """Evaluate a lambda, the argument of T.index_map, T.comm_reducer or captured Python."""
        place = self.tree, self.closure, self.snapshot_names(node)
        body = node.body

        def evaluate(values: dict[str, object]) -> object:
            with self.elsewhere(*place):
                self.names.update(values)
                return self.value(body)

        return Lambda(signature_of(node.args, self.value, self.span), evaluate, self.span(node))

    @contextmanager
    def elsewhere(
        self, tree: SourceTree, closure: Closure | None, names: Mapping[str, object]
    ) -> Generator[None, None, None]:
        """Read another text, or another place of this one, with its own names."""
        outer = self.tree, self.closure, self.scope
        self.tree, self.closure, self.scope = tree, closure, Scope()
        self.names = self.scope.names
        self.names.update(names)
        try:
            yield
        finally:
            self.tree, self.closure, self.scope = outer
            self.names = self.scope.names


def _load(buffer: Buffer, indices: tuple[Expr, ...], span: Span) -> BufferLoad:
    return BufferLoad(buffer, indices, span=span)


#: node type -> function that evaluates it
EXPRESSIONS: dict[type, Handler] = {
    ast.Constant: literals.constant,
    ast.Attribute: Evaluator.attribute,
    ast.Tuple: literals.tuple_display,
    ast.List: literals.list_display,
    ast.Dict: literals.dict_display,
    ast.JoinedStr: literals.joined,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.Compare: compare,
    ast.BoolOp: boolean,
    ast.IfExp: conditional,
    ast.Subscript: Evaluator.subscript,
    ast.Call: Evaluator.call,
    ast.ListComp: literals.comprehension,
    ast.SetComp: literals.comprehension,
    ast.GeneratorExp: literals.comprehension,
    ast.DictComp: literals.comprehension,
    ast.Lambda: Evaluator.lambda_,
}
Evaluator.expressions = EXPRESSIONS
