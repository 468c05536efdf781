# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(2, 4))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.exp(a)
        c = R.dist.annotate_sharding(b, device_mesh="mesh[1]", placement="S[0]")
        d = R.exp(c)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(2, 4))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[1]", "S[0]"):
        b: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.exp(x)
        c: R.DTensor((8, 16), "float32", "mesh[1]", "S[0]") = R.dist.redistribute(b, device_mesh="mesh[1]", placement="S[0]")
        d: R.DTensor((8, 16), "float32", "mesh[1]", "S[0]") = R.exp(c)
        return d
