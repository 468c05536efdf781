@R.function
def main(x: R.Tensor(("n", 3, 4), "float32")):
    n = T.int64()
    axes = [0, 2, 1]
    dtype = "float16"
    info = R.Tensor("float32")
    nothing = None
    several = [x, x]
    m = n + 1
    a = R.permute_dims(x, axes)
    b = R.astype(x, dtype)
    c = R.call_pure_packed(dtype, x, R.prim_value(m), sinfo_args=info)
    d = R.sum(x, axis=nothing)
    e = R.concat(several, axis=0)
    with R.dataflow():
        axes = [1]
        m = m * 2
        f = R.sum(R.zeros((m, 2), "int32"), axis=axes)
        R.output(f)
    return (a, b, c, d, e, f, several[0], R.shape([m]), m)
