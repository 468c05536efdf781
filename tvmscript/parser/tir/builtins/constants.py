"""Constant memory: `T.allocate_const`."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.core import Span
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.tir import AllocateConst
from tvmscript.ir.tir.expr import Var, pointer_to
from tvmscript.parser.builtins.table import construct
from tvmscript.parser.frames import Allocation, KernelReader, Wrapper
from tvmscript.parser.tir.buffer_spec import shape_of
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.tir.constant_data import constant_array


@construct("allocate_const")
def allocate_const(
    parser: KernelReader,
    span: Span,
    data: object,
    dtype: object,
    extents: object,
    annotations: Mapping[str, object] | None = None,
) -> Wrapper:
    """Allocate constant memory for the body."""
    shape = shape_of(extents, span)
    element = as_dtype(dtype)
    var = Var("", pointer_to(element), None, span)
    array = constant_array(data, element, shape, span)
    attrs = attributes(annotations)
    frame = Allocation(
        var, span, lambda body: AllocateConst(frame.value, element, shape, array, body, attrs, span=span)
    )
    return frame
