# pass: tir.InstrumentBoundCheckers
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(15):
        A[i] = A[i + 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(15):
        A[i] = A[i + 1]
