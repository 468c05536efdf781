"""Fragments: matrices in the registers of the 128 threads of a warpgroup."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import Buffer
from tvmscript.parser.builtins.argument_checks import integer, text
from tvmscript.parser.frames import KernelReader
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.buffer_views import view
from tvmscript.parser.v0_27.buffers import alloc_buffer
from tvmscript.parser.v0_27.tensor_core_layouts import fragment

_THREADS = 128


def alloc_tcgen05_ldst_frag(
    parser: KernelReader, span: Span, instr_shape: object, tensor_shape: object, dtype: object
) -> Buffer:
    """Allocate the registers that `tcgen05.ld` of a shape fills with a matrix."""
    where = "T.alloc_tcgen05_ldst_frag"
    shape = _matrix(where, tensor_shape)
    layout = fragment(where, text(where, instr_shape), shape, as_dtype(dtype))
    return _registers(parser, span, shape, dtype, layout)


def alloc_cast_frag(parser: KernelReader, span: Span, src: Buffer, dtype: object) -> Buffer:
    """Allocate registers like those of a fragment, with elements of another dtype."""
    return _registers(parser, span, _matrix("T.alloc_cast_frag", src.shape), dtype, src.layout)


def _matrix(where: str, shape: object) -> tuple[int, int]:
    if not isinstance(shape, (tuple, list)) or len(shape) != 2:
        raise WrongType(where=where, expected="two dimensions", got=repr(shape))
    rows, columns = shape
    return integer(where, rows), integer(where, columns)


def _registers(parser: KernelReader, span: Span, shape: tuple[int, int], dtype: object, layout: object) -> Buffer:
    """Allocate the registers of a thread, and declare the matrix that those of all threads hold."""
    rows, columns = shape
    flat = alloc_buffer(parser, span, (rows * columns // _THREADS,), dtype, scope="local")
    parser.open(flat)
    return view(flat.value, parser, span, rows, columns, layout=layout)


#: names of `T`
FRAGMENTS: Final[dict[str, object]] = {
    function.__name__: Builtin(f"T.{function.__name__}", function, True)
    for function in (alloc_tcgen05_ldst_frag, alloc_cast_frag)
}
