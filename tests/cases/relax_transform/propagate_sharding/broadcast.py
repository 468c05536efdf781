# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32"), y: R.Tensor((16,), "float32"), z: R.Tensor((1, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        c = R.add(a, y)
        d = R.multiply(c, z)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"), y: R.DTensor((16,), "float32", "mesh[0]", "S[0]"), z: R.DTensor((1, 16), "float32", "mesh[0]", "S[1]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"):
        c: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.add(x, y)
        d: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.multiply(c, z)
        return d
