@R.function
def main(x: R.Tensor((4, 4), "float32")):
    @R.function
    def outer(y: R.Tensor((4, 4), "float32")):
        z = R.add(y, x)
        @R.function
        def inner(y: R.Tensor(("k", 4), "float32")):
            k = T.int64()
            z = R.add(y, x)
            q = R.zeros((k, 2), "float32")
            return z
        return z
    w = outer(outer(x))
    return outer
