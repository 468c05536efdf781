@R.function
def main(x: R.Tensor((4, 4), "float32"), y: R.Tensor((4, 4), "float32")):
    a = x + y * x - y / x
    b = x ** y
    c = x // y
    d = x <= y
    e = -x
    f = x.astype("float16")
    g = (x, y, ())
    h = g[0]
    i = (x + y)[0] if False else g[1]
    return (a, (b, c, d), e, (f,), h, i)
