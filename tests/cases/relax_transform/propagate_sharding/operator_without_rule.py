# pass: relax.distributed.PropagateSharding
# raises: CannotDistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        b = R.split(a, 2, axis=0)
        return b

# after
error[TS4243]: cannot distribute R.split: the placement of its result is not known; run relax.LegalizeOps before
 --> <text>:7:13
  |
7 |         b = R.split(a, 2, axis=0)
  |             ^^^^^^^^^^^^^^^^^^^^^
