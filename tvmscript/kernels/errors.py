"""Errors of kernels that are written as programs."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class NoSuchKernel(IRError, ValueError, code="TS6508"):
    """A kernel of `tvmscript.kernels` is asked for with sizes that its program does not have: heads of another size
    than its tiles, heads of queries that do not share those of keys evenly, more of them than registers have room for.
    """

    message = "{kernel} has no kernel for {given}: {reason}"
