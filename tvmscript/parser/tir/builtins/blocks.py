"""Blocks: axes, accesses, init, predicate, attributes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tvmscript.ir.core import BOOL, DType, Span
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.errors import DTypeMismatch, WrongType
from tvmscript.ir.tir import Block, BlockRealize, Buffer, Expr, Stmt, operators
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, IterKind, IterVar, Range, Var
from tvmscript.ir.tir.slices import range_between, region_of
from tvmscript.parser.builtins.argument_checks import condition_of
from tvmscript.parser.builtins.table import TIR, construct
from tvmscript.parser.diagnostics.errors import InvalidArguments, NotALoopVariable, NotInside
from tvmscript.parser.frames import BlockFrame, InitFrame, KernelReader
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.tir.builtins.constructors import as_dtype


@construct("block", "sblock")
def block(parser: KernelReader, span: Span, name: str = "", no_realize: bool = False) -> BlockFrame:
    """Open a block."""
    if not isinstance(name, str):
        hint = "declare axes in its body: vi = T.axis.spatial(16, i)" if isinstance(name, (list, tuple)) else None
        raise WrongType(where="T.block", expected="a name", got=repr(name), span=span, hint=hint)
    parser.has_blocks = parser.has_blocks or not no_realize
    return BlockFrame(name, not no_realize, span, partial(_finish, parser))


def _finish(parser: KernelReader, frame: BlockFrame, body: Stmt) -> Stmt:
    for axis in frame.iter_vars:
        name_if_unnamed(axis.var, "v")
    new_block: Block = parser.make(
        frame.span,
        Block,
        tuple(frame.iter_vars),
        tuple(frame.reads or ()),
        tuple(frame.writes or ()),
        frame.name,
        body,
        frame.init,
        tuple(frame.alloc_buffers),
        tuple(frame.match_buffers),
        frame.annotations,
    )
    if frame.reads is None or frame.writes is None:
        new_block = parser.with_accesses(new_block, frame.reads is None, frame.writes is None)
    if not frame.realized:
        return new_block
    predicate = frame.predicate if frame.predicate is not None else IntImm(BOOL, 1)
    realized: Stmt = parser.make(frame.span, BlockRealize, tuple(frame.iter_values), predicate, new_block)
    return realized


def current_block(parser: KernelReader, span: Span, what: str) -> BlockFrame:
    """Return the innermost enclosing block. Raises `NotInside`."""
    if not parser.blocks:
        raise NotInside(what=what, place="a block", span=span, hint='open one: with T.block("name"):')
    frame: BlockFrame = parser.blocks[-1]
    return frame


@construct("init")
def init(parser: KernelReader, span: Span) -> InitFrame:
    """Open the initialization of a reduction block."""
    return InitFrame(current_block(parser, span, "T.init"), span)


@construct("where")
def where(parser: KernelReader, span: Span, predicate: object) -> None:
    """Set the predicate of the block."""
    condition = condition_of("T.where", predicate, span)
    current_block(parser, span, "T.where").set_once("T.where", "predicate", condition, span)


@construct("block_attr", "sblock_attr")
def block_attr(parser: KernelReader, span: Span, attrs: Mapping[str, object]) -> None:
    """Set the annotations of the block."""
    if not isinstance(attrs, Mapping):
        raise WrongType(where="T.block_attr", expected="a dict", got=repr(attrs), span=span)
    current_block(parser, span, "T.block_attr").set_once("T.block_attr", "annotations", attributes(attrs), span)


@construct("reads")
def reads(parser: KernelReader, span: Span, *buffer_slices: object) -> None:
    """Set the read regions of the block."""
    frame = current_block(parser, span, "T.reads")
    frame.set_once("T.reads", "reads", _regions("T.reads", buffer_slices, span), span)


@construct("writes")
def writes(parser: KernelReader, span: Span, *buffer_slices: object) -> None:
    """Set the write regions of the block."""
    frame = current_block(parser, span, "T.writes")
    frame.set_once("T.writes", "writes", _regions("T.writes", buffer_slices, span), span)


def _regions(where: str, given: Any, span: Span) -> list[BufferRegion]:
    regions: list[BufferRegion] = []
    for item in given:
        if isinstance(item, BufferRegion):
            regions.append(item)
        elif isinstance(item, BufferLoad):
            regions.append(region_of(item))
        elif isinstance(item, (tuple, list)):
            regions += _regions(where, item, span)
        else:
            hint = f"write {item.name}[...] with the indices" if isinstance(item, Buffer) else None
            raise WrongType(
                where=where, expected="elements or regions of buffers", got=_kind(item), span=span, hint=hint
            )
    return regions


def _kind(item: object) -> str:
    return f"the buffer {item.name}" if isinstance(item, Buffer) else repr(item)


def _domain(dom: object, span: Span) -> Range:
    if isinstance(dom, Range):
        return dom
    if isinstance(dom, (tuple, list)):
        if len(dom) != 2:
            raise WrongType(where="an axis", expected="(begin, end)", got=repr(dom), span=span)
        return range_between(dom[0], dom[1], span)
    extent = operators.as_expr(dom, None, span)
    if not extent.dtype.is_integer or extent.dtype.lanes != 1:
        raise WrongType(where="an axis", expected="an integer as its extent", got=repr(dom), span=span)
    return Range.from_min_extent(IntImm(extent.dtype, 0, span), extent, span=span)


def _axis(kind: IterKind) -> Any:
    def build(parser: KernelReader, span: Span, dom: object, binding: object = None, dtype: object = "int32") -> Var:
        frame = current_block(parser, span, "an axis")
        domain = _domain(dom, span)
        if binding is None and frame.realized:
            hint = f"give its value: ({domain.extent}, i) with the variable i of a loop"
            raise InvalidArguments(function="an axis", reason="missing the argument binding", span=span, hint=hint)
        value = domain.min if binding is None else operators.as_expr(binding, None, span)
        if not value.dtype.is_integer or value.dtype.lanes != 1:
            raise WrongType(where="an axis", expected="an integer value", got=value.dtype, span=span)
        wanted = as_dtype(dtype)
        bits = max(domain.min.dtype.bits, domain.extent.dtype.bits, wanted.bits)
        wide = wanted if wanted.bits == bits else DType(f"{wanted.code}{bits}")
        if domain.extent.dtype is not wide:
            raise DTypeMismatch(where="an axis", left=domain.extent.dtype, right=wide, span=span)
        return _push(frame, domain, value, Var("", wide, None, span), kind, span)

    build.__doc__ = "Add an axis to the block: its domain, and its binding."
    return build


def _push(frame: BlockFrame, domain: Range, value: Expr, var: Var, kind: IterKind, span: Span) -> Var:
    frame.iter_vars.append(IterVar(domain, var, kind, span=span))
    frame.iter_values.append(value)
    return var


_KINDS = {"S": IterKind.DATA_PAR, "R": IterKind.COMM_REDUCE}


def _remap(parser: KernelReader, span: Span, kinds: str, bindings: object, dtype: object = "int32") -> object:
    """Add one axis for each letter (S: spatial, R: reduction), bound to loop variables."""
    frame = current_block(parser, span, "T.axis.remap")
    bindings = bindings if isinstance(bindings, (tuple, list)) else [bindings]
    if not isinstance(kinds, str) or len(kinds) != len(bindings):
        raise WrongType(
            where="T.axis.remap",
            expected=f"one letter, S or R, for each of its {len(bindings)} bindings",
            got=repr(kinds),
            span=span,
        )
    axes: list[Var] = []
    for letter, binding in zip(kinds, bindings, strict=True):
        if letter not in _KINDS:
            raise WrongType(where="T.axis.remap", expected="the letters S and R", got=repr(letter), span=span)
        if not isinstance(binding, Var) or binding not in parser.loop_ranges:
            what = binding.name if isinstance(binding, Var) else "the value"
            raise NotALoopVariable(what=what, span=span, hint="use T.axis.spatial(extent, value) for other values")
        domain, var = parser.loop_ranges[binding], Var("", binding.dtype, None, span)
        axes.append(_push(frame, domain, binding, var, _KINDS[letter], span))
    return axes[0] if len(axes) == 1 else axes


_AXES = {
    "spatial": _axis(IterKind.DATA_PAR),
    "S": _axis(IterKind.DATA_PAR),
    "reduce": _axis(IterKind.COMM_REDUCE),
    "R": _axis(IterKind.COMM_REDUCE),
    "scan": _axis(IterKind.ORDERED),
    "opaque": _axis(IterKind.OPAQUE),
    "remap": _remap,
}
TIR["axis"] = Namespace(
    "T.axis", {name: Builtin(f"T.axis.{name}", function, needs_kernel=True) for name, function in _AXES.items()}
)
