"""Tensors over devices: meshes by name, constants, what operators give, what is refused. The text is that of TVM in
`tests/cases/relax/distributed.py`.
"""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import ObjectStructInfo

MESH = "R.device_mesh((2,), R.Range(0, 2))"
X = f'x: R.DTensor((4, 8), "float32", {MESH}, "S[0]")'


def result(*lines: str, head: str = X) -> Function:
    text = f"@R.function\ndef main({head}):\n" + "".join(f"    {line}\n" for line in lines)
    made = tvmscript.from_source(text)
    assert isinstance(made, Function)
    again = tvmscript.from_source(made.script())
    assert structural_equal(made, again)
    assert again.script() == made.script()
    return made


def refused(*lines: str, head: str = X) -> tvmscript.DiagnosticError:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        result(*lines, head=head)
    return caught.value


def test_element_by_element_the_result_is_spread_as_the_arguments_are() -> None:
    func = result("return R.nn.relu(R.add(x, x))")
    assert structural_equal(func.ret_struct_info, func.params[0].struct_info)


def test_other_operators_give_what_an_annotation_says() -> None:
    said = f'R.DTensor((4, 4), "float32", {MESH}, "R")'
    func = result(f"y: {said} = R.matmul(x, w)", "return y", head=f'{X}, w: R.DTensor((8, 4), "float32", {MESH}, "R")')
    assert isinstance(func.ret_struct_info, DTensorStructInfo)
    assert isinstance(result("return R.sum(x)").ret_struct_info, ObjectStructInfo)


def test_constants_over_devices() -> None:
    func = result(
        f'c = R.dist.const([1.0, 2.0], R.DTensor((2,), "float32", {MESH}, "S[0]"))',
        f'd = R.dist.const(1.5, R.DTensor((), "float32", {MESH}, "R"))',
        "return (c, d)",
    )
    values = [item.value for item in func.body.blocks[0].bindings]  # type: ignore[attr-defined]
    assert all(isinstance(value, Constant) and isinstance(value.struct_info, DTensorStructInfo) for value in values)
    assert 'R.dist.const(1.5, R.DTensor((), "float32"' in func.script()
    assert 'R.dist.const(metadata["relax.expr.Constant"][0], R.DTensor((2,)' in func.script()


def test_spellings() -> None:
    written = [
        f'R.DTensor((4, 8), "float32", {MESH}, "S[0]")',
        f'R.dist.DTensor((4, 8), "float32", device_mesh={MESH}, placement=R.dist.Placement("S[0]"))',
        f'R.dist.DTensorStructInfo(R.Tensor((4, 8), "float32"), {MESH}, R.dist.Placement([0]))',
        'R.DTensor((4, 8), "float32", R.dist.DeviceMesh((2,), I.Range(0, 2)), "S[0]")',
    ]
    texts = {result("return x", head=f"x: {item}").script() for item in written}
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("y = R.add(x, t)", "TS1200", "x2 takes a tensor over devices"),
        ("y = R.exp(R.matmul(x, x))", "TS1200", "matmul"),
        ('y = R.dist.redistribute(x, "mesh[0]", "R")', "TS1008", "no mesh of devices named mesh[0]"),
        (f'y = R.dist.redistribute(x, {MESH}, "R, R")', "TS1204", "a placement of 1 entries"),
        (f'y = R.dist.redistribute(x, {MESH}, "X")', "TS1204", "R and S[k]"),
        (f'y = R.dist.redistribute(t, {MESH}, "R")', "TS1200", "a tensor over devices (R.DTensor)"),
        ("y = R.dist.redistribute(x, 3, 'R')", "TS1003", "a mesh"),
        ("y = R.dist.const(1.0, R.Tensor((), 'float32'))", "TS1003", "R.dist.const"),
        ("y = R.device_mesh((2, 2), [0])", "TS1204", "4 devices"),
    ],
)
def test_what_is_refused(line: str, code: str, message: str) -> None:
    error = refused(line, "return x", head=f'{X}, t: R.Tensor((4, 8), "float32")')
    assert error.code == code
    assert message in str(error)
    assert error.line == 3
