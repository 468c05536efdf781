"""Values of the graph level in a section `metadata`; it is loaded when a section has the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core.constant_data import Data
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.relax.expr import Constant


def _constant(data: Data, dtype: DType) -> Constant:
    return Constant(data, dtype)


#: what is made -> how
MAKERS: Final[dict[str, Callable[..., Any]]] = {"constant": _constant}
