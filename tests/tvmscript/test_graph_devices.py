"""Tensors over devices: meshes by name, constants, what operators give, what is refused. The text is that of TVM in
`tests/cases/relax/distributed.py`.
"""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
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


MESH4 = "R.device_mesh((2, 2), R.Range(0, 4))"


def over_4(shape: str, placement: str) -> str:
    """A tensor over a mesh of 2 by 2."""
    return f'R.DTensor({shape}, "float32", {MESH4}, "{placement}")'


@pytest.mark.parametrize(
    ("x", "y", "value", "placement"),
    [
        # TVM 0.17 was asked for these
        (("(4, 4)", "S[0], R"), ("(4, 4)", "R, S[1]"), "R.add(x, y)", "S[0], S[1]"),
        (("(4, 4)", "S[0], R"), ("(4, 4)", "S[1], R"), "R.add(x, y)", "S[1], R"),
        (("(4, 4)", "S[0], S[0]"), ("(4, 4)", "R, R"), "R.add(x, y)", "R, S[0]"),
        (("(4, 4)", "S[0], R"), ("(4,)", "R, S[0]"), "R.add(x, y)", "S[0], S[1]"),
        (("(4, 1)", "R, S[1]"), ("(4, 4)", "R, R"), "R.add(x, y)", "R, R"),
        (("(4, 4)", "S[0], R"), ("(4, 4)", "R, S[1]"), "R.matmul(x, y)", "S[0], S[1]"),
        (("(4, 4)", "S[1], R"), ("(4, 4)", "S[0], R"), "R.matmul(x, y)", "R, R"),
        (("(8, 4, 4)", "S[0], S[1]"), ("(4, 4)", "R, R"), "R.matmul(x, y)", "R, S[1]"),
        (("(8, 4, 4)", "S[0], R"), ("(8, 4, 4)", "R, S[2]"), "R.matmul(x, y)", "S[0], S[2]"),
        (("(8, 1, 4, 4)", "S[0], S[1]"), ("(2, 4, 4)", "R, S[0]"), "R.matmul(x, y)", "R, S[1]"),
        (("(4,)", "S[0], R"), ("(4, 4)", "R, S[1]"), "R.matmul(x, y)", "R, S[0]"),
        (("(4, 4)", "S[0], R"), ("(4,)", "R, S[0]"), "R.matmul(x, y)", "S[0], R"),
        (("(8, 4, 2)", "S[0], S[2]"), None, "R.permute_dims(x)", "S[2], S[0]"),
        (("(8, 4, 2)", "S[0], S[2]"), None, "R.permute_dims(x, [1, 0, 2])", "S[1], S[2]"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.reshape(x, (8, 8))", "R, S[1]"),
        (("(8, 4, 2)", "S[2], S[1]"), None, "R.reshape(x, (8, 2, 2, 2))", "S[3], S[1]"),
        (("(8, 4, 2)", "S[2], R"), None, "R.reshape(x, (32, 2))", "S[1], R"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.reshape(x, (64,))", "R, R"),
        (("(8, 4, 2)", "S[2], S[1]"), None, "R.reshape(x, (4, 16))", "R, R"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.sum(x, axis=[0])", "R, S[0]"),
        (("(8, 4, 2)", "S[2], R"), None, "R.max(x, axis=[1], keepdims=True)", "S[2], R"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.mean(x)", "R, R"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.nn.softmax(x, axis=1)", "S[0], R"),
        (("(8, 4, 2)", "S[2], R"), None, "R.nn.softmax(x)", "R, R"),
        (("(8, 4, 2)", "S[0], S[1]"), None, "R.builtin.stop_lift_params(x)", "S[0], S[1]"),
        (("(8, 4, 2)", "S[0], S[1]"), None, 'R.ccl.allreduce(x, "sum")', "R, R"),
    ],
)
def test_axes_that_are_joined_stay_split(
    x: tuple[str, str], y: tuple[str, str] | None, value: str, placement: str
) -> None:
    head = f"x: {over_4(*x)}" + ("" if y is None else f", y: {over_4(*y)}")
    info = result(f"return {value}", head=head).ret_struct_info
    assert isinstance(info, DTensorStructInfo)
    assert str(info.placement) == placement


@pytest.mark.parametrize("space", ["dist", "distributed"])
def test_a_whole_tensor_is_split(space: str) -> None:
    head = f'x: R.DTensor((4, 8), "float32", {MESH}, "R")'
    info = result(f"return R.{space}.redistribute_replica_to_shard(x, 2, 1)", head=head).ret_struct_info
    assert isinstance(info, DTensorStructInfo)
    assert str(info.placement) == "S[1]"
    assert str(info.tensor_sinfo) == 'R.Tensor((4, 8), dtype="float32")'


def test_other_operators_give_what_an_annotation_says() -> None:
    said = f'R.DTensor((4, 8), "float32", {MESH}, "S[0]")'
    assert isinstance(result(f"y: {said} = R.cumsum(x, 0)", "return y").ret_struct_info, DTensorStructInfo)
    assert isinstance(result("return R.cumsum(x, 0)").ret_struct_info, ObjectStructInfo)


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
        ("y = R.add(x, t)", "TS1200", "x2 takes a distributed tensor"),
        ("y = R.exp(R.matmul(x, x))", "TS1200", "matmul"),
        ("y = R.add(x, z)", "TS1200", "x2 takes a tensor on the mesh of the others"),
        ("y = R.add(z, w)", "TS1200", "x2 takes a placement that shards axis 0 of the result as the others do"),
        ("y = R.dist.redistribute_replica_to_shard(x, 2, 0)", "TS1200", "replicated over a mesh"),
        ('y = R.dist.redistribute(x, "mesh[0]", "R")', "TS1008", "no mesh of devices named mesh[0]"),
        (f'y = R.dist.redistribute(x, {MESH}, "R, R")', "TS1204", "a placement of 1 entries"),
        (f'y = R.dist.redistribute(x, {MESH}, "X")', "TS1204", "R and S[k]"),
        (f'y = R.dist.redistribute(t, {MESH}, "R")', "TS1200", "a distributed tensor (R.DTensor)"),
        ("y = R.dist.redistribute(x, 3, 'R')", "TS1003", "a mesh"),
        ("y = R.dist.const(1.0, R.Tensor((), 'float32'))", "TS1003", "R.dist.const"),
        ("y = R.device_mesh((2, 2), [0])", "TS1204", "4 devices"),
    ],
)
def test_what_is_refused(line: str, code: str, message: str) -> None:
    others = f't: R.Tensor((4, 8), "float32"), z: {over_4("(4, 8)", "S[0], R")}, w: {over_4("(4, 8)", "R, S[0]")}'
    error = refused(line, "return x", head=f"{X}, {others}")
    assert error.code == code
    assert message in str(error)
    assert error.line == 3
