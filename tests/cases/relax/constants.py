@R.function
def main(x: R.Tensor((2,), "float32")):
    a = R.add(x, R.const([1.0, 2.5], "float32"))
    b = R.const([[1, 2], [3, 4]])
    c = R.const([1.0, -2.0], "bfloat16")
    d = R.const(2, "uint8")
    return (a, b, c, d)
