"""Errors of passes over graphs (TS42xx)."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class CannotFuseKernels(IRError, code="TS4210"):
    """A function with the attribute `Primitive` cannot become one kernel: it has bindings other than calls of kernels,
    tuples and their items, or calls a kernel whose body is not a block.
    """

    message = "cannot make the function {name} one kernel: {reason}"
    advice = "remove the attribute Primitive, or run relax.FuseTIR before kernels are lowered"
