@R.function
def main(x: R.Tensor(dtype="float32"), s: R.Shape(["n", "m"]), u: R.Shape(ndim=2)):
    a = R.reshape(x, s)
    b = R.reshape(x, u)
    c = R.broadcast_to(x, s)
    d = R.zeros(s, "float32")
    e = R.collapse_sum_to(x, s)
    return (a, b, c, d, e)
