"""The layout and the address of a declared buffer of 0.27."""

from __future__ import annotations

from tvmscript.ir.core import Span, WrongType
from tvmscript.parser.builtins.argument_checks import extent_of
from tvmscript.parser.tir.buffer_spec import BufferSpec, shape_of


def placed(spec: BufferSpec, layout: object, allocated_addr: object, span: Span | None) -> BufferSpec:
    """Return the declaration with a layout and an address in memory. Raises `WrongType`."""
    if layout is None:
        spec = spec._replace(is_flat=True)
    elif layout != "default":
        from tvmscript.ir.tir.tile import ComposeLayout, TileLayout, is_row_major

        if not isinstance(layout, (TileLayout, ComposeLayout)):
            raise WrongType(where="layout", expected="a layout", got=repr(layout), span=span)
        if not is_row_major(layout, shape_of(spec.shape, span)):
            spec = spec._replace(layout=layout)
    if allocated_addr not in (None, [], ()):
        places = allocated_addr if isinstance(allocated_addr, (tuple, list)) else (allocated_addr,)
        spec = spec._replace(allocated_addr=tuple([extent_of("allocated_addr", item, span) for item in places]))
    return spec
