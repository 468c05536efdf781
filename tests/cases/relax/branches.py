@R.function
def main(x: R.Tensor((4, 4), "float32"), c: R.Tensor((), "bool")):
    if R.logical_not(c):
        with R.dataflow():
            lv = R.add(x, x)
            R.output(lv)
        y = R.add(lv, x)
    else:
        if c:
            z = x
        else:
            z = R.negative(R.negative(x))
        y = z
    with R.dataflow():
        lv0 = R.add(y, R.add(y, y))
        gv0 = R.add(lv0, lv0)
        gv1 = R.add(gv0, R.exp(lv0))
        R.output(gv0, gv1)
    return R.add(gv0, R.sigmoid(gv1))
