"""Relax constants of a section `metadata`. Loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.core import DType
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.relax.expr import Constant


def _constant(data: Data, dtype: DType) -> Constant:
    return Constant(data, dtype)


CONSTRUCTORS: Final[dict[str, Callable[..., object]]] = {"constant": _constant}
