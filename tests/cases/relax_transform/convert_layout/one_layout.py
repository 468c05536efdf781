# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC"]})
# raises: InvalidCall
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), "float32"), w: R.Tensor((4, 4, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.nn.relu(lv)
            R.output(lv1)
        return lv1

# after
error[TS1200]: R.nn.conv2d: desired_layouts takes two or three layouts, but got 1
 --> <text>:6:18
  |
6 |             lv = R.nn.conv2d(x, w, padding=1)
  |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
