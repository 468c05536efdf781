"""Errors of integer arithmetic."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class NotInvertible(IRError, code="TS4010"):
    """The inverse of an index map that is not injective over the given shape, or not affine."""

    message = "the index map {index_map} has no inverse over this shape: {reason}"


class AlreadyBound(IRError, code="TS4011"):
    """A variable of an analyzer has one range or one value. `allow_override=True` replaces it."""

    message = "{var} is bound to {known} already, and cannot be bound to {given}"


class TooManySteps(IRError, code="TS4012"):
    """An analyzer exceeded its limit of steps. The option `max_simplification_steps` of passes sets a limit."""

    message = "more than {limit} steps of simplification are needed"


class InvalidLayout(IRError, code="TS4013"):
    """A named layout is not valid, or does not fit: `NCHW16c` has each axis once, as a capital, and inner axes with
    factors behind the axes that they split. Two layouts convert into each other if they have the same axes.
    """

    message = "the layout '{layout}' does not fit: {reason}"
