@I.ir_module
class Module:
    @T.prim_func
    def acc1(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(16):
            with T.block('x'):
                vi = T.axis.spatial(16, i)
                for j in range(16):
                    B[vi, j] = A[vi, j] + A[vi, 15 - j]

    @T.prim_func
    def acc2(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                for j in range(4):
                    B[vi*4 + j, 0] = A[vi*4 + j, j]
                    B[vi*4 + j, 1] = A[vi*4 + j, j + 1]

    @T.prim_func
    def acc3_if(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                for j in range(16):
                    if j < 8:
                        B[vi, j] = A[vi, j]

    @T.prim_func
    def acc4_ite(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                for j in range(16):
                    B[vi, j] = T.if_then_else(j < 8, A[vi, j], A[vi, j-8])

    @T.prim_func
    def acc6_nested(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                for j in range(4):
                    with T.block('y'):
                        vj = T.axis.spatial(4, j)
                        B[vi, vj*2] = A[vi, vj]

    @T.prim_func
    def acc7_init(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                with T.init():
                    B[vi, 0] = 0.0
                B[vi, 0] = B[vi, 0] + A[vi, n]

    @T.prim_func
    def acc8_noinit(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                B[vi, 0] = B[vi, 0] + A[vi, n]

    @T.prim_func
    def acc11_accptr(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(16):
            with T.block('x'):
                vi = T.axis.spatial(16, i)
                T.evaluate(T.call_extern('int32', 'f', A.access_ptr('r'), B.access_ptr('w')))

    @T.prim_func
    def acc12_match(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                C = T.match_buffer(A[vi*4:vi*4+4, 0:16], (4, 16))
                for j in range(4):
                    C[j, 0] = 1.0

    @T.prim_func
    def acc13_alloc(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                C = T.alloc_buffer((4, 16))
                for j in range(4):
                    C[j, 0] = 1.0
                    A[vi, j] = C[j, 0]

    @T.prim_func
    def acc14_symb(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('x'):
            for j in range(n):
                A[j, n] = B[n - j, j * n]

    @T.prim_func
    def acc16_vec(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                A[vi, 0:4] = B[vi, 4:8]

    @T.prim_func
    def acc17_stride(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                for j in range(4):
                    A[vi, 2*j] = B[vi, 15-3*j]

    @T.prim_func
    def acc20_unionsym(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                A[vi, n] = B[vi, 0] + B[vi+1, 3] + B[vi+2, 2]

    @T.prim_func
    def acc21_reads_only(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi, 0])
                A[vi, n] = B[vi, 0] + B[vi+1, 3] + B[vi+2, 2]

    @T.prim_func
    def fixed_if_in_blk_cond_read(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        for i in range(4):
            with T.block('x'):
                vi = T.axis.spatial(4, i)
                T.where(i < n)
                if A[vi, 0] > 1.0:
                    A[vi, n] = B[vi, 0]


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def acc1(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(16):
            with T.block("x"):
                vi = T.axis.spatial(16, i)
                T.reads(A[vi, 0:16])
                T.writes(B[vi, 0:16])
                for j in range(16):
                    B[vi, j] = A[vi, j] + A[vi, 15 - j]

    @T.prim_func
    def acc11_accptr(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(16):
            with T.block("x"):
                vi = T.axis.spatial(16, i)
                T.reads(A[0:16, 0:16])
                T.writes(B[0:16, 0:16])
                T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 256, 1), T.tvm_access_ptr(T.type_annotation("float32"), B.data, 0, 256, 2))

    @T.prim_func
    def acc12_match(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads()
                T.writes(A[vi * 4:vi * 4 + 4, 0])
                C = T.match_buffer(A[vi * 4:vi * 4 + 4, 0:16], (4, 16))
                for j in range(4):
                    C[j, 0] = T.float32(1)

    @T.prim_func
    def acc13_alloc(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads()
                T.writes(A[vi, 0:4])
                C = T.alloc_buffer((4, 16))
                for j in range(4):
                    C[j, 0] = T.float32(1)
                    A[vi, j] = C[j, 0]

    @T.prim_func
    def acc14_symb(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block("x"):
            T.reads()
            T.writes()
            for j in range(n):
                A[j, n] = B[n - j, j * n]

    @T.prim_func
    def acc16_vec(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi, 4:8])
                T.writes(A[vi, 0:4])
                A[vi, 0:4] = B[vi, 4:8]

    @T.prim_func
    def acc17_stride(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi, 6:16])
                T.writes(A[vi, 0:7])
                for j in range(4):
                    A[vi, 2 * j] = B[vi, 15 - 3 * j]

    @T.prim_func
    def acc2(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi * 4:vi * 4 + 4, 0:5])
                T.writes(B[vi * 4:vi * 4 + 4, 0:2])
                for j in range(4):
                    B[vi * 4 + j, 0] = A[vi * 4 + j, j]
                    B[vi * 4 + j, 1] = A[vi * 4 + j, j + 1]

    @T.prim_func
    def acc20_unionsym(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi:vi + 3, 0:4])
                T.writes(A[vi, n])
                A[vi, n] = B[vi, 0] + B[vi + 1, 3] + B[vi + 2, 2]

    @T.prim_func
    def acc21_reads_only(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi, 0])
                T.writes(A[vi, n])
                A[vi, n] = B[vi, 0] + B[vi + 1, 3] + B[vi + 2, 2]

    @T.prim_func
    def acc3_if(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, 0:8])
                T.writes(B[vi, 0:8])
                for j in range(16):
                    if j < 8:
                        B[vi, j] = A[vi, j]

    @T.prim_func
    def acc4_ite(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, 0:8])
                T.writes(B[vi, 0:16])
                for j in range(16):
                    B[vi, j] = T.if_then_else(j < 8, A[vi, j], A[vi, j - 8])

    @T.prim_func
    def acc6_nested(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, 0:4])
                T.writes(B[vi, 0:7])
                for j in range(4):
                    with T.block("y"):
                        vj = T.axis.spatial(4, j)
                        T.reads(A[vi, vj])
                        T.writes(B[vi, vj * 2])
                        B[vi, vj * 2] = A[vi, vj]

    @T.prim_func
    def acc7_init(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, n])
                T.writes(B[vi, 0])
                with T.init():
                    B[vi, 0] = T.float32(0)
                B[vi, 0] = B[vi, 0] + A[vi, n]

    @T.prim_func
    def acc8_noinit(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(B[vi, 0], A[vi, n])
                T.writes(B[vi, 0])
                B[vi, 0] = B[vi, 0] + A[vi, n]

    @T.prim_func
    def fixed_if_in_blk_cond_read(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.where(i < n)
                T.reads(A[vi, 0], B[vi, 0])
                T.writes(A[vi, n])
                if A[vi, 0] > T.float32(1):
                    A[vi, n] = B[vi, 0]
