@R.function
def main(x: R.Tensor((4, 4), "float32")):
    R.func_attr({"a": 1})
    n, m = T.int64(), T.int64()
    y = R.match_cast(x, R.Tensor((n, m)))
    with R.dataflow():
        lv = R.match_cast(y, R.Tensor((n, m), "float32"))
        gv = R.reshape(lv, (n * m,))
        R.output(gv)
    return (x, y, gv)
