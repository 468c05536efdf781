# pass: tir.VerifyVTCMLimit(4096)
# differs from TVM: the oracle takes a target
@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    B = T.allocate([1024], "float32", "global.vtcm")
    B_1 = T.Buffer((1024,), data=B, scope="global.vtcm")
    for i in range(14):
        B_1[i] = A[i, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    B_1 = T.allocate([1024], "float32", "global.vtcm")
    for i in range(14):
        B_1_1 = T.Buffer((1024,), data=B_1, scope="global.vtcm")
        B_1_1[i] = A[i, 0]
