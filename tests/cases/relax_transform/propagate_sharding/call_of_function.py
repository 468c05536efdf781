# pass: relax.distributed.PropagateSharding
# raises: CannotDistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        cls = Module
        z = cls.other(a)
        return z

    @R.function
    def other(x: R.Tensor((8, 8), "float32")):
        y = R.exp(x)
        return y

# after
error[TS4243]: cannot distribute a call of a function: only operators and kernels are distributed; run relax.InlinePrivateFunctions before
 --> <text>:8:13
  |
8 |         z = cls.other(a)
  |             ^^^^^^^^^^^^
