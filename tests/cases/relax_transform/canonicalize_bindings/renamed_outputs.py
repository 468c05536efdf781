# pass: relax.CanonicalizeBindings
# An output renames an output: the last one takes the binding.
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        lv = R.exp(x)
        lv1 = R.sin(lv)
        gv = lv1
        gv1 = gv
        R.output(lv, gv, gv1)
    return (gv1, lv)

# after
# from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
    with R.dataflow():
        lv: R.Tensor((4,), dtype="float32") = R.exp(x)
        gv1: R.Tensor((4,), dtype="float32") = R.sin(lv)
        R.output(lv, gv1)
    return (gv1, lv)
