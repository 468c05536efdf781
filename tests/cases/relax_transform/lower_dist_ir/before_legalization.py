# pass: relax.distributed.LowerDistIR
# raises: CannotDistribute
# differs from TVM: it does not read R.dist.redistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1]")):
        y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="R")
        return y

# after
error[TS4243]: cannot distribute R.dist.redistribute: run relax.distributed.LegalizeRedistribute before
 --> <text>:6:13
  |
6 |         y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="R")
  |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
