"""The names of `I`."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript import I
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.core.module import VDevice

INFOS = """I.module_global_infos({
        "vdevice": [I.vdevice("llvm"), I.vdevice("cuda -arch=sm_80", 1), I.vdevice("llvm", 2)]
    })"""


def module(statement: str, infos: str = INFOS) -> str:
    return f"""@I.ir_module
class M:
    {infos}
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        {statement}
        A[0] = 1.0
"""


def attribute(text: str) -> Any:
    program = tvmscript.from_source(text)
    assert isinstance(program, tvmscript.IRModule)
    made: Any = program["f"]
    return made.attrs["d"]


@pytest.mark.parametrize(
    ("asked", "number"), [('"cuda", 0', 1), ('"llvm", 0', 0), ('"llvm", 1', 2), ('"vdevice", 1', 1)]
)
def test_devices_are_looked_up(asked: str, number: int) -> None:
    found = attribute(module(f'T.func_attr({{"d": I.lookup_vdevice({asked})}})'))
    assert isinstance(found, VDevice)
    assert found.vdevice_id == number


@pytest.mark.parametrize("asked", ['"cuda", 1', '"rocm", 0', '"llvm", -1', '"llvm"'])
def test_unknown_devices(asked: str) -> None:
    with pytest.raises(DiagnosticError, match="no virtual device named"):
        tvmscript.from_source(module(f'T.func_attr({{"d": I.lookup_vdevice({asked})}})'))


@pytest.mark.oracle
def test_devices_as_in_tvm(oracle: Any) -> None:
    text = module('T.func_attr({"d": I.lookup_vdevice("llvm", 1)})', 'I.module_global_infos({"vdevice": ['
                  'I.vdevice({"kind": "c", "keys": ["cpu"]}), I.vdevice({"kind": "c", "keys": ["cpu"]}, 1)]})').replace(
        '"llvm", 1', '"c", 1'
    )  # fmt: skip
    assert tvmscript.from_source(text).script() == oracle.print(text).rstrip("\n")


@pytest.mark.parametrize(("written", "printed"), [("I.Range(4)", "I.Range(0, 4)"), ("I.Range(2, 5)", "I.Range(2, 5)")])
def test_ranges(written: str, printed: str) -> None:
    text = f'@I.ir_module\nclass M:\n    I.module_attrs({{"r": {written}}})\n'
    assert f'"r": {printed}' in tvmscript.from_source(text).script()
    assert str(I.Range(4).extent) == "4"


@pytest.mark.parametrize("name", ["IRModuleFrame", "decl_function", "def_function"])
def test_names_of_the_builder_are_refused(name: str) -> None:
    with pytest.raises(DiagnosticError, match="IRBuilder"):
        tvmscript.from_source(module(f'T.evaluate(I.{name}("f", 1))'))


def test_statements_of_modules_have_no_place_in_functions() -> None:
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(module('I.module_attrs({"a": 1})'))
    assert "module" in str(caught.value)
