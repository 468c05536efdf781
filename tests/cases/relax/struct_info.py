@R.function
def main(x: R.Tensor((4, 4), "float32"), s: R.Shape(["a", "b"]), p: R.Prim(value="c"), q: R.Prim("int32"), r: R.Prim(value=3), u: R.Tensor(ndim=0), v: R.Tensor("float16"), w: R.Shape, aa: R.Shape(ndim=2), bb: R.Shape([1]), dd: R.Tensor([]), ee: R.Tuple(R.Tensor((1,))), ff: R.Tuple([R.Object]), gg: R.Callable, hh: R.Callable((R.Tensor,), R.Tensor, False), ii: R.Callable([], R.Object), jj: R.Tensor(("a * 2 + 1", "b"), "int8"), o: R.Object()) -> R.Tensor(("a + b", 4)):
    a = T.int64()
    b = T.int64()
    y: R.Tensor((a + b, 4)) = R.match_cast(x, R.Tensor((a + b, 4)))
    return y
