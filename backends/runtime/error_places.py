"""Places in a program's text of the errors that its compiled code raises."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError, KernelAssertion
from tvmscript.ir.core import Span, nodes
from tvmscript.ir.tir import AssertStmt, PrimFunc, StringImm


def locate(error: ExecutionError, func: PrimFunc) -> None:
    """Tell an error of compiled code where in the program's text it comes from."""
    if error.span is None:
        error.span = _assertion(error.text, func) if isinstance(error, KernelAssertion) else _parameter(error, func)


def _assertion(text: str, func: PrimFunc) -> Span | None:
    """Return the assertion with this message; None where several have it."""
    spans = [
        node.span
        for node in nodes(func.body)
        if isinstance(node, AssertStmt) and isinstance(node.message, StringImm) and node.message.value == text
    ]
    return spans[0] if len(spans) == 1 else None


def _parameter(error: ExecutionError, func: PrimFunc) -> Span | None:
    """Return the parameter that an error is about, the function where it names none."""
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if error.facts.get("name") == (param.name if buffer is None else buffer.name):
            return param.span if buffer is None else buffer.span
    return func.span
