# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NCHW4c", "OIHW4o"]})
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
error[TS1200]: R.nn.conv2d: data_layout takes a layout with the axes of NCHW, without inner axes, but got 'NCHW4c'
 --> <text>:6:18
  |
6 |             lv = R.nn.conv2d(x, w, padding=1)
  |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
