@R.function
def main(x: R.Tensor(("n", 4), "float32")) :
    n = T.int64()
    @R.function
    def inner(y: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
        s: R.Tensor((n, 4), "float32") = R.add(x, y)
        return s
    gv = inner(x)
    return gv
