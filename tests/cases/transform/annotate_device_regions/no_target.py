# pass: tir.AnnotateDeviceRegions
# raises: NoTarget
@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    bx = T.launch_thread("blockIdx.x", 8)
    A[bx] = T.float32(0)

# after
error[TS4061]: tir.AnnotateDeviceRegions requires a target of main; run tir.BindTarget first
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((8,), "float32")):
  | ^^^^^^^^
