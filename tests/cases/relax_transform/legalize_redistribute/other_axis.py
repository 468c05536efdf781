# pass: relax.distributed.LegalizeRedistribute
# differs from TVM: it does not read R.dist.redistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[1]")):
        with R.dataflow():
            y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="S[2]")
            z = R.dist.redistribute(y, device_mesh="mesh[0]", placement="S[2]")
            R.output(z)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[1]")) -> R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[2]"):
        with R.dataflow():
            lv: R.DTensor((16, 8, 4), "float32", "mesh[0]", "S[0]") = R.permute_dims(x, axes=[1, 0, 2])
            lv1: R.DTensor((16, 8, 4), "float32", "mesh[0]", "R") = R.ccl.allgather(lv, R.prim_value(2))
            lv2: R.DTensor((8, 16, 4), "float32", "mesh[0]", "R") = R.permute_dims(lv1, axes=[1, 0, 2])
            y: R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[2]") = R.dist.redistribute_replica_to_shard(lv2, num_workers=2, axis=2)
            z: R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[2]") = y
            R.output(z)
        return z
