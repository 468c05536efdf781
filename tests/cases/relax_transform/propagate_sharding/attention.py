# pass: relax.distributed.PropagateSharding
# the heads, as far as operators say which axis they are: reshape does not map the first axis
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32"), wq: R.Tensor((16, 16), "float32"), wk: R.Tensor((16, 16), "float32"), wv: R.Tensor((16, 16), "float32")):
        q = R.matmul(x, wq)
        k = R.matmul(x, wk)
        v = R.matmul(x, wv)
        q1 = R.permute_dims(R.reshape(q, (8, 4, 4)), (1, 0, 2))
        k1 = R.permute_dims(R.reshape(k, (8, 4, 4)), (1, 2, 0))
        v1 = R.permute_dims(R.reshape(v, (8, 4, 4)), (1, 0, 2))
        s = R.matmul(q1, k1)
        s1 = R.dist.annotate_sharding(s, device_mesh="mesh[0]", placement="S[0]")
        p = R.nn.softmax(s1, axis=-1)
        o = R.matmul(p, v1)
        o1 = R.reshape(R.permute_dims(o, (1, 0, 2)), (8, 16))
        return o1

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R"), wq: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]"), wk: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]"), wv: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"):
        q: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.matmul(x, wq, out_dtype="void")
        k: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.matmul(x, wk, out_dtype="void")
        v: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.matmul(x, wv, out_dtype="void")
        gv3: R.DTensor((8, 4, 4), "float32", "mesh[0]", "S[1]") = R.reshape(q, R.shape([8, 4, 4]))
        q1: R.DTensor((4, 8, 4), "float32", "mesh[0]", "S[0]") = R.permute_dims(gv3, axes=[1, 0, 2])
        gv5: R.DTensor((8, 4, 4), "float32", "mesh[0]", "S[1]") = R.reshape(k, R.shape([8, 4, 4]))
        k1: R.DTensor((4, 4, 8), "float32", "mesh[0]", "S[0]") = R.permute_dims(gv5, axes=[1, 2, 0])
        gv7: R.DTensor((8, 4, 4), "float32", "mesh[0]", "S[1]") = R.reshape(v, R.shape([8, 4, 4]))
        v1: R.DTensor((4, 8, 4), "float32", "mesh[0]", "S[0]") = R.permute_dims(gv7, axes=[1, 0, 2])
        s: R.DTensor((4, 8, 8), "float32", "mesh[0]", "S[0]") = R.matmul(q1, k1, out_dtype="void")
        p: R.DTensor((4, 8, 8), "float32", "mesh[0]", "S[0]") = R.nn.softmax(s, axis=-1)
        o: R.DTensor((4, 8, 4), "float32", "mesh[0]", "S[0]") = R.matmul(p, v1, out_dtype="void")
        gv13: R.DTensor((8, 4, 4), "float32", "mesh[0]", "S[1]") = R.permute_dims(o, axes=[1, 0, 2])
        o1: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.reshape(gv13, R.shape([8, 16]))
        return o1
