# pass: relax.distributed.LowerDistIR
# raises: NotDivisible
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((7, 8), "float32", "mesh[0]", "S[0]")):
        y = R.exp(x)
        return y

# after
error[TS4242]: cannot split axis 0 of extent 7 into 2 equal shards
 --> <text>:5:17
  |
5 |     def main(x: R.DTensor((7, 8), "float32", "mesh[0]", "S[0]")):
  |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: pad the tensor, or shard another axis
