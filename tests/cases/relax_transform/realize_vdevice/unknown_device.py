# pass: relax.RealizeVDevice
# raises: UnknownName
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global")]})
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            lv1 = R.hint_on_device(x, R.device("cuda", 1))
            R.output(lv1)
        return lv1

# after
error[TS1008]: there is no virtual device named R.device(2, 1)
 --> <text>:7:19
  |
7 |             lv1 = R.hint_on_device(x, R.device("cuda", 1))
  |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: declare it by I.module_global_infos
