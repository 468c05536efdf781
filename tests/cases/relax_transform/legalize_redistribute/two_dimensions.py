# pass: relax.distributed.LegalizeRedistribute
# raises: CannotDistribute
# differs from TVM: it does not read R.dist.redistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "R, S[0]")):
        y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="S[0], R")
        return y

# after
error[TS4243]: cannot distribute R.dist.redistribute: the mesh has 2 dimensions
 --> <text>:6:13
  |
6 |         y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="S[0], R")
  |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
