# pass: relax.distributed.PropagateSharding
# differs from TVM: it returns the variable of the block, which is not one of its outputs
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.dist.annotate_sharding(a, device_mesh="mesh[0]", placement="S[0]")
            R.output(b)
        return b

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[0]"):
        with R.dataflow():
            a: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.exp(x)
            b: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = a
            R.output(b)
        return b
