# pass: relax.distributed.PropagateSharding
# raises: ShardingConflict
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 2), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        b = R.multiply(a, R.const([2.0, 3.0], "float32"))
        return b

# after
error[TS4240]: the annotations shard a constant in two ways: constants are not sharded, make it a parameter
 --> <text>:7:27
  |
7 |         b = R.multiply(a, R.const([2.0, 3.0], "float32"))
  |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: annotate the value in between, or remove one of the annotations
