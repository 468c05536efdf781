# pass: tir.InstrumentProfileIntrinsics(reset_start_id=True)
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(4):
        for j in range(2):
            for k in range(2):
                A[j] = A[k] + T.float32(1)
        for l in T.parallel(2):
            for m in range(2):
                A[i] = A[m]
            for n in range(2):
                A[i + n] = A[l]
    for i in range(4):
        A[i] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.start_profile_intrinsic(0)
    for i in range(4):
        T.start_profile_intrinsic(2)
        for j, k in T.grid(2, 2):
            A[j] = A[k] + T.float32(1)
        T.end_profile_intrinsic(2)
        T.start_profile_intrinsic(4)
        for l in T.parallel(2):
            for m in range(2):
                A[i] = A[m]
            for n in range(2):
                A[i + n] = A[l]
        T.end_profile_intrinsic(4)
    for i in range(4):
        A[i] = T.float32(2)
    T.end_profile_intrinsic(0)
