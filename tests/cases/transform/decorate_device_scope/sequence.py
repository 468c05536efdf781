# pass: tir.DecorateDeviceScope
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    A[0] = T.float32(0)
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.attr(0, "device_scope", 0)
    A[0] = T.float32(0)
    A[0] = T.float32(0)
