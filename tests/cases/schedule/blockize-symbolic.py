# The extent of an axis of the outer block is a product in the order of its digits, the innermost first.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(64)))
    B = T.match_buffer(b, (n, T.int64(64)))
    for i, j, k in T.grid(n, T.int64(8), T.int64(8)):
        with T.block("B"):
            vi = T.axis.spatial(n * T.int64(64), i * T.int64(64) + j * T.int64(8) + k)
            B[vi // T.int64(64), vi % T.int64(64)] = A[vi // T.int64(64), vi % T.int64(64)] + T.float32(1)

# schedule
def schedule(sch):
    sch.blockize(sch.get_loops("B")[2])

# after
# from tvm.script import tir as T

@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(64)))
    B = T.match_buffer(b, (n, T.int64(64)))
    # with T.block("root"):
    for i, j in T.grid(n, T.int64(8)):
        with T.block("B_o"):
            vi_o = T.axis.spatial(T.int64(8) * n, i * T.int64(8) + j)
            T.reads(A[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8):vi_o % T.int64(8) * T.int64(8) + T.int64(8)])
            T.writes(B[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8):vi_o % T.int64(8) * T.int64(8) + T.int64(8)])
            for k in range(T.int64(8)):
                with T.block("B"):
                    vi_i = T.axis.spatial(T.int64(8), k)
                    T.reads(A[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8) + vi_i])
                    T.writes(B[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8) + vi_i])
                    B[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8) + vi_i] = A[vi_o // T.int64(8), vi_o % T.int64(8) * T.int64(8) + vi_i] + T.float32(1)
