# pass: relax.distributed.PropagateSharding
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32"), w: R.Tensor((16, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0], S[1]")
        c = R.matmul(a, w)
        d = R.permute_dims(c)
        e = R.reshape(d, (8, 2, 4))
        return e

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0], S[1]"), w: R.DTensor((16, 8), "float32", "mesh[0]", "R, S[0]")) -> R.DTensor((8, 2, 4), "float32", "mesh[0]", "S[1], R"):
        c: R.DTensor((8, 8), "float32", "mesh[0]", "S[0], R") = R.matmul(x, w, out_dtype="void")
        d: R.DTensor((8, 8), "float32", "mesh[0]", "S[1], R") = R.permute_dims(c, axes=None)
        e: R.DTensor((8, 2, 4), "float32", "mesh[0]", "S[1], R") = R.reshape(d, R.shape([8, 2, 4]))
        return e
