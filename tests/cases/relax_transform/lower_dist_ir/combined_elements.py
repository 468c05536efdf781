# pass: relax.distributed.LowerDistIR
# raises: CannotDistribute
# differs from TVM: each device normalizes its own shard
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1]")):
        y = R.nn.softmax(x, axis=1)
        return y

# after
error[TS4243]: cannot distribute R.nn.softmax: it combines elements along the sharded axis 1; run relax.LegalizeOps before
 --> <text>:6:13
  |
6 |         y = R.nn.softmax(x, axis=1)
  |             ^^^^^^^^^^^^^^^^^^^^^^^
