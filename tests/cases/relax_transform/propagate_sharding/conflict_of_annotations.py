# pass: relax.distributed.PropagateSharding
# raises: ShardingConflict
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(2, 4))]})
    @R.function
    def main(x: R.Tensor((8,), "float32")):
        a = R.exp(x)
        b = R.dist.annotate_sharding(a, device_mesh="mesh[0]", placement="S[0]")
        c = R.dist.annotate_sharding(a, device_mesh="mesh[1]", placement="S[0]")
        return (b, c)

# after
error[TS4240]: the annotations shard x in two ways: annotations ask for two device meshes
 --> <text>:5:14
  |
5 |     def main(x: R.Tensor((8,), "float32")):
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: annotate the value in between, or remove one of the annotations
