@I.ir_module
class Module:
    @T.prim_func
    def axes(A: T.Buffer((16,), "float32"), n: T.int32):
        for i, j, k, l in T.grid(16, 16, 16, 16):
            with T.block('x'):
                vi = T.axis.S(16, i)
                vj = T.axis.R((2, 18), j + 2)
                vk = T.axis.scan(16, k)
                vl = T.axis.opaque(16, l)
                T.where(i < 4)
                A[vi] = A[vj] + A[vk] + A[vl]

    @T.prim_func
    def remap1(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(2, 10):
            with T.block('x'):
                vi = T.axis.remap('S', [i])
                A[vi] = 1.0

    @T.prim_func
    def axis64(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(T.int64(10)):
            with T.block('x'):
                vi = T.axis.spatial(T.int64(10), i)
                A[vi] = 1.0

    @T.prim_func
    def axis64b(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in T.serial(10):
            with T.block('x'):
                vi = T.axis.spatial(T.int64(10), T.Cast('int64', i))
                A[vi] = 1.0

    @T.prim_func
    def axisnobind(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                T.axis.spatial(4, i)
                A[0] = 1.0

    @T.prim_func
    def block_attr(A: T.Buffer((16,), "float32"), n: T.int32):
        for i in range(16):
            with T.block('x'):
                vi = T.axis.spatial(16, i)
                T.block_attr({'a': 1, 'b': [1, 2, 'x'], 'c': {'d': T.float32(1)}, 'e': True, 'f': 1.5, 'g': None})
                A[vi] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def axes(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i, j, k, l in T.grid(16, 16, 16, 16):
            with T.block("x"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.reduce((2, 18), j + 2)
                vk = T.axis.scan(16, k)
                vl = T.axis.opaque(16, l)
                T.where(i < 4)
                T.reads(A[T.min(T.min(vj, vk), vl):T.min(T.min(vj, vk), vl) + (T.max(T.max(vj, vk), vl) + 1 - T.min(T.min(vj, vk), vl))])
                T.writes(A[vi])
                A[vi] = A[vj] + A[vk] + A[vl]

    @T.prim_func
    def axis64(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(T.int64(10)):
            with T.block("x"):
                vi = T.axis.spatial(T.int64(10), i)
                T.reads()
                T.writes(A[vi])
                A[vi] = T.float32(1)

    @T.prim_func
    def axis64b(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(10):
            with T.block("x"):
                vi = T.axis.spatial(T.int64(10), T.Cast("int64", i))
                T.reads()
                T.writes(A[vi])
                A[vi] = T.float32(1)

    @T.prim_func
    def axisnobind(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                v = T.axis.spatial(4, i)
                T.reads()
                T.writes(A[0])
                T.evaluate(v)
                A[0] = T.float32(1)

    @T.prim_func
    def block_attr(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(16):
            with T.block("x"):
                vi = T.axis.spatial(16, i)
                T.reads()
                T.writes(A[vi])
                T.block_attr({"a": 1, "b": [1, 2, "x"], "c": {"d": T.float32(1)}, "e": T.bool(True), "f": T.float32(1.5), "g": None})
                A[vi] = T.float32(1)

    @T.prim_func
    def remap1(A: T.Buffer((16,), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(2, 10):
            with T.block("x"):
                vi = T.axis.spatial((2, 10), i)
                T.reads()
                T.writes(A[vi])
                A[vi] = T.float32(1)
