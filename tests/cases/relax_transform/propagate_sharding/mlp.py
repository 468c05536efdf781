# pass: relax.distributed.PropagateSharding
# columns of the first weight, then rows of the second
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 16), "float32"), w1: R.Tensor((16, 16), "float32"), w2: R.Tensor((16, 16), "float32")):
        with R.dataflow():
            lv0 = R.matmul(x, w1)
            lv1 = R.nn.relu(lv0)
            lv2 = R.dist.annotate_sharding(lv1, device_mesh="mesh[0]", placement="S[1]")
            lv3 = R.matmul(lv2, w2)
            R.output(lv3)
        return lv3

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R"), w1: R.DTensor((16, 16), "float32", "mesh[0]", "S[1]"), w2: R.DTensor((16, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 16), "float32", "mesh[0]", "R"):
        with R.dataflow():
            lv0: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.matmul(x, w1, out_dtype="void")
            lv1: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.nn.relu(lv0)
            lv3: R.DTensor((8, 16), "float32", "mesh[0]", "R") = R.matmul(lv1, w2, out_dtype="void")
            R.output(lv3)
        return lv3
