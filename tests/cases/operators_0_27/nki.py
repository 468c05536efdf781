# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(x: T.int32, f: T.float32, h: T.handle("float32", "shared"), u: T.uint32, w: T.uint64, b: T.bool, H: T.handle):
    T.nki.activation(h, x, x, x, x)
    T.nki.activation_reduce(h, x, x, x, x, x, x)
    T.nki.affine_select(h, x, x, x)
    T.nki.identity(h, x)
    T.nki.load(h, x)
    T.nki.matmul(h, x, x, x)
    T.nki.memset(h, x)
    T.nki.reciprocal(h, x)
    T.nki.scalar_tensor_scalar(h, x, x, x, x, x, x, x)
    T.nki.scalar_tensor_tensor(h, x, x, x, x, x, x, x)
    T.nki.store(h, x)
    T.nki.tensor_copy(h, x)
    T.nki.tensorreduce(h, x, x, x)
    T.nki.tensorscalar(h, x, x, x, x)
    T.nki.tensorscalar_reduce(h, x, x, x, x, x, x)
    T.nki.tensortensor(h, x, x, x)
