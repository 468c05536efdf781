"""The functions of `R` under TVM's names: `tvm.relax.op.add(x, y)`, `tvm.relax.op.nn.relu(x)`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Op
from tvmscript.ir.relax.op import registry as _all
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator

# TVM's paths of modules below this one are found by `tvm_names`
__path__: list[str] = []

#: keeps the import, which registers all operators
OPERATORS = _all


class _Family:
    """Operators with a common prefix of the name."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        full = f"{self._prefix}.{name}"
        operator = Op.registry.get(full)
        if isinstance(operator, Operator):
            function = script_function_of(operator)
            setattr(self, name, function)
            return function
        if any(known.startswith(f"{full}.") for known in Op.registry):
            family = _Family(full)
            setattr(self, name, family)
            return family
        raise AttributeError(f"there is no operator {full}")

    def __dir__(self) -> list[str]:
        begin = f"{self._prefix}."
        return sorted({name[len(begin) :].partition(".")[0] for name in Op.registry if name.startswith(begin)})


class _Operators(_Family):
    """All operators, and functions that call several of them."""

    def linear(self, data: Any, weight: Any, bias: Any = None, out_dtype: Any = None) -> Any:
        """Return data * transposed weight + bias."""
        product = self.matmul(data, self.permute_dims(weight, axes=None), out_dtype=out_dtype)
        return product if bias is None else self.add(product, bias)


op = _Operators("relax")


def __getattr__(name: str) -> Any:
    return getattr(op, name)
