"""FuseTIR: kernels that stand several times in one function."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import relax
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir import BlockRealize, PrimFunc


def test_a_kernel_twice_in_a_fused_function() -> None:
    """Each copy has memory and definitions of its own."""
    text = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(A: T.Buffer((T.int64(4),), "float32"), C: T.Buffer((T.int64(4),), "float32")):
        B = T.alloc_buffer((T.int64(4),))
        for i in range(T.int64(4)):
            with T.block("B"):
                vi = T.axis.spatial(T.int64(4), i)
                B[vi] = A[vi] + A[vi]
        for i in range(T.int64(4)):
            with T.block("C"):
                vi = T.axis.spatial(T.int64(4), i)
                C[vi] = B[vi] + T.float32(1)

    @R.function(private=True)
    def fused(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((4,), "float32"))
            gv = R.call_tir(cls.twice, (lv,), out_sinfo=R.Tensor((4,), "float32"))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        with R.dataflow():
            gv: R.Tensor((4,), "float32") = cls.fused(x)
            R.output(gv)
        return gv
"""
    module = tvm.from_source(text)
    assert isinstance(module, IRModule)
    fused = relax.transform.FuseTIR()(module)
    kernel = fused["fused"]
    assert isinstance(kernel, PrimFunc)
    assert isinstance(kernel.body, BlockRealize)
    assert len({*kernel.body.block.alloc_buffers}) == 3
    x = np.arange(4, dtype="float32")
    main = relax.VirtualMachine(relax.build(fused, "llvm"), tvm.cpu())["main"]
    np.testing.assert_array_equal(main(tvm.nd.array(x)).numpy(), 4 * x + 3)
