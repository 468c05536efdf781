# pass: relax.distributed.LowerDistIR
# differs from TVM: it returns the whole tensor
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        return x

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        gv: R.Tensor((4, 8), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)
        return gv
