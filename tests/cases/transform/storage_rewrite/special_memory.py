# pass: tir.StorageRewrite
# values: not compared: indices count from the beginning of the whole piece, which the shapes of its parts do not tell
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.allocate([16], "float32", "global.x")
    C = T.allocate([16], "float32", "global.x")
    E = T.allocate([32], "int8", "global.x")
    F = T.allocate([16], "float32", "global")
    B_1 = T.Buffer((16,), data=B, scope="global.x")
    C_1 = T.Buffer((16,), data=C, scope="global.x")
    E_1 = T.Buffer((32,), "int8", data=E, scope="global.x")
    F_1 = T.Buffer((16,), data=F)
    for j in range(16):
        B_1[j] = A[j]
    for j in range(16):
        C_1[j] = A[j]
    for j in range(32):
        E_1[j] = T.int8(1)
    for j in range(16):
        F_1[j] = B_1[15 - j] + T.Cast("float32", E_1[j])
    for j in range(16):
        D[j] = F_1[15 - j] + C_1[j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B_1 = T.allocate([40], "float32", "global.x")
    F_1 = T.allocate([16], "float32", "global")
    B_1_1 = T.Buffer((16,), data=B_1, scope="global.x")
    for j in range(16):
        B_1_1[j] = A[j]
    B_1_2 = T.Buffer((16,), data=B_1, scope="global.x")
    for j in range(16):
        B_1_2[16 + j] = A[j]
    B_1_3 = T.Buffer((32,), "int8", data=B_1, scope="global.x")
    for j in range(32):
        B_1_3[128 + j] = T.int8(1)
    F_1_1 = T.Buffer((16,), data=F_1)
    for j in range(16):
        F_1_1[j] = B_1_1[15 - j] + T.Cast("float32", B_1_3[128 + j])
    for j in range(16):
        D[j] = F_1_1[15 - j] + B_1_2[16 + j]
