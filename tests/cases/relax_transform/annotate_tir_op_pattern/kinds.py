# pass: relax.AnnotateTIROpPattern
@I.ir_module
class Module:
    @T.prim_func
    def elementwise(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                c[vi, vj] = a[vi, vj] + b[vj]

    @T.prim_func
    def broadcast(a: T.Buffer((1, 8), "float32"), c: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                c[vi, vj] = a[0, vj]

    @T.prim_func
    def injective(a: T.Buffer((8, 4), "float32"), c: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                c[vi, vj] = a[vj, vi]

    @T.prim_func
    def reduction(a: T.Buffer((4, 8), "float32"), c: T.Buffer((4,), "float32")):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    c[vi] = T.float32(0)
                c[vi] = c[vi] + a[vi, vj]

    @T.prim_func
    def pooling(a: T.Buffer((8,), "float32"), c: T.Buffer((4,), "float32")):
        for i, j in T.grid(4, 2):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    c[vi] = T.float32(0)
                c[vi] = T.max(c[vi], a[vi * 2 + vj])

    @T.prim_func
    def matmul(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8, 4), "float32"), c: T.Buffer((4, 4), "float32")):
        for i, j, k in T.grid(4, 4, 8):
            with T.block("c"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    c[vi, vj] = T.float32(0)
                c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]

    @T.prim_func
    def normalized(a: T.Buffer((4, 8), "float32"), c: T.Buffer((4, 8), "float32")):
        total = T.alloc_buffer((4,), "float32")
        for i, j in T.grid(4, 8):
            with T.block("total"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + a[vi, vj]
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                c[vi, vj] = a[vi, vj] / total[vi]

    @T.prim_func
    def opaque(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "int32"), c: T.Buffer((16,), "float32")):
        for i in T.serial(8):
            with T.block("c"):
                vi = T.axis.spatial(8, i)
                c[vi * 2] = a[vi]

    @T.prim_func
    def without_store(a: T.Buffer((8,), "float32")):
        with T.block("call"):
            T.reads(a[0:8])
            T.writes()
            T.evaluate(T.call_extern("int32", "f", a.data))

    @T.prim_func
    def gather(a: T.Buffer((8,), "float32"), index: T.Buffer((4,), "int64"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("c"):
                vi = T.axis.spatial(4, i)
                c[vi] = a[index[vi]]

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def broadcast(a: T.Buffer((1, 8), "float32"), c: T.Buffer((4, 8), "float32")):
        T.func_attr({"op_pattern": 1})
        # with T.block("root"):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[0, vj])
                T.writes(c[vi, vj])
                c[vi, vj] = a[0, vj]

    @T.prim_func
    def elementwise(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((4, 8), "float32")):
        T.func_attr({"op_pattern": 0})
        # with T.block("root"):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, vj], b[vj])
                T.writes(c[vi, vj])
                c[vi, vj] = a[vi, vj] + b[vj]

    @T.prim_func
    def gather(a: T.Buffer((8,), "float32"), index: T.Buffer((4,), "int64"), c: T.Buffer((4,), "float32")):
        T.func_attr({"op_pattern": 8})
        # with T.block("root"):
        for i in range(4):
            with T.block("c"):
                vi = T.axis.spatial(4, i)
                T.reads(a[index[vi]], index[vi])
                T.writes(c[vi])
                c[vi] = a[index[vi]]

    @T.prim_func
    def injective(a: T.Buffer((8, 4), "float32"), c: T.Buffer((4, 8), "float32")):
        T.func_attr({"op_pattern": 2})
        # with T.block("root"):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vj, vi])
                T.writes(c[vi, vj])
                c[vi, vj] = a[vj, vi]

    @T.prim_func
    def matmul(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8, 4), "float32"), c: T.Buffer((4, 4), "float32")):
        T.func_attr({"op_pattern": 4})
        # with T.block("root"):
        for i, j, k in T.grid(4, 4, 8):
            with T.block("c"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(a[vi, vk], b[vk, vj])
                T.writes(c[vi, vj])
                with T.init():
                    c[vi, vj] = T.float32(0)
                c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]

    @T.prim_func
    def normalized(a: T.Buffer((4, 8), "float32"), c: T.Buffer((4, 8), "float32")):
        T.func_attr({"op_pattern": 4})
        # with T.block("root"):
        total = T.alloc_buffer((4,))
        for i, j in T.grid(4, 8):
            with T.block("total"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(a[vi, vj])
                T.writes(total[vi])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + a[vi, vj]
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, vj], total[vi])
                T.writes(c[vi, vj])
                c[vi, vj] = a[vi, vj] / total[vi]

    @T.prim_func
    def opaque(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "int32"), c: T.Buffer((16,), "float32")):
        T.func_attr({"op_pattern": 8})
        # with T.block("root"):
        for i in range(8):
            with T.block("c"):
                vi = T.axis.spatial(8, i)
                T.reads(a[vi])
                T.writes(c[vi * 2])
                c[vi * 2] = a[vi]

    @T.prim_func
    def pooling(a: T.Buffer((8,), "float32"), c: T.Buffer((4,), "float32")):
        T.func_attr({"op_pattern": 4})
        # with T.block("root"):
        for i, j in T.grid(4, 2):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(a[vi * 2 + vj])
                T.writes(c[vi])
                with T.init():
                    c[vi] = T.float32(0)
                c[vi] = T.max(c[vi], a[vi * 2 + vj])

    @T.prim_func
    def reduction(a: T.Buffer((4, 8), "float32"), c: T.Buffer((4,), "float32")):
        T.func_attr({"op_pattern": 3})
        # with T.block("root"):
        for i, j in T.grid(4, 8):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(a[vi, vj])
                T.writes(c[vi])
                with T.init():
                    c[vi] = T.float32(0)
                c[vi] = c[vi] + a[vi, vj]

    @T.prim_func
    def without_store(a: T.Buffer((8,), "float32")):
        T.func_attr({"op_pattern": 8})
        with T.block("call"):
            T.reads(a[0:8])
            T.writes()
            T.call_extern("int32", "f", a.data)
