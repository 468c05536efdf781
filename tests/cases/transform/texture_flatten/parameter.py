# pass: tir.TextureFlatten
# values: not compared: textures are memory of a device
# differs from TVM: its text does not read back; the program is the same
@T.prim_func
def main(a: T.handle, B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    A = T.match_buffer(a, (8, 16, 4), "float32", scope="global.texture")
    for j, k, l in T.grid(8, 16, 4):
        B[j, k, l] = A[j, k, l] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    A = T.match_buffer(a, (8, 16, 4), scope="global.texture")
    for j, k, l in T.grid(8, 16, 4):
        B[j, k, l] = T.texture2d_load(A.data, k, j, l) + T.float32(1)
