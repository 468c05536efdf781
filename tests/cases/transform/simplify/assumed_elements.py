# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
# values: not compared: what is assumed need not hold
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if 14 <= i:
            T.evaluate(T.assume(A[i] == 0))
    for i in range(16):
        if 14 <= i:
            if A[i] == 0:
                A[i] = 42
        else:
            if A[i] == 0:
                A[i] = 100

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if 14 <= i:
            T.assume(A[i] == 0)
    for i in range(16):
        if 14 <= i:
            A[i] = 42
        else:
            if A[i] == 0:
                A[i] = 100
