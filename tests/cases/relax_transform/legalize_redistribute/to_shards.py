# pass: relax.distributed.LegalizeRedistribute
# differs from TVM: it does not read R.dist.redistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R")):
        y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="S[1]")
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R")) -> R.DTensor((8, 16), "float32", "mesh[0]", "S[1]"):
        y: R.DTensor((8, 16), "float32", "mesh[0]", "S[1]") = R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=1)
        return y
