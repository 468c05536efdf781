"""Errors of tensor expressions and their schedules."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class InvalidCompute(IRError, ValueError, code="TS1401"):
    """The function of a `te.compute` has other parameters than the tensor has dimensions, or optional ones."""

    message = "te.compute({name}): the function takes {got}, but the tensor has {expected}"


class InvalidReduction(IRError, ValueError, code="TS1402"):
    """A reduction is a part of an expression, or the outputs of one `te.compute` are reduced in different ways. A
    reduction is the whole value of a `te.compute`: name it as a tensor of its own.
    """

    message = "te.compute({name}): {reason}"
    advice = "compute the reduction as a tensor of its own"


class InvalidGenerator(IRError, ValueError, code="TS1403"):
    """A generator in `te.sum(... for k in range(K))` does something with an axis of which a reduction can not be made.
    Its `for` clauses go over `range`; its conditions hold for all elements that count: `if a if b`, `if a and b`.
    """

    message = "a generator of te.{name}: {reason}"


class InvalidOperation(IRError, ValueError, code="TS1404"):
    """The tensors and buffers that make up an operation do not go together."""

    message = "te.{where}: {reason}"


class NotAnArgument(IRError, ValueError, code="TS1405"):
    """A function is created of tensors, and a placeholder that they read is not among its arguments."""

    message = "{where}: the tensors read the placeholder {name}, which is no argument"
    advice = "add {name} to the arguments"


class InvalidSchedule(IRError, ValueError, code="TS1406"):
    """A primitive of a TE schedule gets an axis or a stage that it does not apply to, or the stages do not nest."""

    message = "{where}: {reason}"


class CannotDifferentiate(IRError, ValueError, code="TS1407"):
    """`te.gradient` meets an operation or an expression without a derivative: a scan, a tuple reduction, a reduction
    other than a sum, product, maximum or minimum, a function without a rule.
    """

    message = "te.gradient cannot differentiate {what}: {reason}"
