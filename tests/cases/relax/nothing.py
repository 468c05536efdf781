@R.function(pure=False)
def main(x: R.Tuple(R.Tensor((4,), "float32"), R.Tuple), c: R.Tensor((), "bool")):
    first = (x[1], x[0])
    second = R.call_packed("f", x[1], R.print(x[0]), (), ((), x[1]), sinfo_args=R.Object)
    if c:
        third = x[1]
    else:
        third = R.print(x[0])
    return (first, second, third, (x[1],))
