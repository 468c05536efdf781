"""Expressions of a text as values: expressions of the program, or Python values that are known while reading.

Nothing is executed here but the builders of the language's own tables and arithmetic on small Python values.
Decorated functions may also use what they capture: see `captured`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn, TypeAlias

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.flags import MAX_NESTING
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.names import closest
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import And, BufferLoad, BufferRegion, Call, IntImm, Or
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.slices import getitem, region_load
from tvmscript.parser.advice import (
    about_arguments,
    about_call,
    about_comparison,
    about_construct,
    about_member,
    about_name,
    about_table,
    expression_hint,
    misfit,
    point_at_index,
    refused_call,
)
from tvmscript.parser.annotations import annotation
from tvmscript.parser.attributes import member_of, members_of
from tvmscript.parser.budget import MAX_PARTS, Budget
from tvmscript.parser.captured import Captured, python_value
from tvmscript.parser.errors import (
    DefinedAgain,
    InvalidArguments,
    InvalidCondition,
    InvalidOperation,
    NestedTooDeeply,
    NoCounterpart,
    NotAnExpression,
    NotCallable,
    NotInside,
    PythonFailed,
    Refused,
    UndefinedName,
    UnknownMember,
    UnsupportedSyntax,
    ValueTooLarge,
    refused,
)
from tvmscript.parser.foreign import Foreign
from tvmscript.parser.frames import Frame, Loops
from tvmscript.parser.macro import Macro
from tvmscript.parser.namespace import ACTIVE, Builtin, Decorator, Namespace
from tvmscript.parser.operations import (
    BINARY,
    COMPARE,
    MAX_BITS,
    MAX_LENGTH,
    PLAIN,
    PYTHON_BINARY,
    PYTHON_COMPARE,
    PYTHON_UNARY,
    SIMPLE,
    SYMBOLS,
    UNARY,
    WORDS,
    is_number,
    too_large,
)
from tvmscript.parser.parameters import Lambda, signature_of
from tvmscript.parser.scope import Scope
from tvmscript.parser.source import SourceTree
from tvmscript.parser.words import construct_name, describe

#: What Python values raise when something is done to them that they cannot do.
FAILURES = (
    TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError,
)  # fmt: skip


Handler: TypeAlias = "Callable[[Any, Any], Any]"


class Evaluator:
    """Turns expression nodes into values."""

    def __init__(
        self,
        tree: SourceTree,
        roots: Mapping[str, Any],
        captured: Captured | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.tree = tree
        self.budget = budget if budget is not None else Budget()
        self.scope = Scope()
        self.names = self.scope.names
        self.roots = roots
        self.captured = captured
        self.depth = 0
        #: `A[0:4]` means the elements, not the region
        self.vector_slices = False
        #: the section `metadata` of the text
        self.metadata: Mapping[str, Any] | None = None

    def span(self, node: Any) -> Span:
        """Where a node stands in the text."""
        return self.tree.span(node)

    def value(self, node: ast.expr) -> Any:
        """The value of an expression node."""
        kind = type(node)
        if kind is ast.Name:
            return self.name(node)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.too_deep(node)
        handler = EXPRESSIONS.get(kind)
        if handler is None:
            raise UnsupportedSyntax(what=construct_name(node), span=self.span(node), hint=about_construct(node))
        found = handler(self, node)
        self.depth -= 1
        return found

    def names_now(self, node: ast.AST) -> dict[str, Any]:
        """The names as they are, for a definition that keeps them. Raises `ValueTooLarge`."""
        self.budget.kept_names -= len(self.names)
        if self.budget.kept_names < 0:
            raise ValueTooLarge(what="keeping the names around so many definitions", span=self.span(node))
        return dict(self.names)

    def too_deep(self, node: ast.AST) -> NoReturn:
        """Refuse a node that nests too deeply."""
        raise NestedTooDeeply(limit=MAX_NESTING, span=self.span(node))

    def expr(self, node: ast.expr) -> Expr:
        """The value of a node as an expression of the program."""
        value = self.value(node)
        return value if isinstance(value, Expr) else self.as_expr(value, node)

    def as_expr(self, value: Any, node: ast.AST) -> Expr:
        """A value as an expression. Raises `NotAnExpression`."""
        if isinstance(value, Expr):
            return value
        if isinstance(value, BufferRegion):
            return region_load(value)
        if isinstance(value, bool | int | float | str):
            return operators.as_expr(value, None, self.span(node))
        if self.captured is not None and is_number(value):
            return self.guarded(node, "a number", operators.as_expr, value, None, self.span(node))  # type: ignore[no-any-return]
        raise NotAnExpression(what=describe(value), span=self.span(node), hint=expression_hint(value))

    # names and attributes

    def name(self, node: Any) -> Any:
        """What a name stands for: a local, something captured, a name of the language."""
        name: str = node.id
        names = self.names
        if name in names:
            return names[name]
        if self.scope.rebound and name in self.scope.rebound:
            raise DefinedAgain(name=name, span=self.span(node))
        if self.captured is not None:
            found = self.captured.find(name, self.roots)
            if found is not None:
                return found[0]
        elif name in self.roots:
            return self.roots[name]
        raise UndefinedName(name=name, span=self.span(node), hint=about_name(name, names, self.roots))

    def attribute(self, node: Any) -> Any:
        """`value.name`."""
        owner = self.value(node.value)
        name: str = node.attr
        if type(owner) is Namespace:
            found = owner.table.get(name)
            if found is not None:
                if type(found) is Foreign:
                    self.refuse_name(found, node)
                return found
            raise UnknownMember(
                owner=owner.name,
                name=name,
                span=self.span(node),
                hint=closest(name, owner.table, f"{owner.name}.{{}}") or about_table(owner),
            )
        found = member_of(owner, name)
        if found is not None:
            return found[0]
        if self.captured is not None:
            try:
                return getattr(owner, name)
            except AttributeError:
                pass
        raise UnknownMember(
            owner=describe(owner), name=name, span=self.span(node), hint=about_member(name, members_of(owner))
        )

    def refuse_name(self, found: Foreign, node: Any) -> NoReturn:
        """A name that has no counterpart here."""
        raise NoCounterpart(name=found.name, place=found.place, span=self.span(node))

    def constants(self) -> Mapping[str, Any]:
        """Fingerprint -> constant data: of the text's own section, or what was handed in under that name."""
        found: Any = self.metadata
        if found is None:
            found = self.roots.get("metadata")
        if found is None and self.captured is not None:
            found = next(iter(self.captured.find("metadata", self.roots) or ()), None)
        return found if isinstance(found, Mapping) else {}

    # constants and displays

    def constant(self, node: Any) -> Any:
        """A number, a string, None."""
        value = node.value
        if isinstance(value, int | float | str) or value is None:
            if type(value) is int and value.bit_length() > MAX_BITS:
                raise ValueTooLarge(what="a constant", span=self.span(node))
            return value
        raise UnsupportedSyntax(
            what=f"the constant {value!r:.40}",
            span=self.span(node),
            hint="constants are numbers, strings, True, False, None",
        )

    def tuple_display(self, node: Any) -> Any:
        """`(a, b)`."""
        return self.weighed(tuple(self.items(node.elts)), node)

    def list_display(self, node: Any) -> Any:
        """`[a, b]`."""
        return self.weighed(self.items(node.elts), node)

    def weighed(self, value: Any, node: Any) -> Any:
        """A new tuple, list or dict, unless it is too large."""
        if not self.budget.fits(value):
            raise ValueTooLarge(what="a display", span=self.span(node))
        return value

    def items(self, nodes: list[Any]) -> list[Any]:
        """Values of the elements of a display or a call, `*x` unpacked."""
        values: list[Any] = []
        if len(nodes) > MAX_PARTS:
            raise ValueTooLarge(what=f"writing {len(nodes)} values", span=self.span(nodes[0]))
        for node in nodes:
            if type(node) is ast.Starred:
                values += self.iterate(self.value(node.value), node.value)
            else:
                values.append(self.value(node))
        return values

    def dict_display(self, node: Any) -> Any:
        """`{"key": value}`."""
        made: dict[Any, Any] = {}
        if len(node.keys) > MAX_PARTS:
            raise ValueTooLarge(what=f"writing {len(node.keys)} values", span=self.span(node))
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                unpacked = self.value(item)
                if not isinstance(unpacked, Mapping):
                    raise InvalidOperation(
                        what="**", reason=f"{describe(unpacked)} is no mapping", span=self.span(item)
                    )
                made.update(unpacked)
                continue
            found = self.value(key)
            if not isinstance(found, str | int | float | Node):
                raise InvalidOperation(what="a key", reason=f"{describe(found)} cannot be one", span=self.span(key))
            made[found] = self.value(item)
        return self.weighed(made, node)

    def joined(self, node: Any) -> Any:
        """An f-string over Python values."""
        parts: list[str] = []
        if len(node.values) > MAX_PARTS:
            raise ValueTooLarge(what="an f-string", span=self.span(node))
        for part in node.values:
            if type(part) is ast.Constant:
                parts.append(str(part.value))
                continue
            value = self.value(part.value)
            if part.format_spec is not None and self.captured is None:
                raise UnsupportedSyntax(what="a format specification", span=self.span(part))
            if isinstance(value, Expr) or not (self.captured or isinstance(value, str | int | float)):
                raise InvalidOperation(what="an f-string", reason=f"{describe(value)} is not known while reading",
                                       span=self.span(part))  # fmt: skip
            spec = self.joined(part.format_spec) if part.format_spec is not None else ""
            parts.append(self.guarded(node, "an f-string", _formatted, value, part.conversion, spec))
        if sum(map(len, parts)) > MAX_LENGTH:
            raise ValueTooLarge(what="an f-string", span=self.span(node))
        return "".join(parts)

    # operators

    def binary(self, node: Any) -> Any:
        """`a + b`."""
        left = self.value(node.left)
        right = self.value(node.right)
        if isinstance(left, BufferRegion):
            left = region_load(left)
        if isinstance(right, BufferRegion):
            right = region_load(right)
        return self.apply(node, type(node.op), left, right)

    def apply(self, node: Any, op: type, left: Any, right: Any) -> Any:
        """A binary operator on two values: of the program where one is an expression, of Python otherwise."""
        if isinstance(left, Expr) or isinstance(right, Expr):
            build = BINARY.get(op)
            span = self.span(node)
            if build is None:
                raise UnsupportedSyntax(what=f"the operator {SYMBOLS[op]} on expressions", span=span,
                                        hint="write T.pow(a, b)" if op is ast.Pow else None)  # fmt: skip
            self.check_operand(left, node.left if hasattr(node, "left") else node)
            self.check_operand(right, node.right if hasattr(node, "right") else node)
            return self.build(span, build, left, right)
        return self.python_binary(node, op, left, right)

    def check_operand(self, value: Any, node: ast.AST) -> None:
        """Refuse an operand that is neither a number nor an expression."""
        if not isinstance(value, Expr | int | float) and not (self.captured and is_number(value)):
            raise NotAnExpression(what=describe(value), span=self.span(node), hint=expression_hint(value))

    def build(self, span: Span, function: Callable[..., Any], *args: Any) -> Any:
        """What a builder of the IR makes, its refusals as diagnostics."""
        try:
            return function(*args, span=span)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise refused(error, span) from error
        except FAILURES as error:
            raise InvalidOperation(what="an operator", reason=str(error), span=span) from error

    def python_binary(self, node: Any, op: type, left: Any, right: Any) -> Any:
        """Arithmetic on Python values, bounded in size."""
        if self.captured is None and not (isinstance(left, PLAIN) and isinstance(right, PLAIN)):
            culprit = left if not isinstance(left, PLAIN) else right
            raise NotAnExpression(what=describe(culprit), span=self.span(node), hint=expression_hint(culprit))
        if too_large(op, left, right):
            raise ValueTooLarge(what=f"the operator {SYMBOLS[op]}", span=self.span(node))
        made = self.guarded(node, f"the operator {SYMBOLS[op]}", PYTHON_BINARY[op], left, right)
        return self.weighed(made, node) if isinstance(made, tuple | list) else made

    def guarded(self, node: Any, what: str, function: Callable[..., Any], *args: Any) -> Any:
        """What a Python operation gives, its failure as a diagnostic."""
        try:
            return function(*args)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise refused(error, self.span(node)) from error
        except FAILURES as error:
            raise InvalidOperation(
                what=what, reason=str(error) or type(error).__name__, span=self.span(node)
            ) from error

    def unary(self, node: Any) -> Any:
        """`-a`, `~a`, `not a`."""
        value = self.value(node.operand)
        if isinstance(value, BufferRegion):
            value = region_load(value)
        op = type(node.op)
        if isinstance(value, Expr):
            if op is ast.Not and value.dtype.is_integer and not value.dtype.element.is_bool:
                hint = "write == 0 after it, without not"
                raise InvalidCondition(what=describe(value), span=self.span(node.operand), hint=hint)
            return self.build(self.span(node), UNARY[op], value)
        return self.guarded(node, "an operator", PYTHON_UNARY[op], value)

    def compare(self, node: Any) -> Any:
        """`a < b`; `a < b < c` is `a < b and b < c`."""
        if len(node.ops) > MAX_NESTING:
            self.too_deep(node)
        left = self.value(node.left)
        result: Any = None
        for op, item in zip(node.ops, node.comparators, strict=True):
            right = self.value(item)
            found = self.comparison(node, type(op), left, right)
            result = found if result is None else self.conjunction(node, And, result, found)
            left = right
        return result

    def comparison(self, node: Any, op: type, left: Any, right: Any) -> Any:
        """One comparison of a chain."""
        if isinstance(left, BufferRegion):
            left = region_load(left)
        if isinstance(right, BufferRegion):
            right = region_load(right)
        if (isinstance(left, Expr) or isinstance(right, Expr)) and op in COMPARE:
            self.check_operand(left, node)
            self.check_operand(right, node)
            return self.build(self.span(node), COMPARE[op], left, right)
        if self.captured is None and not (isinstance(left, SIMPLE) and isinstance(right, SIMPLE)):
            if isinstance(left, Expr) or isinstance(right, Expr):
                what = f"the operator {WORDS[op]} on expressions"
                raise UnsupportedSyntax(what=what, span=self.span(node), hint=about_comparison(op))
            culprit = left if not isinstance(left, SIMPLE) else right
            raise NotAnExpression(what=describe(culprit), span=self.span(node), hint=expression_hint(culprit))
        return self.guarded(node, "a comparison", PYTHON_COMPARE[op], left, right)

    def boolean(self, node: Any) -> Any:
        """`a and b`, `a or b`."""
        join = And if type(node.op) is ast.And else Or
        if len(node.values) > MAX_NESTING:
            self.too_deep(node)
        result = self.value(node.values[0])
        for item in node.values[1:]:
            if not isinstance(result, Expr) and bool(result) is (join is Or):
                return result  # Python decides without looking further
            result = self.conjunction(node, join, result, self.value(item), item)
        return result

    def conjunction(self, node: Any, join: type, left: Any, right: Any, last: ast.AST | None = None) -> Any:
        """`left and right` or `left or right`; `last` is where the right one is written."""
        if not isinstance(left, Expr) and not isinstance(right, Expr):
            return right if bool(left) is (join is And) else left
        for item, place in ((left, getattr(node, "values", [node])[0]), (right, last or node)):
            self.check_operand(item, place)
            if isinstance(item, Expr) and not item.dtype.element.is_bool:
                hint = "write != 0 after it" if item.dtype.is_integer else None
                raise InvalidCondition(what=describe(item), span=self.span(place), hint=hint)
        if any(isinstance(item, Expr) and item.dtype.is_vector for item in (left, right)):
            return self.build(self.span(node), OPERATORS["bitwise_and" if join is And else "bitwise_or"], left, right)
        return self.build(self.span(node), operators.logical_and if join is And else operators.logical_or, left, right)

    def conditional(self, node: Any) -> Any:
        """`a if condition else b`."""
        test = self.value(node.test)
        if not isinstance(test, Expr):
            return self.value(node.body if test else node.orelse)
        first, second = self.expr(node.body), self.expr(node.orelse)
        return self.build(self.span(node), SURFACE["if_then_else"], test, first, second)

    # subscripts and calls

    def subscript(self, node: Any) -> Any:
        """`A[i, j]`, `A[0:4, j]`, an element of a Python value."""
        owner = self.value(node.value)
        if type(owner) is Buffer:
            indices = self.indices(node.slice)
            span = self.span(node)
            if slice not in map(type, indices):
                exprs = [i if isinstance(i, Expr) else self.as_expr(i, node.slice) for i in indices]
                try:
                    return self.build(span, _load, owner, tuple(exprs))
                except Refused as error:
                    point_at_index(self.tree, error, node.slice, exprs)
                    raise
            if self.vector_slices:
                indices = [slice(i.start, i.stop, 1) if type(i) is slice and i.step is None else i for i in indices]
            return self.build(span, getitem, owner, indices)
        index = self.value(node.slice) if type(node.slice) is not ast.Slice else self.slice_of(node.slice)
        if owner is Annotated:
            return annotation(index, self.span(node))
        if isinstance(owner, Expr | Frame | Loops) or (
            self.captured is None and not isinstance(owner, str | tuple | list | dict | Builtin)
        ):
            raise InvalidOperation(what="[]", reason=f"{describe(owner)} has no elements", span=self.span(node))
        if isinstance(index, IntImm):
            index = index.value
        if isinstance(owner, str | tuple | list) and isinstance(index, int) and not -len(owner) <= index < len(owner):
            reason = f"{describe(owner)} has {len(owner)} element{'s' * (len(owner) != 1)}"
            raise InvalidOperation(what=f"[{index}]", reason=reason, span=self.span(node.slice))
        return self.guarded(node, "[]", operator.getitem, owner, index)

    def indices(self, node: Any) -> list[Any]:
        """Values of the indices of a subscript; slices as Python slices of values."""
        parts = node.elts if type(node) is ast.Tuple else [node]
        return [
            self.slice_of(part) if type(part) is ast.Slice else self.index(part)
            for part in parts
        ]  # fmt: skip

    def index(self, node: Any) -> Any:
        """One index."""
        value = self.value(node)
        if isinstance(value, Expr | int) and not isinstance(value, bool):
            return value
        return self.as_expr(value, node)

    def slice_of(self, node: Any) -> slice:
        """`start:stop:step`."""
        return slice(*[None if part is None else self.index(part) for part in (node.lower, node.upper, node.step)])

    def call(self, node: Any) -> Any:
        """`function(arguments)`."""
        function = self.value(node.func)
        args = self.items(node.args)
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                unpacked = self.value(keyword.value)
                if not isinstance(unpacked, Mapping) or not all(isinstance(key, str) for key in unpacked):
                    raise InvalidOperation(what="**", reason="that is no mapping of names", span=self.span(keyword))
                kwargs.update(unpacked)
            else:
                kwargs[keyword.arg] = self.value(keyword.value)
        if type(function) is Builtin:
            return self.call_builtin(node, function, args, kwargs)
        if type(function) is GlobalVar:
            return self.call_global(node, function, args, kwargs)
        if type(function) is Macro:
            return self.expand(node, function, args, kwargs)
        return self.call_python(node, function, args, kwargs)

    def call_builtin(self, node: Any, function: Builtin, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a name of the language makes of its arguments."""
        span = self.span(node)
        try:
            if function.needs_kernel:
                return function.function(self, span, *args, **kwargs)
            for position, arg in enumerate(args):
                if type(arg) is BufferRegion:
                    args[position] = region_load(arg)
            return function.function(*args, span=span, **kwargs)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise refused_call(self.tree, node, error, args, kwargs) from error
        except FAILURES as error:
            reason, hint = misfit(function, args, kwargs)
            hint = hint or about_arguments(function, args)
            reason = reason or str(error) or type(error).__name__
            raise InvalidArguments(function=function.name, reason=reason, span=span, hint=hint) from error

    def call_global(self, node: Any, function: GlobalVar, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of another function of the module."""
        if kwargs:
            raise InvalidArguments(function=function.name_hint, reason="no keywords are taken", span=self.span(node))
        values = [arg if isinstance(arg, Expr) else self.as_expr(arg, node) for arg in args]
        return Call(self.result_dtype(function), function, tuple(values), self.span(node))

    def expand(self, node: Any, macro: Macro, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Write out a macro; functions alone have a place for it."""
        raise NotInside(what=f"the macro {macro.name}", place="a function", span=self.span(node))

    def result_dtype(self, function: GlobalVar) -> str:
        """The dtype of a call of another function."""
        return "void"

    def call_python(self, node: Any, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of something captured, run as Python."""
        if type(function) is Foreign:
            self.refuse_name(function, node.func)
        if self.captured is None or not callable(function) or isinstance(function, Node | Decorator):
            raise NotCallable(what=describe(function), span=self.span(node), hint=about_call(function))
        active = ACTIVE.set((self, node))
        try:
            return function(*map(python_value, args), **{key: python_value(item) for key, item in kwargs.items()})
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise refused(error, self.span(node)) from error
        except FAILURES as error:
            name = getattr(function, "__qualname__", None) or repr(function)
            raise PythonFailed(function=name, error=f"{type(error).__name__}: {error}", span=self.span(node)) from error
        finally:
            ACTIVE.reset(active)

    # Python values of decorated functions

    def iterate(self, value: Any, node: Any) -> list[Any]:
        """The elements of a Python value."""
        value = python_value(value)
        if self.captured is None and not isinstance(value, tuple | list | dict | str | range):
            raise InvalidOperation(what="iteration", reason=f"{describe(value)} has no elements", span=self.span(node))
        if isinstance(value, range) and len(value) > MAX_LENGTH:
            raise ValueTooLarge(what="a range", span=self.span(node))
        return self.guarded(node, "iteration", list, value)  # type: ignore[no-any-return]

    def comprehension(self, node: Any) -> Any:
        """A list, set, dict or generator expression over Python values, in decorated functions."""
        if self.captured is None:
            raise UnsupportedSyntax(what=construct_name(node), span=self.span(node), hint=about_construct(node))
        made: list[Any] = []
        mark = self.scope.enter()
        self.generate(node, node.generators, made)
        self.scope.leave(mark)
        if type(node) is ast.DictComp:
            return dict(made)
        return made

    def generate(self, node: Any, generators: list[Any], made: list[Any]) -> None:
        """Run the `for`s of a comprehension, the first one outermost."""
        if not generators:
            if type(node) is ast.DictComp:
                made.append((self.value(node.key), self.value(node.value)))
            else:
                made.append(self.value(node.elt))
            if len(made) > MAX_LENGTH:
                raise ValueTooLarge(what="a comprehension", span=self.span(node))
            return
        first, *rest = generators
        for item in self.iterate(self.value(first.iter), first.iter):
            mark = self.scope.enter()
            self.bind_target(first.target, item)
            if all(self.truth(self.value(test), test) for test in first.ifs):
                self.generate(node, rest, made)
            self.scope.leave(mark)

    def truth(self, value: Any, node: Any) -> bool:
        """A Python value as true or false."""
        return bool(self.guarded(node, "a condition", bool, value))

    def bind_target(self, target: Any, value: Any) -> None:
        """Let the names of a target stand for Python values."""
        if type(target) is ast.Name:
            self.scope.define(target.id, value)
        elif type(target) in (ast.Tuple, ast.List):
            items = self.iterate(value, target)
            if len(items) != len(target.elts):
                raise InvalidOperation(what="unpacking", reason=f"{len(target.elts)} names for {len(items)} values",
                                       span=self.span(target))  # fmt: skip
            for part, item in zip(target.elts, items, strict=True):
                self.bind_target(part, item)
        else:
            raise UnsupportedSyntax(what=construct_name(target), span=self.span(target))

    def lambda_(self, node: Any) -> Lambda:
        """A lambda: a function over values, for what takes one (T.index_map, T.comm_reducer, captured Python)."""
        place = self.tree, self.captured, self.names_now(node)
        body = node.body

        def evaluate(values: dict[str, Any]) -> Any:
            with self.elsewhere(*place):
                self.names.update(values)
                return self.value(body)

        return Lambda(signature_of(node.args, self.value), evaluate, self.span(node))

    @contextmanager
    def elsewhere(
        self, tree: SourceTree, captured: Captured | None, names: Mapping[str, Any]
    ) -> Generator[None, None, None]:
        """Read another text (or another place of this one), which sees these names."""
        around = self.tree, self.captured, self.scope
        self.tree, self.captured, self.scope = tree, captured, Scope()
        self.names = self.scope.names
        self.names.update(names)
        try:
            yield
        finally:
            self.tree, self.captured, self.scope = around
            self.names = self.scope.names


def _load(buffer: Buffer, indices: tuple[Expr, ...], span: Span) -> BufferLoad:
    return BufferLoad(buffer, indices, span=span)


def _formatted(value: Any, conversion: int, spec: str) -> str:
    if conversion == ord("r"):
        value = repr(value)
    elif conversion == ord("s"):
        value = str(value)
    elif conversion == ord("a"):
        value = ascii(value)
    return format(value, spec)


#: node type -> how its value is found
EXPRESSIONS: dict[type, Handler] = {
    ast.Constant: Evaluator.constant,
    ast.Attribute: Evaluator.attribute,
    ast.Tuple: Evaluator.tuple_display,
    ast.List: Evaluator.list_display,
    ast.Dict: Evaluator.dict_display,
    ast.JoinedStr: Evaluator.joined,
    ast.BinOp: Evaluator.binary,
    ast.UnaryOp: Evaluator.unary,
    ast.Compare: Evaluator.compare,
    ast.BoolOp: Evaluator.boolean,
    ast.IfExp: Evaluator.conditional,
    ast.Subscript: Evaluator.subscript,
    ast.Call: Evaluator.call,
    ast.ListComp: Evaluator.comprehension,
    ast.SetComp: Evaluator.comprehension,
    ast.GeneratorExp: Evaluator.comprehension,
    ast.DictComp: Evaluator.comprehension,
    ast.Lambda: Evaluator.lambda_,
}
