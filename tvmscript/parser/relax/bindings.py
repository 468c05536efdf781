"""Bindings of the Relax function being parsed, in A-normal form.

Nested expressions are bound to new variables: `gv`, `gv1`, and `lv` in dataflow blocks, numbered as in TVM.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from tvmscript.ir.core import Span, WrongType, structural_equal
from tvmscript.ir.relax.anf import Normalizer
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, DataflowVar, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.sequence import SequenceBuilder
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.parser.diagnostics.errors import ValueTooLarge
from tvmscript.parser.diagnostics.limits import Limits
from tvmscript.parser.relax.frames import Outputs


class Bindings:
    """The builder that normalization emits to."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: the current sequence
        self.body = SequenceBuilder()
        #: outputs of the current dataflow block
        self.outputs: Outputs | None = None
        #: span of the current statement
        self.place: Span | None = None
        self.normal = Normalizer(self)
        #: declared variables without a binding
        self.ahead: dict[str, Var] = {}
        self._numbers = {"gv": 0, "lv": 0}

    # variables

    def variable(self, target: object, name: str | None, span: Span | None, info: StructInfo | None) -> Var:
        """Create a variable; in a dataflow block it is a DataflowVar unless its target is an output.

        Raises `ValueTooLarge` for struct info that grew from variable to variable.
        """
        if info is not None and not self.limits.takes_node(info):
            raise ValueTooLarge(what="inferring the struct info of a variable", span=span or self.place)
        outputs = self.outputs
        kind = "gv" if outputs is None else "lv"
        number = self._numbers[kind]
        self._numbers[kind] = number + 1
        if name is None:
            name = f"{kind}{number or ''}"
        if outputs is not None and target not in outputs.targets:
            return DataflowVar(name, info, span)
        var = self.declared(name, info) if self.ahead else None
        if var is None:
            var = Var(name, info, span)
        if outputs is not None:
            outputs.variables.append(var)
        return var

    def declared(self, name: str, info: StructInfo | None) -> Var | None:
        """Return the declared variable of this name, if its struct info is the same."""
        var = self.ahead.get(name)
        if var is None or not structural_equal(var.struct_info, info, map_free_vars=False):
            return None
        del self.ahead[name]
        return var

    def bind(
        self, value: RelaxExpr, name: str | None, span: Span, info: StructInfo | None = None, target: object = None
    ) -> Var:
        """Normalize a value and bind it to a new variable. Raises `WrongType`."""
        self.place = span
        return self.bind_normal(self.normal.value(value), name, span, info, target)

    def bind_normal(
        self, value: RelaxExpr, name: str | None, span: Span, info: StructInfo | None = None, target: object = None
    ) -> Var:
        """Bind a value in normal form to a new variable. Raises `WrongType`."""
        value_info = value.struct_info
        if info is None:
            info = value_info
        elif value_info is not None:
            if struct_info_base_check(info, value_info) is BaseCheckResult.FAIL_L0:
                raise WrongType(where="an annotation", expected=value_info, got=info, span=span)
            if type(value) is not Call:
                info = value_info
        var = self.variable(target, name, span, info)
        self.body.bindings.append(VarBinding(var, value, span=span))
        return var

    def bind_cast(
        self, value: RelaxExpr, info: StructInfo, name: str | None, span: Span, annotation: StructInfo | None = None,
        target: object = None,
    ) -> Var:  # fmt: skip
        """Emit a MatchCast. Raises `WrongType` if the annotation contradicts its struct info."""
        if annotation is not None and struct_info_base_check(annotation, info) is BaseCheckResult.FAIL_L0:
            raise WrongType(where="an annotation", expected=info, got=annotation, span=span)
        self.place = span
        held = self.normal.cast_value(value)
        var = self.variable(target, name, span, annotation or info)
        self.body.bindings.append(MatchCast(var, held, info, span=span))
        return var

    def argument(self, value: RelaxExpr, span: Span) -> Any:
        """Normalize a value to an argument, binding it if it is not a leaf."""
        self.place = span
        return self.normal.argument(value)

    # interface of the normalizer

    def emit(self, expr: RelaxExpr, name_hint: str = "") -> Var:
        """Bind an expression nested in the current statement."""
        span = expr.span or self.place
        assert span is not None
        return self.bind_normal(self.normal.value(expr), name_hint or None, span)

    def emit_argument(self, expr: RelaxExpr) -> Var:
        """Bind an expression nested in the current statement."""
        return self.emit(expr)

    def emit_normalized(self, binding: VarBinding | MatchCast) -> None:
        """Append a binding."""
        self.body.bindings.append(binding)

    def begin_block(self, is_dataflow: bool) -> None:
        """Begin a new block."""
        self.body.begin(is_dataflow)

    def current_block_is_dataflow(self) -> bool:
        """Whether the current block is a dataflow block."""
        return self.body.is_dataflow

    def sequence(self, fill: Callable[[], RelaxExpr], params: tuple[Var, ...] = ()) -> SeqExpr:
        """Return a new sequence of the bindings that `fill` emits and the value that it returns."""
        with self.elsewhere():
            return self.finished(self.normal.argument(fill()))

    # sequences

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        """Emit to a new sequence."""
        around = self.body, self.outputs
        self.body, self.outputs = SequenceBuilder(), None
        try:
            yield
        finally:
            self.body, self.outputs = around

    def finished(self, value: RelaxExpr, span: Span | None = None) -> SeqExpr:
        """Return the current sequence with its result."""
        self.body.close()
        return SeqExpr(tuple(self.body.blocks), value, span=span)

    @contextmanager
    def dataflow(self, outputs: Outputs, span: Span) -> Generator[None]:
        """Emit to a dataflow block."""
        body = self.body
        body.close()
        self.outputs, body.is_dataflow = outputs, True
        try:
            yield
        finally:
            self.outputs = None
            body.close(span)
            body.is_dataflow = False
