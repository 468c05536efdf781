# pass: tir.StorageRewrite
@T.prim_func
def main(a: T.handle, d: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,))
    D = T.match_buffer(d, (n,))
    B = T.allocate([n], "float32", "global")
    C = T.allocate([n], "int32", "global")
    E = T.allocate([n + 1], "float32", "global")
    F = T.allocate([n], "float32", "global")
    B_1 = T.Buffer((n,), data=B)
    C_1 = T.Buffer((n,), "int32", data=C)
    E_1 = T.Buffer((n + 1,), data=E)
    F_1 = T.Buffer((n,), data=F)
    for i in range(n):
        B_1[i] = A[i]
    for i in range(n):
        C_1[i] = T.Cast("int32", B_1[n - 1 - i])
    for i in range(n):
        E_1[i] = T.Cast("float32", C_1[n - 1 - i])
    for i in range(n):
        F_1[i] = E_1[n - 1 - i]
    for i in range(n):
        D[i] = F_1[n - 1 - i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, d: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,))
    D = T.match_buffer(d, (n,))
    B_1 = T.allocate([n + 1], "float32", "global")
    C_1 = T.allocate([n], "int32", "global")
    F_1 = T.allocate([n], "float32", "global")
    B_1_1 = T.Buffer((n,), data=B_1)
    for i in range(n):
        B_1_1[i] = A[i]
    C_1_1 = T.Buffer((n,), "int32", data=C_1)
    for i in range(n):
        C_1_1[i] = T.Cast("int32", B_1_1[n - 1 - i])
    B_1_2 = T.Buffer((n + 1,), data=B_1)
    for i in range(n):
        B_1_2[i] = T.Cast("float32", C_1_1[n - 1 - i])
    F_1_1 = T.Buffer((n,), data=F_1)
    for i in range(n):
        F_1_1[i] = B_1_2[n - 1 - i]
    for i in range(n):
        D[i] = F_1_1[n - 1 - i]
