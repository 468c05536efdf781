# pass: tir.TextureFlatten
# values: not compared: textures are memory of a device
# differs from TVM: its text does not read back; the program is the same
@T.prim_func
def main(a: T.handle, B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    A = T.match_buffer(a, (8, 16, 4), "float32", scope="global.texture")
    T.realize(A[0:8, 0:16, 0:4], "global.texture")
    for j, k in T.grid(8, 16):
        A[j, k, 0] = B[j, k, 0]
    T.realize(B[0:8, 0:16, 0:4], "")
    B[0, 0, 0] = A[1, 2, 3]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    A = T.match_buffer(a, (8, 16, 4), scope="global.texture")
    T.attr(A, "realize_scope", "global.texture")
    for j, k in T.grid(8, 16):
        T.Call("handle", "tir.texture2d_store", [A.data, k, j, B[j, k, 0]])
    T.realize(B[0:8, 0:16, 0:4], "")
    B[0, 0, 0] = T.texture2d_load(A.data, 2, 1, 3)
