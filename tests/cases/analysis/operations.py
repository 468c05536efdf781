# program: expr00
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + 1.0

# program: expr01
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] * A[i] - 2.0

# program: expr02
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.exp(A[i])

# program: expr03
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.Select(i < 3, A[i], 0.0)

# program: expr04
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.if_then_else(i < 3, A[i] + 1.0, A[i] * 2.0 + 1.0)

# program: expr05
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.max(A[i], 0.0)

# program: expr06
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.Cast("float32", i)

# program: expr07
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i // 2 + i % 2]

# program: expr08
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[T.truncdiv(i, 2)]

# program: expr10
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = -A[i]

# program: expr11
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.Cast("float32", A[i] < 1.0 and i > 2 or not (i == 3))

# program: expr12
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.Cast("float32", T.bitwise_and(i, 3))

# program: expr13
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.sqrt(A[i] + 1.0) / A[i]

# program: expr14
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(3)

# program: expr15
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    x = T.float32()
    for i in range(16):
        B[i] = T.Let(A[i] + x, where={x: A[i] * 2.0})

# program: expr16
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.call_pure_extern("float32", "f", A[i] + 1.0)

# program: expr17
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.call_extern("float32", "f", A[i])

# program: expr18
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.Cast("float32", T.tvm_call_packed("f", A[i]))

# program: expr19
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.pow(A[i], 2.0)

# program: expr20
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.infinity("float32")

# program: expr21
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.reinterpret("float32", i)

# program: expr22
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + T.exp2(A[i] * 2.0)

# program: flop_if
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if i + 1 < n:
            B[i] = A[i] + 1.0
        else:
            B[i] = A[i] * 2.0 + 1.0

# program: flop_let
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        with T.LetStmt(A[i] * 3.0) as x:
            B[i] = x + 1.0

# program: flop_while
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "int32"), n: T.int32):
    while B[0] < 10:
        B[0] = B[0] + 1

# program: flop_symbolic
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16))
    B = T.match_buffer(b, (n, 16))
    for i, j in T.grid(n, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0

# program: flop_triangle
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i in range(16):
        for j in range(i + 1):
            A[i, j] = A[i, j] + 1.0

# program: flop_seq
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.where(i + j < 20)
            with T.init():
                C[vi, vj] = 0.0 + 1.0
            C[vi, vj] = C[vi, vj] + B[vi, vk] * A[vk, vj]
    for i, j, k in T.grid(16, 16, 4):
        with T.block("D"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] = C[vi, vj] + B[vi, vk]

# program: flop_alloc
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i in range(16):
        b = T.allocate([16], "float32", "global")
        B = T.Buffer((16,), data=b)
        for j in range(16):
            B[j] = A[i, j] + 1.0
            A[i, j] = B[j]

# program: flop_int8
@T.prim_func
def main(A: T.Buffer((16,), "int8"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "float16")):
    for i in range(16):
        B[i] = B[i] + T.Cast("int32", A[i]) * T.Cast("int32", A[i])
        C[i] = C[i] * T.float16(2)

# program: two
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        for i in range(16):
            A[i] = A[i] + 1.0
    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        for i in range(8):
            A[i] = A[i] * 2.0

# program: attr_flops
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.func_attr({"estimated_flops": 100})
    for i in range(16):
        A[i] = A[i] + 1.0
