# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, A: T.Buffer((16,), "float32")):
    with T.attr(x, "pragma_unroll", 1):
        T.evaluate(0)
    with T.attr(A, "key", "value"):
        T.evaluate(0)
    with T.attr("default", "device_id", 0):
        T.evaluate(0)
    T.attr(A.data, "storage_alignment", 128)
    T.attr(0, "compute_scope", "main_compute_")
    T.attr("default", "device_type", 1)
    T.evaluate(0)
