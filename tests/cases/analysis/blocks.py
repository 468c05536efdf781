# program: elem
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i, j in T.grid(128, 128):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0

# program: inner
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            for j, k in T.grid(8, 128):
                if k < 64:
                    B[vi * 8 + j, k] = A[vi * 8 + j, k] + A[j, k + 32]
                else:
                    B[vi * 8 + j, k] = A[vi * 8 + j, 127 - k]

# program: nested
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("o"):
            vi = T.axis.spatial(16, i)
            for j, k in T.grid(8, 128):
                with T.block("b"):
                    vj, vk = T.axis.remap("SS", [j, k])
                    T.where(vi * 8 + j < 100)
                    B[vi * 8 + vj, vk] = A[vi * 8 + vj, vk]

# program: gather
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128], I[0:128])
            T.writes(B[0:128, 0:128])
            for j in range(8):
                B[I[vi], j] = A[I[vi] + j, I[j]]

# program: opaque
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128])
            T.writes(B[0:128, 0:128])
            T.evaluate(T.call_extern("int32", "f", A.data, B.data))

# program: access_ptr
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128])
            T.writes(B[0:128, 0:128])
            T.evaluate(T.call_extern("int32", "f", A.access_ptr("r"), B.access_ptr("w")))
        with T.block("c"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128])
            T.writes(B[0:128, 0:128])
            T.evaluate(T.call_extern("int32", "f", A.access_ptr("rw")))
        with T.block("d"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128])
            T.writes(B[0:128, 0:128])
            T.evaluate(T.call_extern("int32", "f", A.access_ptr("r"), B.access_ptr("w", offset=vi)))

# program: addr
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:128, 0:128])
            T.writes(B[0:128, 0:128])
            T.evaluate(T.call_extern("int32", "f", T.address_of(A[vi, 0])))

# program: init
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0.0
            B[vi, vj] = B[vi, vj] + A[vi, vk] * A[vj, vk]

# program: match
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i, j in T.grid(8, 8):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16])
            T.writes(B[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16])
            AA = T.match_buffer(A[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], (16, 16), offset_factor=1)
            BB = T.match_buffer(B[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], (16, 16), offset_factor=1)
            for x, y in T.grid(16, 16):
                with T.block("in"):
                    vx, vy = T.axis.remap("SS", [x, y])
                    BB[vx, vy] = AA[vx, vy]

# program: let
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            with T.LetStmt(vi * 4) as x:
                B[x, x + 1] = A[x, 0]
            y = T.int32()
            B[vi, 0] = A[T.Let(y + 1, where={y: vi}), 0]

# program: ifelse
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            for j in range(128):
                B[vi, j] = T.if_then_else(j < 10, A[vi, j], T.if_then_else(20 <= j and j < n, A[vi, j], 0.0))
        with T.block("c"):
            vi = T.axis.spatial(16, i)
            for j in range(128):
                B[vi, j] = T.Select(j < 10, A[vi, j], 0.0)
        with T.block("d"):
            vi = T.axis.spatial(16, i)
            for j in range(128):
                if T.likely(j * 2 + vi < 100):
                    B[vi, j] = A[vi, j]
                if not (j < 3) and j <= 40:
                    B[vi, j] = A[vi, j]
                if j == 3 or j == 4:
                    B[vi + 1, j] = A[vi, j]
                if n < 4:
                    B[vi + 2, j] = A[vi, j]

# program: divmod
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            for j, k in T.grid(12, 10):
                B[(vi * 8 + j) // 4, (vi * 8 + j) % 4] = A[(j * 10 + k) // 7, (j * 10 + k) % 7]
                B[T.truncdiv(j, 4), T.truncmod(j, 4)] = A[T.max(j, 5), T.min(k, 4)]
                B[T.shift_right(j, 1), T.bitwise_and(j, 3)] = A[j * k, n * j]

# program: vector
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            for j in range(12):
                B[vi, T.Ramp(j * 4, 1, 4)] = A[vi, T.Ramp(j * 4, 2, 4)]
                B[vi, T.Broadcast(j, 4)] = A[j, T.Ramp(j + 3, -1, 4)]

# program: symbolic
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(n):
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            for j in range(n):
                B[vi, j] = A[vi, j + 1]
                for k in range(j + 1):
                    B[k, j] = A[j, k]
                for k in range(vi, n):
                    B[k, 0] = 1.0

# program: while
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            while B[vi, 0] < 3.0:
                B[vi, 0] = B[vi, 0] + A[vi, 1]

# program: opaqueblock
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    with T.block("root0"):
        T.reads(A[0:128, 0:128])
        T.writes(B[0:128, 0:128])
        C = T.alloc_buffer((128, 128))
        for i in T.thread_binding(128, "threadIdx.x"):
            with T.block("b"):
                T.reads(A[i, 0:128])
                T.writes(C[i, 0:128])
                D = T.alloc_buffer((4,))
                for j in range(128):
                    D[j % 4] = A[i, j]
                    C[i, j] = D[j % 4]
        for i in T.serial(128):
            for j in range(128):
                with T.block("c"):
                    T.reads(C[i, j])
                    T.writes(B[i, j])
                    B[i, j] = C[i, j]

# program: lca
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    C = T.alloc_buffer((128, 128))
    D = T.alloc_buffer((128, 128))
    E = T.alloc_buffer((128, 128))
    U = T.alloc_buffer((128, 128))
    for i in range(128):
        for j in range(128):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]
        for j in range(128):
            with T.block("d"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj]
                E[vi, vj] = D[vi, vj]
                B[vi, vj] = E[vi, vj]

# program: lca_red
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    C = T.alloc_buffer((128,))
    for i in range(128):
        for j in range(128):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    C[vi] = 0.0
                C[vi] = C[vi] + A[vi, vj]
        with T.block("d"):
            vi = T.axis.spatial(128, i)
            B[vi, 0] = C[vi]

# program: lca_red2
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    C = T.alloc_buffer((128,))
    for i in range(128):
        for j in range(128):
            with T.block("c"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    C[vi] = 0.0
                C[vi] = C[vi] + A[vi, vj]

# program: lca_opaque
@T.prim_func
def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), I: T.Buffer((128,), "int32"), n: T.int32):
    C = T.alloc_buffer((128,))
    for i in range(128):
        for j in range(128):
            with T.block("c"):
                vi = T.axis.spatial(128, i)
                vj = T.axis.opaque(128, j)
                C[vi] = A[vi, vj]
