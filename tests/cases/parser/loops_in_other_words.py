@I.ir_module
class Module:
    @T.prim_func
    def rangeann(A: T.Buffer((16,), "float32")):
        for i in range(5, annotations={"pragma": 1}):
            A[i] = 0.0

    @T.prim_func
    def rangeann2(A: T.Buffer((16,), "float32")):
        for i in range(1, 5, annotations={"pragma": 1}):
            A[i] = 0.0

    @T.prim_func
    def withloop(A: T.Buffer((16,), "float32")):
        with T.serial(16) as i:
            A[i] = 1.0

    @T.prim_func
    def withgrid(A: T.Buffer((16, 4), "float32")):
        with T.grid(16, 4) as [i, j]:
            A[i, j] = 1.0

    @T.prim_func
    def ceild(A: T.Buffer((16,), "int32")):
        for i in range(T.ceildiv(256, 1)):
            A[i % 16] = T.ceildiv(255, 16)

    @T.prim_func
    def serialdt(A: T.Buffer((16,), "float32")):
        for i in T.serial(T.int64(16)):
            A[i] = 1.0
        for i in T.serial(16, annotations=None):
            A[i] = 1.0
        for i in T.serial(start=0, stop=16):
            A[i] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def ceild(A: T.Buffer((16,), "int32")):
        for i in range(256):
            A[i % 16] = 16

    @T.prim_func
    def rangeann(A: T.Buffer((16,), "float32")):
        for i in T.serial(5, annotations={"pragma": 1}):
            A[i] = T.float32(0)

    @T.prim_func
    def rangeann2(A: T.Buffer((16,), "float32")):
        for i in T.serial(1, 5, annotations={"pragma": 1}):
            A[i] = T.float32(0)

    @T.prim_func
    def serialdt(A: T.Buffer((16,), "float32")):
        for i in range(T.int64(16)):
            A[i] = T.float32(1)
        for i in range(16):
            A[i] = T.float32(1)
        for i in range(16):
            A[i] = T.float32(1)

    @T.prim_func
    def withgrid(A: T.Buffer((16, 4), "float32")):
        for i, j in T.grid(16, 4):
            A[i, j] = T.float32(1)

    @T.prim_func
    def withloop(A: T.Buffer((16,), "float32")):
        for i in range(16):
            A[i] = T.float32(1)
