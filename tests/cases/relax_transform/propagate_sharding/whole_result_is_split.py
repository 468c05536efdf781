# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        b = R.nn.softmax(a, axis=1)
        c = R.dist.annotate_sharding(b, device_mesh="mesh[0]", placement="S[1]")
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"):
        gv: R.DTensor((8, 16), "float32", "mesh[0]", "R") = R.nn.softmax(x, axis=1)
        b: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.dist.redistribute(gv, device_mesh="mesh[0]", placement="S[1]")
        return b
