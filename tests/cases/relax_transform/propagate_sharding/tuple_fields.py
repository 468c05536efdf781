# pass: relax.distributed.PropagateSharding
# differs from TVM: it refuses tuples, whose variables have no mesh
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.exp(a)
        t = (a, b)
        c = t[0]
        d = t[1]
        e = R.add(c, d)
        return e

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[0]"):
        b: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.exp(x)
        t: R.Tuple(R.DTensor((8, 16), "float32", "mesh[0]", "S[0]"), R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) = x, b
        c: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = t[0]
        d: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = t[1]
        e: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.add(c, d)
        return e
