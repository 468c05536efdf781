# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.nn.softmax(a, axis=1)
        c = R.sum(b, axis=1)
        d = R.mean(b, axis=0)
        e = R.max(b, axis=0, keepdims=True)
        return (c, d, e)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.Tuple(R.DTensor((8,), "float32", "mesh[0]", "S[0]"), R.DTensor((16,), "float32", "mesh[0]", "R"), R.DTensor((1, 16), "float32", "mesh[0]", "R")):
        b: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]") = R.nn.softmax(x, axis=1)
        c: R.DTensor((8,), "float32", "mesh[0]", "S[0]") = R.sum(b, axis=[1], keepdims=False)
        d: R.DTensor((16,), "float32", "mesh[0]", "R") = R.mean(b, axis=[0], keepdims=False)
        e: R.DTensor((1, 16), "float32", "mesh[0]", "R") = R.max(b, axis=[0], keepdims=True)
        return (c, d, e)
