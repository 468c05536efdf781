@R.macro
def scaled(x, s):
    y = R.add(x, x)
    z = R.multiply(y, s)
    return z


@R.macro
def in_dataflow(x):
    with R.dataflow():
        y = R.add(x, x)
        R.output(y)
    return y


@R.macro(hygienic=False)
def of_its_use(x):
    return R.add(x, w)


@R.macro
def chosen(x, flag):
    if flag:
        y = R.add(x, x)
    else:
        y = R.exp(x)
    return y


@R.function
def main(x: R.Tensor((128, 128), "float32"), b: R.Tensor((128,), "float32"), c: R.Tensor((), "bool")):
    y = scaled(x, x)
    w = R.exp(scaled(y, s=x))
    z = in_dataflow(w)
    w = of_its_use(z)
    t = R.linear(chosen(w, c), w, b)
    t = R.linear(t, w, out_dtype="float16")
    return R.astype(t, "float32")
