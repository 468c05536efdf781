# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        with R.dataflow():
            a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
            b = R.multiply(a, R.const(2.0, "float32"))
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
            b: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.multiply(x, R.dist.const(2, R.DTensor((), "float32", "mesh[0]", "R")))
            R.output(b)
        return b
