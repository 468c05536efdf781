"""Code generators of graphs and what they return are global functions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from typing import Any

from tvmscript.backends.runtime import global_functions
from tvmscript.ir.relax.transform.fusion import run_codegen


def _find_codegen(name: str, /) -> Any:
    return global_functions.find(f"relax.ext.{name}")


def _register_implementation(symbol: str, function: Callable[..., Any], /) -> str:
    names = chain([symbol], (f"{symbol}_{number}" for number in count(1)))
    name = next(name for name in names if global_functions.find(name) is None)
    global_functions.register(name, function)
    return name


run_codegen.find_codegen.fill(_find_codegen)
run_codegen.register_implementation.fill(_register_implementation)
