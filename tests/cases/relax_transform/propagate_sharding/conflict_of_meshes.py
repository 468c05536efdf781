# pass: relax.distributed.PropagateSharding
# raises: ShardingConflict
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(2, 4))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.exp(a)
        c = R.dist.annotate_sharding(b, device_mesh="mesh[1]", placement="R")
        return c

# after
error[TS4240]: the annotations shard c in two ways: axis 0 is on another device mesh
 --> <text>:8:9
  |
8 |         c = R.dist.annotate_sharding(b, device_mesh="mesh[1]", placement="R")
  |         ^
hint: annotate the value in between, or remove one of the annotations
