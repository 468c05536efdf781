import tvm
from tvm import relax
from tvm.ir import VDevice

HOST = {"kind": "llvm", "keys": ["cpu"], "mtriple": "x86_64-unknown-linux-gnu"}


@tvm.script.ir_module
class Module:
    I.module_global_infos({"vdevice": [tvm.ir.VDevice(HOST, 0), VDevice(HOST, 1)]})

    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        T.func_attr({"target": tvm.target.Target(HOST)})
        A[0] = tvm.tir.exp(A[1]) + tvm.tir.const(1, "float32")

    @R.function
    def main(x: R.Tensor((4, "n"), "float32")):
        y = relax.op.add(x, relax.const(1.0, "float32"))
        z = R.multiply(y, tvm.relax.const(2, "float32"))
        return R.call_dps_packed("f", (z,), out_sinfo=y.struct_info)


# output
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 1, "global")]})
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""})})
        A[0] = T.exp(A[1]) + T.float32(1)

    @R.function
    def main(x: R.Tensor((4, "n"), dtype="float32")) -> R.Tensor((4, "n"), dtype="float32"):
        n = T.int64()
        y: R.Tensor((4, n), dtype="float32") = R.add(x, R.const(1, "float32"))
        z: R.Tensor((4, n), dtype="float32") = R.multiply(y, R.const(2, "float32"))
        gv2 = R.call_dps_packed("f", (z,), out_sinfo=R.Tensor((4, n), dtype="float32"))
        return gv2
