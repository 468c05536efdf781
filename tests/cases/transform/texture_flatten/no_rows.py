# pass: tir.TextureFlatten
# raises: NotATexture
@T.prim_func
def main(A: T.Buffer((8, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    C = T.Buffer((8, 4), "float32", scope="global.texture")
    T.realize(C[0:8, 0:4], "")
    C[0, 0] = A[0, 0]

# after
error[TS4047]: C cannot be a texture: its rank is 2, expected 3 or more
 --> <text>:5:5
  |
5 |     T.realize(C[0:8, 0:4], "")
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^
