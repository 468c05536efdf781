"""Bindings of a function of the graph level that is being read, in normal form.

What is nested in the text is bound to variables of its own: `gv`, `gv1`, in dataflow blocks `lv`, numbered as in TVM.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.anf import Normalizer
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, DataflowVar, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.sequence import SequenceBuilder
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.parser.relax.frames import Outputs


class Bindings:
    """What was read of a function: the builder that normalization emits to."""

    def __init__(self) -> None:
        #: the sequence that is being read
        self.body = SequenceBuilder()
        #: of the dataflow block that is being read
        self.outputs: Outputs | None = None
        #: where the statement stands that is being read
        self.place: Span | None = None
        self.normal = Normalizer(self)
        #: variables that were declared and that nothing has bound yet
        self.ahead: dict[str, Var] = {}
        self._numbers = {"gv": 0, "lv": 0}

    # variables

    def variable(self, target: Any, name: str | None, span: Span | None, info: StructInfo | None) -> Var:
        """A new variable; one in a dataflow block is an output where its target is among them."""
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
            outputs.made.append(var)
        return var

    def declared(self, name: str, info: StructInfo | None) -> Var | None:
        """The variable of this name that was declared before, where the same is known of it."""
        var = self.ahead.get(name)
        if var is None or not structural_equal(var.struct_info, info, map_free_vars=False):
            return None
        del self.ahead[name]
        return var

    def bind(
        self, value: RelaxExpr, name: str | None, span: Span, info: StructInfo | None = None, target: Any = None
    ) -> Var:
        """Bind a value to a new variable; what is nested in it is bound before. Raises `WrongType`."""
        self.place = span
        return self.bind_normal(self.normal.value(value), name, span, info, target)

    def bind_normal(
        self, value: RelaxExpr, name: str | None, span: Span, info: StructInfo | None = None, target: Any = None
    ) -> Var:
        """Bind a value with nothing nested in it."""
        known = value.struct_info
        if info is None:
            info = known
        elif known is not None:
            if struct_info_base_check(info, known) is BaseCheckResult.FAIL_L0:
                raise WrongType(where="an annotation", expected=known, got=info, span=span)
            if type(value) is not Call:
                info = known
        var = self.variable(target, name, span, info)
        self.body.bindings.append(VarBinding(var, value, span=span))
        return var

    def bind_cast(
        self, value: RelaxExpr, info: StructInfo, name: str | None, span: Span, annotation: StructInfo | None = None,
        target: Any = None,
    ) -> Var:  # fmt: skip
        """Bind a value of which more is known from here on. Raises `WrongType` for an annotation that it cannot be."""
        if annotation is not None and struct_info_base_check(annotation, info) is BaseCheckResult.FAIL_L0:
            raise WrongType(where="an annotation", expected=info, got=annotation, span=span)
        self.place = span
        held = self.normal.cast_value(value)
        var = self.variable(target, name, span, annotation or info)
        self.body.bindings.append(MatchCast(var, held, info, span=span))
        return var

    def argument(self, value: RelaxExpr, span: Span) -> Any:
        """A value as an argument: what is computed gets a variable."""
        self.place = span
        return self.normal.argument(value)

    # what normalization asks of a builder

    def emit(self, expr: RelaxExpr, name_hint: str = "") -> Var:
        """Bind what is nested in the statement that is being read."""
        span = expr.span or self.place
        assert span is not None
        return self.bind_normal(self.normal.value(expr), name_hint or None, span)

    def emit_normalized(self, binding: VarBinding | MatchCast) -> None:
        """Take a binding as it is."""
        self.body.bindings.append(binding)

    def begin_block(self, is_dataflow: bool) -> None:
        """The block that is being read ends, and one of this kind begins."""
        self.body.begin(is_dataflow)

    def current_block_is_dataflow(self) -> bool:
        """Whether a dataflow block is being read."""
        return self.body.is_dataflow

    def sequence(self, fill: Callable[[], RelaxExpr], params: tuple[Var, ...] = ()) -> SeqExpr:
        """A sequence of its own: what `fill` emits, and the value that it returns."""
        with self.elsewhere():
            return self.finished(self.normal.argument(fill()))

    # sequences

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        """What is read goes to a sequence of its own."""
        around = self.body, self.outputs
        self.body, self.outputs = SequenceBuilder(), None
        try:
            yield
        finally:
            self.body, self.outputs = around

    def finished(self, value: RelaxExpr, span: Span | None = None) -> SeqExpr:
        """What was read as a sequence that leads to a value; `span` is where the value is, if it has a line alone."""
        self.body.close()
        return SeqExpr(tuple(self.body.blocks), value, span=span)

    @contextmanager
    def dataflow(self, outputs: Outputs, span: Span) -> Generator[None]:
        """What is read is a dataflow block."""
        body = self.body
        body.close()
        self.outputs, body.is_dataflow = outputs, True
        try:
            yield
        finally:
            self.outputs = None
            body.close(span)
            body.is_dataflow = False
