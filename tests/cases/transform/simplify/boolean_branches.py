# pass: tir.Simplify(apply_constraints_to_boolean_branches=True)
@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = (i > 5 or j < 3) and i > 5
    A[1] = i < 5 or i < 7
    A[2] = i <= 5 and i >= 5

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = 5 < i
    A[1] = i < 7
    A[2] = i == 5
