"""Signatures that users see: without the parser and the span, with the types of the stubs."""

from __future__ import annotations

import inspect

import pytest

from tvmscript import T

SIGNATURES = {
    # operators: a dtype behind the arguments, or before them
    "exp": "(x: Value, *, dtype: DTypeLike | None = None) -> Expr",
    "fma": "(x: Value, y: Value, z: Value, *, dtype: DTypeLike | None = None) -> Expr",
    "address_of": "(buffer_load: Argument, *, dtype: DTypeLike | None = None) -> Expr",
    "call_extern": "(dtype: DTypeLike, func_name: Argument, *args: Argument) -> Expr",
    "tvm_stack_alloca": "(dtype_str: Argument, num: Argument, *, dtype: DTypeLike | None = None) -> Expr",
    "ptx_cp_async": "(dtype: DTypeLike, shared_ptr: Argument, shared_offset: Argument, global_ptr: Argument, "
    "global_offset: Argument, bytes: Argument, predicate: Argument | None = None) -> Expr",
    # functions
    "min": "(a: Value, b: Value) -> Expr",
    "grid": "(*extents: Value) -> Loops",
    "block": "(name: str = '', no_realize: bool = False) -> Scope",
    # parameters that only `*args` of the source stand for
    "call_intrin": "(dtype: DTypeLike, func_name: str, *args: Argument) -> Expr",
    "reinterpret": "(dtype: DTypeLike, value: Value) -> Expr",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name: str) -> None:
    assert str(inspect.signature(getattr(T, name))) == SIGNATURES[name]


def test_defaults_stand_behind_each_other() -> None:
    """Python does not take a parameter without a default behind one with a default."""
    for name in dir(T):
        function = getattr(T, name)
        if not callable(function) or isinstance(function, type):
            continue
        parameters = inspect.signature(function).parameters.values()
        positional = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
        given = [each.default is each.empty for each in positional]
        assert given == sorted(given, reverse=True), name


def test_documentation_of_operators() -> None:
    assert T.exp.__doc__ == "e to the power of x."
