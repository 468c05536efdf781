"""Normalize: programs that are not in A-normal form have no text, so they are built."""

from __future__ import annotations

from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.relax.expr import Call, SeqExpr, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.unary import exp
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.normal_form.normalize import Normalize

AFTER = """
@R.function
def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
    gv: R.Tensor((4,), dtype="float32") = R.exp(x)
    gv1: R.Tensor((4,), dtype="float32") = R.add(gv, x)
    return gv1
"""


def test_nested_calls_are_bound() -> None:
    x = Var("x", TensorStructInfo((4,), "float32"))
    nested = Function((x,), SeqExpr((), Call(add, (Call(exp, (x,)), x))), attrs={"global_symbol": "main"})
    mod = Normalize()(IRModule({GlobalVar("main"): nested}))
    assert mod["main"].script(show_meta=False).partition("\n\n")[2].strip() == AFTER.strip()
    assert Normalize()(mod) is mod
