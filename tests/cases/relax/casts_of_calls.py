@R.function(pure=False)
def main(x: R.Tensor(dtype="float32"), t: R.Tuple(R.Tensor, R.Tensor)):
    n = T.int64()
    a = R.match_cast(R.exp(R.exp(x)), R.Tensor((n,), "float32"))
    b = R.match_cast(t[0], R.Tensor((n, 4), "float32"))
    c = R.match_cast(R.call_packed("f", R.add(a, a), sinfo_args=R.Object), R.Tuple(R.Tensor((n,)), R.Shape))
    with R.dataflow():
        d = R.match_cast(R.exp(x), R.Tensor((n,), "float32"))
        R.output(d)
    return (a, b, c, d)
