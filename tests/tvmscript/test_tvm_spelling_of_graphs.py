"""What TVM's own tests of the graph level do in Python: struct info by `R`, operators of Python, names of modules."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import tvmscript as tvm
from tvmscript import relax, tir
from tvmscript.script import parser

R: Any = parser.relax  # type checkers know its names as types of parameters
N = tir.Var("n", "int64")


def tensor(*shape: Any, dtype: str = "float32") -> relax.Var:
    return relax.Var("x", R.Tensor(shape, dtype))


def test_operators_of_python_are_calls() -> None:
    x, y = tensor(N, 4), tensor(1, 4)
    calls = [-x, x + y, x - y, x * y, x / y, x // y, x**y, x < y, x <= y, x > y, x >= y, x.astype("int8")]
    assert [call.op.name for call in calls if isinstance(call, relax.Call)] == [
        f"relax.{name}"
        for name in (
            *("negative", "add", "subtract", "multiply", "divide", "floor_divide", "power"),
            *("less", "less_equal", "greater", "greater_equal", "astype"),
        )
    ]
    assert str(calls[1].struct_info) == 'R.Tensor((n, 4), dtype="float32")'
    with pytest.raises(tvm.TVMError):
        _ = x + tensor(3, 4, dtype="int8")


def test_items() -> None:
    x, shape = tensor(N, 4), relax.ShapeExpr([N, 4])
    pair = relax.Tuple((x, shape))
    assert (pair[-1], len(pair), list(shape), len(shape), shape[0]) == (shape, 2, list(shape.values), 2, N)
    assert relax.Tuple(())
    assert relax.ShapeExpr([])
    var: Any = relax.Var("t", pair.struct_info)
    assert [item.index for item in var] == [0, 1]
    assert var[-1].struct_info is shape.struct_info
    with pytest.raises(IndexError):
        var[2]


def test_a_variable_that_is_a_function_is_called() -> None:
    x = tensor(N, 4)
    func = relax.Var("f", R.Callable((R.Tensor((N, 4), "float32"),), R.Tensor((N,), "float32")))
    assert str(func(x).struct_info) == 'R.Tensor((n,), dtype="float32")'


def test_devices_and_global_infos() -> None:
    cuda = tvm.ir.VDevice({"kind": "cuda", "arch": "sm_80"}, 1)
    info = relax.TensorStructInfo((2, 3), "float32", cuda)
    assert (info.vdevice, info.ndim) == (cuda, 2)
    assert relax.TensorStructInfo(None, "float32", relax.VDevice("llvm"), 3).ndim == 3
    mod = tvm.IRModule()
    mod.update_global_info("vdevice", [cuda])
    assert mod.global_infos == {"vdevice": (cuda,)}
    assert cuda.target.options["arch"] == "sm_80"


def test_scalars_by_their_value() -> None:
    assert relax.PrimStructInfo(value=N).dtype == "int64"
    with pytest.raises(tvm.TVMError, match="a dtype or a value"):
        relax.PrimStructInfo()


def test_convert_to_expr() -> None:
    x = tensor(4)
    made = relax.utils.convert_to_expr([x, 3, 2.5, "s", N, True, ()])
    assert str(made.struct_info.fields[1]) == "R.Prim(value=3)"
    assert [type(field).__name__ for field in made.fields] == [
        *("Var", "PrimValue", "PrimValue", "StringImm", "PrimValue", "PrimValue", "Tuple"),
    ]
    with pytest.raises(tvm.error.TVMError):
        relax.utils.convert_to_expr(None)


def test_get_shape_of() -> None:
    assert relax.get_shape_of(tensor(N, 4))[0] is N
    assert str(relax.get_shape_of(relax.Var("x", R.Tensor("float32", ndim=2)))) == "R.shape_of(x)"


def test_calls_by_the_names_of_relax() -> None:
    x = tensor(4)
    out = R.Tensor((4,), "float32")
    calls = [
        relax.call_tir(relax.GlobalVar("f"), (x,), out),
        relax.call_dps_packed("f", (x,), out),
        relax.call_pure_packed(relax.extern("f").global_symbol, x, sinfo_args=[out]),
    ]
    assert [str(call.struct_info) for call in calls] == [str(out)] * 3
    assert relax.FuncStructInfo.opaque_func(ret=out).params is None


def test_variables_of_nothing_are_the_empty_tuple() -> None:
    func = tvm.from_source("""
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    y = R.print(x, format="{}")
    z = (x, y)
    return (y, z)
""")
    assert [line.strip() for line in func.script().splitlines()[-3:]] == [
        'R.print(x, format=R.str("{}"))',
        'z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple) = x, R.tuple()',
        "return (R.tuple(), z)",
    ]


def test_items_of_a_tuple_get_names() -> None:
    func = tvm.from_source("""
@R.function
def main(x: R.Tensor((4,), "float32")):
    a, b = R.split(x, 2)
    return R.add(a, b)
""")
    assert [binding.var.name for binding in func.body.blocks[0].bindings] == ["gv", "a", "b", "gv3"]


@pytest.mark.parametrize("module", [tvm.script, tvm.script.parser])
def test_script_has_no_other_names(module: Any) -> None:
    assert module.relax is tvm.R
    with pytest.raises(AttributeError, match="no attribute 'rellax'"):
        module.rellax  # noqa: B018


def test_a_private_function_has_no_symbol() -> None:
    with pytest.raises(tvm.error.DiagnosticError) as caught:
        tvm.from_source("""
@R.function(private=True)
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"global_symbol": "main"})
    return x
""")
    assert (caught.value.code, caught.value.line) == ("TS1003", 3)


def test_a_dataflow_block_may_return_its_variables() -> None:
    returns = """
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.exp(x)
        b = R.add(a, x)
        c = R.add(b, x)
        return (c, (a, x))
"""
    behind = returns.replace("        return (c", "        R.output(a, c)\n    return (c")
    tvm.ir.assert_structural_equal(tvm.from_source(returns), tvm.from_source(behind))


def test_an_error_in_the_text_of_a_size_is_where_the_tensor_is(tmp_path: Path) -> None:
    file = tmp_path / "kernels.py"
    file.write_text(
        """# fünf
from tvmscript import R


@R.function
def main(ä: R.Tensor(("ö", "ö"), "int8"), y: R.Tensor(("ö", "q * 2"), "int8")):
    return y
""",
        "utf-8",
    )
    with pytest.raises(tvm.error.DiagnosticError) as caught:
        runpy.run_path(str(file))
    assert (caught.value.code, caught.value.line, caught.value.column) == ("TS1303", 6, 46)


def test_an_item_of_a_tuple_that_is_written_out_has_a_name_of_its_own() -> None:
    """`(x, y)[0]` is x, here and in TVM, which prints the node so nevertheless."""
    func = tvm.from_source("""
@R.function
def main(x: R.Tensor, y: R.Tensor):
    a = (x, y)[0]
    return R.TupleGetItem(R.tuple(x, a), 1)
""")
    text = func.script()
    assert [line.strip() for line in text.splitlines()[-3:]] == [
        "a: R.Tensor = x",
        "gv1: R.Tensor = R.TupleGetItem(R.tuple(x, a), 1)",
        "return gv1",
    ]
    tvm.ir.assert_structural_equal(tvm.from_source(text), func)
