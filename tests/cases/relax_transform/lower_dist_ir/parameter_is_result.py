# pass: relax.distributed.LowerDistIR
# differs from TVM: it returns a variable of the block that is not one of its outputs
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        with R.dataflow():
            y = R.exp(x)
            R.output(y)
        return (x, y)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32")):
        with R.dataflow():
            gv: R.Tensor((4, 8), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)
            y: R.Tensor((4, 8), dtype="float32") = R.exp(gv)
            R.output(gv, y)
        return (gv, y)
