# pass: relax.FoldConstant
# Operators are computed in dataflow blocks alone; variables of shapes become the shapes.
@R.function
def main(x: R.Tensor((6,), "float32")) -> R.Tensor((2, 3), "float32"):
    with R.dataflow():
        lv0 = R.add(R.const([1.0, 2.0, 4.0], "float32"), R.const(0.5, "float32"))
        lv1 = R.exp(R.const([0.0, 0.0, 0.0], "float32"))
        s: R.Shape([2, 3]) = R.shape([2, 3])
        lv2 = R.reshape(x, s)
        lv3 = R.multiply(lv2, R.subtract(lv0, lv1))
        gv0 = R.negative(lv3)
        R.output(gv0)
    gv1 = R.negative(R.const(1.0, "float32"))
    gv2 = R.add(gv0, gv1)
    return gv2

# after
# from tvm.script import relax as R

@R.function
def main(x: R.Tensor((6,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
    with R.dataflow():
        lv2: R.Tensor((2, 3), dtype="float32") = R.reshape(x, R.shape([2, 3]))
        lv3: R.Tensor((2, 3), dtype="float32") = R.multiply(lv2, metadata["relax.expr.Constant"][0])
        gv0: R.Tensor((2, 3), dtype="float32") = R.negative(lv3)
        R.output(gv0)
    gv1: R.Tensor((), dtype="float32") = R.negative(R.const(1, "float32"))
    gv2: R.Tensor((2, 3), dtype="float32") = R.add(gv0, gv1)
    return gv2

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [3], "AAAAPwAAwD8AAGBA")),
    ],
}
