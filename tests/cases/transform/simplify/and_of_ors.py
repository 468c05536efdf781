# pass: tir.Simplify(convert_boolean_to_and_of_ors=True)
@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = (i == 0 and j == 10) or (i == 0 and j == 20)
    A[1] = (i == 0 or j == 5) and (i == 0 or j == 6)
    A[2] = (i < 4 and j < 3) or (i < 4 and j >= 3)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = i == 0 and (j == 10 or j == 20)
    A[1] = i == 0
    A[2] = i < 4
