# pass: relax.distributed.LowerDistIR
# raises: CannotDistribute
# differs from TVM: it reshapes a shard to the shape of the whole tensor
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1]")):
        y = R.reshape(x, (8, 4, 2))
        return y

# after
error[TS4243]: cannot distribute R.reshape: its result is not that of shards; run relax.LegalizeOps before
 --> <text>:6:13
  |
6 |         y = R.reshape(x, (8, 4, 2))
  |             ^^^^^^^^^^^^^^^^^^^^^^^
