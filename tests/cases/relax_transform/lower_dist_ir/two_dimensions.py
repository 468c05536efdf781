# pass: relax.distributed.LowerDistIR
# raises: CannotDistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1], R")):
        y = R.exp(x)
        return y

# after
error[TS4243]: cannot distribute a tensor: its mesh has 2 dimensions, devices communicate along one
 --> <text>:5:17
  |
5 |     def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1], R")):
  |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
