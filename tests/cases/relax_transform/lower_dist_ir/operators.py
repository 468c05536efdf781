# pass: relax.distributed.LowerDistIR
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor(("n", 8), "float32", "mesh[0]", "S[0]"), w: R.DTensor((8, 8), "float32", "mesh[0]", "R")):
        c = R.matmul(x, w)
        d = R.exp(c)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32")) -> R.Tensor(("T.Div(n, 2)", 8), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((T.Div(n, 2), 8), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)
        gv1: R.Tensor((8, 8), dtype="float32") = R.ccl.broadcast_from_worker0(w)
        c: R.Tensor((T.Div(n, 2), 8), dtype="float32") = R.matmul(gv, gv1, out_dtype="void")
        d: R.Tensor((T.Div(n, 2), 8), dtype="float32") = R.exp(c)
        return d
