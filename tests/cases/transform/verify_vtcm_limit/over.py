# pass: tir.VerifyVTCMLimit(4000)
# raises: TooMuchVTCM
# differs from TVM: the oracle takes a target
@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    B = T.allocate([1024], "float32", "global.vtcm")
    B_1 = T.Buffer((1024,), data=B, scope="global.vtcm")
    for i in range(14):
        B_1[i] = A[i, 0]

# after
error[TS4045]: main allocates 4096 bytes of global.vtcm at the same time, and the limit is 4000
 --> <text>:2:1
  |
2 | def main(A: T.Buffer((16, 64), "float32")):
  | ^^^^^^^^
