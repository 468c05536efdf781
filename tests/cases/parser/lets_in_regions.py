@I.ir_module
class Module:
    @T.prim_func
    def let_reg(A: T.Buffer((16,), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                row = A[vi]
                C[vi] = B[row, A[row]]

    @T.prim_func
    def let_while(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                x = A[vi]
                if x < 4:
                    C[x] = A[A[x]]

    @T.prim_func
    def let_reg7(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                x = A[vi]
                for j in range(x, x + 4):
                    C[vi] = A[A[j]] + A[x + j]

    @T.prim_func
    def nested(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                x = A[vi] + 1
                if x < 16:
                    C[x] = C[A[x] + x]


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def let_reg(A: T.Buffer((16,), "int32"), B: T.Buffer((16, 16), "int32"), C: T.Buffer((16,), "int32")):
        # with T.block("root"):
        for i in range(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                T.reads(A[T.min(vi, A[vi]):T.min(vi, A[vi]) + (T.max(vi, A[vi]) + 1 - T.min(vi, A[vi]))], B[A[vi], A[A[vi]]])
                T.writes(C[vi])
                row: T.int32 = A[vi]
                C[vi] = B[row, A[row]]

    @T.prim_func
    def let_reg7(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        # with T.block("root"):
        for i in range(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                T.reads(A[0:16])
                T.writes(C[vi])
                x: T.int32 = A[vi]
                for j in range(x, x + 4):
                    C[vi] = A[A[j]] + A[x + j]

    @T.prim_func
    def let_while(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        # with T.block("root"):
        for i in range(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                T.reads(A[T.min(T.min(vi, A[A[vi]]), A[vi]):T.min(T.min(vi, A[A[vi]]), A[vi]) + (T.max(T.max(vi, A[A[vi]]), A[vi]) + 1 - T.min(T.min(vi, A[A[vi]]), A[vi]))])
                T.writes(C[A[vi]])
                x: T.int32 = A[vi]
                if x < 4:
                    C[x] = A[A[x]]

    @T.prim_func
    def nested(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
        # with T.block("root"):
        for i in range(16):
            with T.block("block"):
                vi = T.axis.spatial(16, i)
                T.reads(A[T.min(vi, A[vi] + 1):T.min(vi, A[vi] + 1) + (T.max(vi, A[vi] + 1) + 1 - T.min(vi, A[vi] + 1))], C[A[A[vi] + 1] + (A[vi] + 1)])
                T.writes(C[A[vi] + 1])
                x: T.int32 = A[vi] + 1
                if x < 16:
                    C[x] = C[A[x] + x]
