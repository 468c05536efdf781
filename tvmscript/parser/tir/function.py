"""Parser of PrimFuncs."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tvmscript.ir.core import VOID, GlobalVar, PrimType, Span, TVMScriptError, Type, WrongType
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt
from tvmscript.ir.tir.errors import UndetectableAccess
from tvmscript.ir.tir.expr import IterVar, Var, type_of
from tvmscript.ir.tir.stmt import Block, BlockRealize, infer_regions
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, MissingAnnotation, refused
from tvmscript.parser.diagnostics.hints import about_annotation
from tvmscript.parser.diagnostics.poison import POISON
from tvmscript.parser.diagnostics.recovery import report_error
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.python.annotations import parameters_of, written_annotation
from tvmscript.parser.reader import Session
from tvmscript.parser.source.dialect import has_root_block_comment
from tvmscript.parser.tir.body import BodyParser
from tvmscript.parser.tir.root_block import add_root_block


def check_global_symbol(symbol: object, private: bool, span: Span) -> None:
    """Check `global_symbol`: a string, and not set for a private function. Raises `WrongType`."""
    if private:
        hint = "remove private=True or global_symbol"
        raise WrongType(where="a private function", expected="no global_symbol", got=symbol, span=span, hint=hint)
    if not isinstance(symbol, str):
        raise WrongType(where="global_symbol", expected="a string", got=symbol, span=span)


class FunctionParser(BodyParser):
    """Parses one PrimFunc."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.thread_axes: dict[Var, IterVar] = {}
        #: extents of the launched thread axes
        self.launched: dict[Var, Expr] = {}
        self.params: list[Var] = []
        self.buffer_map: dict[Var, Buffer] = {}
        self.attrs: dict[str, object] | None = None
        self.root_buffers: list[Buffer] = []
        #: cache of `visible_buffers`: buffers of the function, and how many of `root_buffers` are included
        self.known_buffers: dict[Var, Buffer] = {}
        self.known_roots = 0
        self.has_blocks = False
        #: outermost blocks with inferred regions -> the block as written; blocks whose regions cannot be inferred
        self.as_written: dict[Block, Block] = {}
        self.failed_access: dict[Block, TVMScriptError] = {}
        self.function_name: str | None = None
        self.ret_type: Type | None = None
        #: whether the text shows its root block; a printer may write a comment instead
        self.shows_root = False
        #: function of the module -> its result type
        self.signatures: Mapping[str, object] = {}

    # functions

    def read(self, node: ast.FunctionDef, private: bool = False) -> PrimFunc:
        """Parse a function definition. Raises `Reported`."""
        before = self.session.report.count
        span = self.tree.heading(node)
        self.function_name = node.name
        mark = self.scope.enter()
        if node.returns is not None:
            try:
                self.ret_type = self.return_type(node.returns)
            except TVMScriptError as error:
                report_error(self, node.returns, error)
        self.parameters(node)
        body = self.body(node.body)
        self.scope.leave(mark)
        if self.session.report.count > before:
            raise Reported
        attrs = dict(self.attrs or {})
        if "global_symbol" in attrs:
            check_global_symbol(attrs["global_symbol"], private, span)
        elif not private:
            attrs["global_symbol"] = self.function_name
        self.shows_root = self.is_printed and not has_root_block_comment(self.tree, node)
        body = self.with_root(body, span)
        try:
            return PrimFunc(tuple(self.params), body, self.ret_type, self.buffer_map, attrs, span=span)
        except TVMScriptError as error:
            raise refused(error, span) from error

    def return_type(self, node: ast.expr) -> Type | None:
        """Parse a result type. Raises `InvalidAnnotation`."""
        value = self.value(node)
        if value is None:
            return None
        value = self.annotated_value(value, node)
        if isinstance(value, Var):
            return type_of(value)
        if isinstance(value, Type):
            return value
        raise InvalidAnnotation(what=describe(value), role="result", span=self.span(node), hint=about_annotation(value))

    def parameters(self, node: ast.FunctionDef) -> None:
        """Parse the parameters of a function."""
        for arg in parameters_of(self, node):
            try:
                self.parameter(node.name, arg)
            except TVMScriptError as error:
                report_error(self, arg, error)
                self.scope.replace(arg.arg, POISON)

    def parameter(self, function: str, arg: ast.arg) -> None:
        """Parse one parameter."""
        if arg.annotation is None:
            wrong = "remove self: functions of a module do not have it"
            hint = wrong if arg.arg == "self" else f'write {arg.arg}: T.Buffer(shape, "float32") or T.int32'
            raise MissingAnnotation(name=arg.arg, span=self.span(arg), hint=hint)
        value = self.annotated_value(self.annotation(function, arg), arg.annotation)
        self.add_parameter(arg.arg, value, self.span(arg.annotation))
        self.define(arg.arg, value, arg)

    def annotation(self, function: str, arg: ast.arg) -> object:
        """Evaluate the annotation of a parameter."""
        return written_annotation(self, function, arg)

    def add_parameter(self, name: str, value: object, span: Span) -> None:
        """Add a variable or a buffer as the next parameter. Raises `InvalidAnnotation`."""
        if isinstance(value, Buffer):
            name_if_unnamed(value, name)
            handle = Var(f"{name}_handle", "handle", span=value.span)
            self.params.append(handle)
            self.buffer_map[handle] = value
        elif isinstance(value, Var):
            name_if_unnamed(value, name)
            self.params.append(value)
        else:
            raise InvalidAnnotation(what=describe(value), role="parameter", span=span, hint=about_annotation(value))

    def with_accesses(self, block: Block, reads: bool, writes: bool) -> Block:
        """Return a block with inferred read or write regions. The root block gets none."""
        may_be_root = not self.blocks and not block.iter_vars
        try:
            regions = infer_regions.call(block, self.visible_buffers())
        except UndetectableAccess as error:
            if not may_be_root:
                raise refused(error, self.block_span(block)) from error
            self.failed_access[block] = error
            return block
        completed = block.replace(
            reads=regions[0] if reads else block.reads, writes=regions[1] if writes else block.writes
        )
        if may_be_root:
            self.as_written[completed] = block
        return completed

    def visible_buffers(self) -> dict[Var, Buffer]:
        """Return data variable -> buffer for the buffers in scope."""
        visible = self.known_buffers
        for buffer in (*self.buffer_map.values(), *self.root_buffers[self.known_roots :]):
            visible[buffer.data] = buffer
        self.known_roots = len(self.root_buffers)
        inner = [*self.open_buffers, *[buffer for outer in self.blocks for buffer in outer.alloc_buffers]]
        inner += [match.buffer for outer in self.blocks for match in outer.match_buffers]
        return {**visible, **{buffer.data: buffer for buffer in inner}} if inner else visible

    @staticmethod
    def block_span(block: Block) -> Span:
        """Return the span of a block."""
        assert block.span is not None
        return block.span

    def with_root(self, body: Stmt, span: Span) -> Stmt:
        """Wrap a body with blocks or allocations in a root block; a root block in the text keeps its regions."""
        stmt = add_root_block(body, tuple(self.root_buffers), self.has_blocks and not self.shows_root, span)
        root = stmt.block if isinstance(stmt, BlockRealize) else stmt
        for block, error in self.failed_access.items():
            if block is not root:
                raise refused(error, self.block_span(block)) from error
        if isinstance(root, Block) and root in self.as_written:
            root = self.as_written[root]
            return stmt.replace(block=root) if isinstance(stmt, BlockRealize) else root
        return stmt

    def result_dtype(self, function: GlobalVar) -> str:
        ret_type = self.signatures.get(function.name_hint)
        return ret_type.dtype if isinstance(ret_type, PrimType) else VOID
