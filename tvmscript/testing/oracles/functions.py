"""Oracles of functions from programs to programs, such as passes and schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tvmscript.differ import diff
from tvmscript.ir.core import Node
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.testing.oracles.errors import InputChanged, NotCommuting, NotIdempotent

P = TypeVar("P", bound=Node)


def input_unchanged(function: Callable[[P], Any], program: P) -> Any:
    """Apply a function to a program and check that its input is unchanged, also if it fails.

    Raises `InputChanged`.
    """
    before, text = structural_hash(program), program.script()
    try:
        return function(program)
    finally:
        if structural_hash(program) != before or program.script() != text:
            raise InputChanged(function=name_of(function), before=text, after=program.script())


def idempotent(function: Callable[[P], P], program: P) -> P:
    """Apply a function to a program and check that a second run changes nothing. Raises `NotIdempotent`."""
    result = function(program)
    again = function(result)
    difference = first_difference(result, again, map_free_vars=True)
    if difference is not None:
        changes = diff(result, again, names=("once", "twice")).text()
        raise NotIdempotent(function=name_of(function), path=difference.path, reason=difference.reason, changes=changes)
    return result


def commute(first: Callable[[P], P], second: Callable[[P], P], program: P) -> P:
    """Apply two functions to a program in both orders and check that the results are equal. Raises `NotCommuting`."""
    result, other = second(first(program)), first(second(program))
    difference = first_difference(result, other, map_free_vars=True)
    if difference is not None:
        raise NotCommuting(
            first=name_of(first),
            second=name_of(second),
            path=difference.path,
            reason=difference.reason,
            changes=diff(result, other, names=("before", "after")).text(),
        )
    return result


def name_of(function: Any) -> str:
    """A function in a message: the text of a pass, the name of anything else."""
    info = getattr(function, "info", None)
    return str(getattr(info, "text", None) or getattr(function, "__name__", None) or function)
