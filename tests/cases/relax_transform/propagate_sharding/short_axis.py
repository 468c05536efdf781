# pass: relax.distributed.PropagateSharding
# an axis that is shorter than the mesh stays whole
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 1), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        c = R.exp(a)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 1), "float32", "mesh[0]", "R")) -> R.DTensor((8, 1), "float32", "mesh[0]", "R"):
        c: R.DTensor((8, 1), "float32", "mesh[0]", "R") = R.exp(x)
        return c
