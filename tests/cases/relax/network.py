@R.function
def main(x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
    a = R.nn.conv2d(x, w, padding=1)
    b = R.nn.max_pool2d(a, pool_size=(2, 2))
    c = R.sum(b, axis=1)
    d = R.nn.softmax(c)
    e = R.astype(d, "float16")
    f = R.permute_dims(e)
    g = R.full((2, 3), R.const(1.0, "float32"))
    h = R.zeros((2, 2), "int8")
    i = R.arange(3, 10, 2, "int64")
    j = R.nn.layer_norm(x, R.const([1.0]*8), R.const([1.0]*8), axes=[-1])
    k = R.split(x, 2, axis=2)
    m = R.take(x, R.const([0, 1], "int64"), axis=0)
    n = R.image.resize2d(x, (16, 16))
    o = R.matmul(x, x, out_dtype="float32")
    return k[0]
