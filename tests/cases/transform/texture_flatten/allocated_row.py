# pass: tir.TextureFlatten
# raises: NotATexture
# differs from TVM: it stores every element to the first pixel
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), scope="global.texture")
    for i in range(16):
        C[i] = A[i]
    for i in range(16):
        B[i] = C[i]

# after
error[TS4047]: C cannot be a texture: its rank is 1, expected 3 or more
 --> <text>:5:9
  |
5 |         C[i] = A[i]
  |         ^^^^^^^^^^^
