# pass: relax.distributed.LegalizeRedistribute
# differs from TVM: it does not read R.dist.redistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")):
        y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="R")
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "R"):
        y: R.DTensor((8, 16), "float32", "mesh[0]", "R") = R.ccl.allgather(x, R.prim_value(2))
        return y
