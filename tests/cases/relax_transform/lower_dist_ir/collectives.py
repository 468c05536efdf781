# pass: relax.distributed.LowerDistIR
# differs from TVM: it infers the result of allgather as sharded
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        y = R.ccl.allgather(x, 2)
        z = R.dist.redistribute_replica_to_shard(y, num_workers=2, axis=1)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((8, 4), dtype="float32"):
        gv: R.Tensor((4, 8), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)
        y: R.Tensor((8, 8), dtype="float32") = R.ccl.allgather(gv, R.prim_value(2))
        z: R.Tensor((8, 4), dtype="float32") = R.dist.redistribute_replica_to_shard(y, num_workers=2, axis=1)
        return z
