"""External functions that a module names: their names, types and calls; two of one name are an error."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.relax.expr import ExternFunc

MODULE = """
@I.ir_module
class Module:
    first = R.ExternFunc("one", R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32")))
    {name} = R.ExternFunc("two")

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = cls.first(x)
        return y
"""


def test_members() -> None:
    module = tvmscript.from_source(MODULE.format(name="second"))
    assert isinstance(module, IRModule)
    externs = {var.name_hint: func for var, func in module.items() if isinstance(func, ExternFunc)}
    assert {name: func.global_symbol for name, func in externs.items()} == {"first": "one", "second": "two"}
    assert str(module["main"].ret_struct_info) == 'R.Tensor((4,), dtype="float32")'
    assert tvmscript.from_source(module.script()).script() == module.script()


@pytest.mark.parametrize("name", ["first", "main"])
def test_names_are_given_once(name: str) -> None:
    with pytest.raises(TVMScriptError, match=f"{name} is defined twice|already"):
        tvmscript.from_source(MODULE.format(name=name))
