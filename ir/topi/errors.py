"""Errors of the operator inventory."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class InvalidOperand(IRError, ValueError, code="TS1451"):
    """The tensors, shapes and options that an operator of `topi` gets do not go together."""

    message = "topi.{where}: {reason}"
