# pass: relax.distributed.PropagateSharding
# raises: ShardingConflict
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.dist.annotate_sharding(w, device_mesh="mesh[0]", placement="S[0]")
        c = R.matmul(a, b)
        return c

# after
error[TS4240]: the annotations shard x in two ways: axes 0 and 1 along one dimension of the mesh
 --> <text>:5:14
  |
5 |     def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32")):
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: annotate the value in between, or remove one of the annotations
