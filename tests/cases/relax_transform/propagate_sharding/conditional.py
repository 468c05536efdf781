# pass: relax.distributed.PropagateSharding
# raises: CannotDistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), b: R.Tensor((), "bool")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
        if b:
            z = R.exp(a)
        else:
            z = R.negative(a)
        return z

# after
error[TS4243]: cannot distribute a conditional: its tensors are not annotated together
  --> <text>:7:9
   |
 7 |         if b:
   |         ^^^^^
 8 |             z = R.exp(a)
   |             ^^^^^^^^^^^^
 9 |         else:
   |         ^^^^^
10 |             z = R.negative(a)
   |             ^^^^^^^^^^^^^^^^^
