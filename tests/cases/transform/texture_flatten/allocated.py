# pass: tir.TextureFlatten
# values: not compared: textures are memory of a device
# differs from TVM: its text does not read back; the program is the same
@T.prim_func
def main(A: T.Buffer((4, 8, 4), "float32"), B: T.Buffer((4, 8, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    C = T.alloc_buffer((4, 8, 4), scope="global.texture")
    for i, j in T.grid(4, 8):
        C[i, j, 0:4] = A[i, j, 0:4]
    for i, j, k in T.grid(4, 8, 4):
        B[i, j, k] = C[i, j, k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8, 4), "float32"), B: T.Buffer((4, 8, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    # with T.block("root"):
    C = T.alloc_buffer((4, 8, 4), scope="global.texture")
    for i, j in T.grid(4, 8):
        T.Call("handle", "tir.texture2d_store", [C.data, j, i, A[i, j, 0:4]])
    for i, j, k in T.grid(4, 8, 4):
        B[i, j, k] = T.texture2d_load(C.data, j, i, k)
