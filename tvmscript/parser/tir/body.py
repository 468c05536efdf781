"""Parser of TIR statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, TypeAlias, TypeGuard

from tvmscript.ir.core import BOOL, VOID, Span, structural_equal
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError, WrongRank, WrongType
from tvmscript.ir.core.python_settings import MAX_NESTING
from tvmscript.ir.tir import AssertStmt, Buffer, Evaluate, Expr, LetStmt, Stmt, operators, rename_definitions, seq
from tvmscript.ir.tir.expr import BufferRegion, IterVar, Range, StringImm, Var, type_of
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.intrin.debugging import tir_breakpoint, tir_print
from tvmscript.ir.tir.slices import buffer_store, region_load
from tvmscript.parser.diagnostics import errors, hints
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.recovery import Checkpoint, recover
from tvmscript.parser.frames import Allocation, BlockFrame, Frame, IfFrame, Loops, PythonFrame, Wrapper
from tvmscript.parser.names.name_hints import MetaVar, buffer_variables, is_unnamed, name_if_unnamed, rename
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.python.annotations import Annotation, annotation_of
from tvmscript.parser.python.evaluator import Evaluator
from tvmscript.parser.python.literals import iterate, unpack
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.python.macro_expansion import expand, nested_macro
from tvmscript.parser.python.operators import apply
from tvmscript.parser.reader import Session
from tvmscript.parser.tir.control_flow import LoopFrame, conditional_statement, loop, while_, with_

Handler: TypeAlias = "Callable[[Any, Any], None]"


class BodyParser(Evaluator):
    """Parses the statements of a function body."""

    #: node type -> function that parses it
    handlers: ClassVar[Mapping[type, Handler]]
    is_kernel: ClassVar[bool] = True
    print_function: ClassVar[Builtin | None] = Builtin("print", tir_print)
    breakpoint_function: ClassVar[Builtin | None] = Builtin("breakpoint", tir_breakpoint)
    #: whether `range` takes a step (0.27)
    has_steps: ClassVar[bool] = False
    #: whether the name of a buffer is that of its memory
    names_memory = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.is_printed = session.is_printed
        self.keeps_names = session.keeps_names
        #: statements of the current body; a frame takes the ones after it as its body
        self.statements: list[Stmt | Frame] = []
        self.blocks: list[BlockFrame] = []
        self.conditionals: list[IfFrame] = []
        #: buffers of enclosing allocations that are statements
        self.open_buffers: list[Buffer] = []
        #: frames of the current body that Python code has opened, innermost last
        self.python_frames: list[PythonFrame] = []
        #: the body that was read last
        self.last_body: list[ast.stmt] = []
        #: loop variable -> its domain, for the enclosing loops
        self.loop_ranges: dict[Var, Range] = {}

    # bodies

    def body(self, nodes: list[ast.stmt]) -> Stmt:
        """Parse a body; without statements it is `T.evaluate(0)`."""
        outer, outer_frames = self.statements, self.python_frames
        current: list[Stmt | Frame] = []
        self.statements, self.python_frames = current, []
        self.depth += 1
        self.splice(nodes)
        self.depth -= 1
        unclosed = self.python_frames
        self.statements, self.python_frames = outer, outer_frames
        self.last_body = nodes
        if unclosed:
            hint = "close it in the body that opens it: with T.If(condition):"
            where = unclosed[0].frame.span
            raise errors.InvalidOperation(what="a frame", reason="nothing closes it", span=where, hint=hint)
        return self.close(current, nodes)

    def splice(self, nodes: list[ast.stmt]) -> None:
        """Parse statements into the current body. Frames that they open extend to its end."""
        python_frames, depth, level = self.python_frames, self.depth, self.scope.level
        begin = len(python_frames), len(self.statements)
        blocks, conditionals = len(self.blocks), len(self.conditionals)
        for node in nodes:
            statements, opened = self.statements, tuple(python_frames)
            try:
                handler = self.handlers.get(type(node))
                if handler is None or self.depth > MAX_NESTING:
                    self.refuse(node)
                handler(self, node)
            except TVMScriptError as error:
                checkpoint = Checkpoint(statements, python_frames, opened, begin, depth, level, blocks, conditionals)
                recover(self, node, error, checkpoint)

    def refuse(self, node: ast.stmt) -> NoReturn:
        """Raise `UnsupportedSyntax` or `NestedTooDeeply`."""
        if self.depth > MAX_NESTING:
            self.too_deep(node)
        raise errors.UnsupportedSyntax(
            what=construct_name(node), span=self.span(node), hint=hints.about_construct(node)
        )

    def close(self, items: list[Stmt | Frame], nodes: Sequence[ast.AST]) -> Stmt:
        """Return a body as one statement; the statements after a frame are its body."""
        if len(items) > _MAX_FRAMES and sum(isinstance(item, Frame) for item in items) > _MAX_FRAMES:
            raise errors.NestedTooDeeply(limit=_MAX_FRAMES, span=self.span(nodes[0]))
        after: list[Stmt] = []
        for item in reversed(items):
            if isinstance(item, Frame):
                stmt = self.finish(item, seq(*reversed(after)))
                after = [] if stmt is None else [stmt]
            else:
                after.append(item)
        return seq(*reversed(after))

    def scoped(self, nodes: list[ast.stmt]) -> Stmt:
        """Parse a body in a scope of its own."""
        mark = self.scope.enter()
        stmt = self.body(nodes)
        self.scope.leave_body(mark)
        return stmt

    def open(self, frame: Frame) -> None:
        """Make the rest of the current body the body of a frame."""
        frame.enter(self)
        self.statements.append(frame)

    def finish(self, frame: Frame, body: Stmt) -> Stmt | None:
        """Return the statement of a frame; report errors of its constructor as diagnostics."""
        try:
            return frame.exit(self, body)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise errors.refused(error, frame.span) from error

    # frames of Python code that the function calls

    def emit(self, value: object) -> object:
        """Append a statement that Python code constructs; return any other value."""
        if not isinstance(value, Stmt):
            return value
        self.statements.append(value)
        return None

    def enter_frame(self, opened: Frame | Loops, node: ast.AST) -> object:
        """Open a frame from Python code: statements that follow are its body. Return what `as` binds."""
        frame = LoopFrame(opened, self.span(node)) if isinstance(opened, Loops) else opened
        frame.enter(self)
        name_if_unnamed(frame.value, "buffer" if isinstance(frame.value, Buffer) else "v")
        self.python_frames.append(PythonFrame(opened, frame, self.statements))
        self.statements = []
        return frame.value

    def exit_frame(self, opened: Frame | Loops, node: ast.AST) -> None:
        """Close the frame that Python code opened last in this body. Raises `InvalidOperation`."""
        if not self.python_frames or self.python_frames[-1].opened is not opened:
            reason = "another frame was opened later and is not closed"
            if all(entry.opened is not opened for entry in self.python_frames):
                reason = "this body has not opened it"
            raise errors.InvalidOperation(what="the end of a frame", reason=reason, span=self.span(node))
        body = self.close(self.statements, [node])
        _, frame, self.statements = self.python_frames.pop()
        stmt = self.finish(frame, body)
        if stmt is not None:
            self.statements.append(stmt)

    def make(self, span: Span, cls: Callable[..., object], *args: object) -> Any:
        """Construct a node; report its errors as diagnostics."""
        try:
            return cls(*args, span=span)
        except DiagnosticError:
            raise
        except TVMScriptError as error:
            raise errors.refused(error, span) from error

    # names

    def define(self, name: str, value: object, node: ast.AST) -> None:
        """Define a name in the current scope. Raises `AlreadyDefined`."""
        if not self.scope.define(name, value):
            raise errors.AlreadyDefined(
                name=name, span=self.span(node), hint="variables are immutable: use a new name, or a buffer"
            )

    def assign(self, target: Any, value: object) -> None:
        """Assign a value to a target; `x = expression` introduces a variable."""
        kind = type(target)
        if kind is ast.Name:
            self.define(target.id, self.bound(target.id, value, target), target)
        elif kind in (ast.Tuple, ast.List):
            if isinstance(value, MetaVar):
                value = [MetaVar(item) for item in iterate(self, value.value, target)]
            if not isinstance(value, (tuple, list)):
                if self.closure is None or not hasattr(value, "__iter__"):
                    count = f"{len(target.elts)} name{'s' * (len(target.elts) != 1)}"
                    raise errors.CannotAssign(
                        what=f"{count} for {describe(value)}",
                        span=self.span(target),
                        hint="write one assignment for each name",
                    )
                value = iterate(self, value, target)
            for part, item in unpack(self, target, value):
                self.assign(part, item)
        elif kind is ast.Subscript:
            self.store(target, value, target)
        else:
            raise errors.CannotAssign(what=construct_name(target), span=self.span(target))

    def bound(self, name: str, value: object, node: ast.AST) -> object:
        """Return the value of a name after `name = value`."""
        if isinstance(value, MetaVar):
            if self.closure is None and self.session.limits.is_large(value.value):
                raise errors.ValueTooLarge(what="T.meta_var", span=self.span(node))
            return value.value
        if isinstance(value, Frame) and value.value is not None:
            if isinstance(value, Allocation):
                value.value = self.variable(name, value.value)
            self.open(value)
            self.give_name(value.value, name)
            return value.value
        if isinstance(value, Buffer) or is_unnamed(value):
            if self.is_printed and isinstance(value, Var) and self.blocks:
                value = self.axis(name, value)
            self.give_name(value, name)
            return value
        if isinstance(value, (tuple, list)):
            return type(value)(self.bound(f"{name}_{i}", item, node) for i, item in enumerate(value))
        if isinstance(value, (Expr, int, float, str, BufferRegion)):
            expr = self.as_expr(value, node)
            var = Var(name, expr.dtype, span=self.span(node))
            self.let(var, expr, node)
            return var
        if self.closure is not None or isinstance(value, (Range, IterVar, dict, Builtin, Namespace)):
            return value
        raise errors.CannotAssign(
            what=f"a name for {describe(value)}", span=self.span(node), hint=hints.about_assignment(value)
        )

    def variable(self, name: str, var: Var) -> Var:
        """Return the variable that a name denotes. A printed text may define one variable twice."""
        outer = self.scope.names.get(name)
        if not isinstance(outer, Var) or not self.is_printed:
            return var
        return outer if structural_equal(type_of(outer), type_of(var)) else var

    def axis(self, name: str, var: Var) -> Var:
        """Return the variable of a block axis. A printed text may use it before the axis."""
        axes = self.blocks[-1].iter_vars
        place = next((index for index, axis in enumerate(axes) if axis.var is var), None)
        outer = self.variable(name, var)
        if place is None or outer is var:
            return var
        axes[place] = axes[place].replace(var=outer)
        return outer

    def give_name(self, value: object, name: str) -> None:
        """Name a variable or buffer that has no name yet.

        As in TVM the data and the strides of a buffer are renamed after it, except in a printed text.
        """
        if type(value) is Buffer and value.name == "" and self.names_memory and not self.keeps_names:
            source = self.tree.source
            for part, part_name in buffer_variables(value, name):
                if part.name and part.span is not None and part.span.source is source:
                    rename(part, part_name)
        name_if_unnamed(value, name)

    def let(self, var: Var, value: Expr, node: ast.AST) -> None:
        """Open a LetStmt for the rest of the body."""
        span = self.span(node)
        self.open(Wrapper(var, span, lambda body: LetStmt(var, value, body, span=span)))

    # statements

    def assignment(self, node: ast.Assign) -> None:
        """Parse `target = value`."""
        if len(node.targets) != 1:
            raise errors.UnsupportedSyntax(
                what="a = b = c", span=self.span(node), hint="write one assignment for each name"
            )
        value = node.value
        # an assigned slice is a vector; a slice as an argument is a region
        self.vector_slices = type(value) is ast.Subscript
        result_ = self.value(value)
        self.vector_slices = False
        target = node.targets[0]
        if type(target) is ast.Subscript:
            self.store(target, result_, node)
        elif type(value) is ast.Call and type(target) is ast.Name and self.is_new(result_):
            rename(result_, target.id)
            self.define(target.id, result_, target)
        else:
            self.assign(target, result_)

    def is_new(self, value: object) -> TypeGuard[Var]:
        """Whether a value is a variable that was made with a name here, `T.Var("n", "int64")`, and has no use yet."""
        if not isinstance(value, Var) or value.name == "" or value.span is None:
            return False
        return value.span.source is self.tree.source and all(value is not known for known in self.names.values())

    def store(self, target: Any, value: object, node: ast.AST) -> None:
        """Parse `A[i] = value`."""
        buffer = self.value(target.value)
        if type(buffer) is not Buffer:
            what = f"an element of {describe(buffer)}"
            raise errors.CannotAssign(what=what, span=self.span(target), hint=hints.about_assignment(buffer))
        indices = self.indices(target.slice)
        try:
            self.store_value(buffer, indices, value, node)
        except errors.Refused as error:
            if error.code == WrongRank.code:
                error.span = self.span(target)
            hints.point_at_index(self.tree, error, target.slice, indices)
            raise

    def store_value(self, buffer: Buffer, indices: list[object], value: object, node: ast.AST) -> None:
        """Append a store; a Python number takes the dtype of the buffer."""
        span = self.span(node)
        if isinstance(value, (int, float)) and not isinstance(value, Expr):
            dtype = buffer.dtype
            if isinstance(value, float) and not dtype.is_floating:
                value = self.make(span, _float_to, value, dtype)
            else:
                value = self.make(span, _const, value, dtype)
        else:
            value = self.stored(value, buffer, node)
        self.statements.append(self.make(span, buffer_store, buffer, value, indices))

    def stored(self, value: object, buffer: Buffer, node: ast.AST) -> Expr:
        """Convert the value of a store to an expression. Raises `NotAnExpression`, `WrongType`."""
        written = getattr(node, "value", node)
        expr = value if isinstance(value, Expr) else self.as_expr(value, written)
        dtype = expr.dtype
        if (dtype.is_handle or dtype is VOID) and buffer.dtype is not dtype:
            got = "no value" if dtype is VOID else "a pointer" if isinstance(expr, Var) else repr(expr)
            hint = "annotate the result of the called function: def f(...) -> T.int32:" if dtype is VOID else None
            error = WrongType(where=f"buffer {buffer.name}", expected=buffer.dtype, got=got, hint=hint)
            raise errors.refused(error, self.span(written))
        return expr

    def augmented(self, node: ast.AugAssign) -> None:
        """Parse `target += value`."""
        target = node.target
        if type(target) is ast.Subscript or type(target) is ast.Name:
            before = self.subscript(target) if type(target) is ast.Subscript else self.value(target)
        else:
            raise errors.CannotAssign(what=construct_name(target), span=self.span(target))
        if isinstance(before, BufferRegion):
            before = region_load(before)
        if isinstance(before, Expr):  # its indices also appear in the store
            before = self.guarded(node, "an assignment", rename_definitions, before)
        value = self.value(node.value)
        if isinstance(value, BufferRegion):
            value = region_load(value)
        result = apply(self, node, type(node.op), before, value)
        if type(target) is ast.Subscript:
            self.store(target, result, node)
        else:
            self.assign(target, result)

    def annotated(self, node: ast.AnnAssign) -> None:
        """Parse `x: T.int32 = value`."""
        target = node.target
        if type(target) is not ast.Name:
            raise errors.CannotAssign(what=f"{construct_name(target)} with an annotation", span=self.span(target))
        if node.value is None:
            raise errors.UnsupportedSyntax(
                what="a declaration without a value", span=self.span(node), hint="give it a value: x: T.int32 = 0"
            )
        value = self.value(node.value)
        annotation = self.annotated_value(self.value(node.annotation), node.annotation)
        if not isinstance(annotation, Var):
            where = self.span(node.annotation)
            raise errors.InvalidAnnotation(
                what=describe(annotation), role="variable", span=where, hint=hints.about_annotation(annotation)
            )
        if isinstance(value, (bool, int, float)):
            value = self.make(self.span(node.value), _const, value, annotation.dtype)
        name_if_unnamed(annotation, target.id)
        self.define(target.id, annotation, target)
        self.let(annotation, self.as_expr(value, node.value), node)

    def annotated_value(self, value: object, node: ast.AST) -> object:
        """Convert an annotation to a new variable or buffer."""
        if isinstance(value, (Buffer, Var)):
            return value
        if isinstance(value, Builtin):
            result = self.call_builtin(node, value, [], {})
            return result if isinstance(result, (Buffer, Var)) else value
        annotation = annotation_of(value, self.span(node))
        if isinstance(annotation, Annotation):
            return self.call_builtin(node, annotation.function, list(annotation.args), dict(annotation.kwargs))
        return value

    def expand(self, node: object, macro: Macro, args: list[object], kwargs: dict[str, object]) -> None:
        expand(self, node, macro, args, kwargs)

    def condition(self, condition: Expr, node: ast.expr) -> Expr:
        """Return a scalar bool expression; an integer is compared with 0. Raises `InvalidCondition`."""
        dtype = condition.dtype
        if dtype is BOOL:
            return condition
        if dtype.lanes != 1 or not dtype.is_integer:
            raise errors.InvalidCondition(what=describe(condition), span=self.span(node))
        number: Expr = self.build(self.span(node), operators.ne, condition, 0)
        return number

    def strict_condition(self, condition: Expr, node: ast.expr) -> Expr:
        """Return a scalar bool expression. Raises `InvalidCondition` for a number."""
        if condition.dtype is not BOOL:
            hint = "write != 0 after it" if condition.dtype.is_integer else None
            raise errors.InvalidCondition(what=describe(condition), span=self.span(node), hint=hint)
        return condition

    def expression_statement(self, node: ast.Expr) -> None:
        """Parse an expression statement."""
        self.stand_alone(self.value(node.value), node)

    def stand_alone(self, value: object, node: ast.AST) -> None:
        """Append the statement of an unused value to the current body. Raises `NoStatement`."""
        if value is None or isinstance(value, str):
            return  # the call had its effect; a string is a comment
        if isinstance(value, Frame):
            self.open(value)
        elif isinstance(value, Stmt):
            self.statements.append(value)
        elif isinstance(value, Var) and value.name == "":
            if self.session.check_well_formed:
                return  # TVM prints a size that nothing uses as `T.int64()`
            name_if_unnamed(value, "v")
            self.statements.append(Evaluate(value, span=self.span(node)))
        elif isinstance(value, (Expr, int, float)):
            self.statements.append(Evaluate(self.as_expr(value, node), span=self.span(node)))
        elif value is not Ellipsis:
            raise errors.NoStatement(what=describe(value), span=self.span(node), hint=hints.about_statement(value))

    def assertion(self, node: ast.Assert) -> None:
        """Parse `assert condition, message`."""
        condition = self.strict_condition(self.expr(node.test), node.test)
        message = self.value(node.msg) if node.msg is not None else ""
        if isinstance(message, str):
            message = StringImm(message)
        span = self.span(node)
        if not isinstance(message, StringImm):
            error = WrongType(where="assert", expected="a string as its message", got=describe(message))
            raise errors.refused(error, self.span(node.msg))
        text = message
        self.open(Wrapper(None, span, lambda body: AssertStmt(condition, text, body, span=span)))

    def result(self, node: Any) -> None:
        """Parse `return value`."""
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            raise errors.UnsupportedSyntax(
                what="return without a value",
                span=self.span(node),
                hint="remove it, or put the statements that it skips under an if",
            )
        value = self.expr(node.value)
        ret = self.build(self.span(node), SURFACE["ret"], value)
        self.statements.append(Evaluate(ret, span=self.span(node)))

    def nested_function(self, node: ast.FunctionDef) -> None:
        """Define a nested function: a macro."""
        self.define(node.name, nested_macro(self, node), node)

    def no_statement(self, node: ast.Pass) -> None:
        """Parse `pass`."""


def _const(value: Any, dtype: Any, span: Span) -> Expr:
    return operators.const(value, dtype.element, span)


def _float_to(value: float, dtype: Any, span: Span) -> Expr:
    return operators.cast(dtype.element, operators.const(value, None, span), span)


#: frames in one body
_MAX_FRAMES = 4 * MAX_NESTING

STATEMENTS: dict[type, Handler] = {
    ast.Assign: BodyParser.assignment,
    ast.AugAssign: BodyParser.augmented,
    ast.AnnAssign: BodyParser.annotated,
    ast.For: loop,
    ast.While: while_,
    ast.If: conditional_statement,
    ast.With: with_,
    ast.Expr: BodyParser.expression_statement,
    ast.Assert: BodyParser.assertion,
    ast.Return: BodyParser.result,
    ast.Pass: BodyParser.no_statement,
    ast.FunctionDef: BodyParser.nested_function,
}
BodyParser.handlers = STATEMENTS
