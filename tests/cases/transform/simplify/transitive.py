# pass: tir.Simplify(transitively_prove_inequalities=True)
@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    if i < j:
        if j < k - 7:
            A[0] = i < k - 3
            A[1] = k < i

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    if i < j:
        if j + 7 < k:
            A[0] = T.bool(True)
            A[1] = T.bool(False)
