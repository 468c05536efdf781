@I.ir_module
class Module:
    @T.prim_func
    def block_no_iter(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('x'):
            A[0, 0] = B[0, 0]

    @T.prim_func
    def two_blocks(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('x'):
            A[0, 0] = B[0, 0]
        with T.block('y'):
            A[0, 0] = B[0, 0]

    @T.prim_func
    def root_alloc(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        C = T.alloc_buffer((4,))
        A[0, 0] = C[0]

    @T.prim_func
    def root_alloc_2(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('root'):
            C = T.alloc_buffer((4,))
            with T.block('x'):
                A[0, 0] = C[0]

    @T.prim_func
    def root_alloc_3(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('root'):
            C = T.alloc_buffer((4,))
            for i in range(4):
                with T.block('x'):
                    vi = T.axis.spatial(4, i)
                    A[0, 0] = C[vi]

    @T.prim_func
    def acc15_while_let(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block('x'):
            x = n + 1
            A[x, 0] = B[x, 1]


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def acc15_while_let(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block("x"):
            T.reads()
            T.writes()
            x: T.int32 = n + 1
            A[x, 0] = B[x, 1]

    @T.prim_func
    def block_no_iter(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        with T.block("x"):
            T.reads()
            T.writes()
            A[0, 0] = B[0, 0]

    @T.prim_func
    def root_alloc(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        C = T.alloc_buffer((4,))
        A[0, 0] = C[0]

    @T.prim_func
    def root_alloc_2(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        C = T.alloc_buffer((4,))
        with T.block("x"):
            T.reads(C[0])
            T.writes(A[0, 0])
            A[0, 0] = C[0]

    @T.prim_func
    def root_alloc_3(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        C = T.alloc_buffer((4,))
        for i in range(4):
            with T.block("x"):
                vi = T.axis.spatial(4, i)
                T.reads(C[vi])
                T.writes(A[0, 0])
                A[0, 0] = C[vi]

    @T.prim_func
    def two_blocks(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), n: T.int32):
        # with T.block("root"):
        with T.block("x"):
            T.reads(B[0, 0])
            T.writes(A[0, 0])
            A[0, 0] = B[0, 0]
        with T.block("y"):
            T.reads(B[0, 0])
            T.writes(A[0, 0])
            A[0, 0] = B[0, 0]
