# pass: relax.ConvertLayout({"relax.nn.max_pool2d": ["NHWC"], "relax.nn.relu": ["NHWC"]})
# raises: UnknownName
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), "float32"), w: R.Tensor((4, 4, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.max_pool2d(x, padding=1)
            lv1 = R.nn.relu(lv)
            R.output(lv1)
        return lv1

# after
error[TS1008]: there is no operator with layouts named relax.nn.max_pool2d
hint: did you mean relax.nn.conv2d?
