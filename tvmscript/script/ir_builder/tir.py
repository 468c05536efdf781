"""The names of `tvm.script.ir_builder.tir`: those of `T`, whose frames and statements add to the open builder."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.tir import PrimFunc
from tvmscript.language import T
from tvmscript.parser.frames import Frame as TIRFrame
from tvmscript.script.ir_builder.frames import CallReader, IRBuilder

__all__ = ["PrimFuncFrame", "TIRFrame", "prim_func"]


def __getattr__(name: str) -> Any:
    return FUNCTIONS[name] if name in FUNCTIONS else getattr(T, name)


class PrimFuncFrame:
    """A function that is open."""

    def __init__(self, is_private: bool) -> None:
        self.is_private = is_private
        self._reader = CallReader()

    def __enter__(self) -> PrimFuncFrame:
        IRBuilder.current()
        self._reader.activate()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        reader = self._reader
        reader.deactivate()
        if kind is not None:
            return
        body = reader.with_root(reader.finish_body(), reader.span(None))
        attrs = dict(reader.attrs or {})
        if reader.function_name is not None and not self.is_private:
            attrs["global_symbol"] = reader.function_name
        func = PrimFunc(tuple(reader.params), body, reader.ret_type, reader.buffer_map, attrs)
        IRBuilder.current().define(reader.function_name, func)


def prim_func(is_private: bool = False) -> PrimFuncFrame:
    """Return the frame of a function."""
    return PrimFuncFrame(is_private)
