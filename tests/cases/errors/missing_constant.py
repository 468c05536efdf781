@T.prim_func
def main():
    c = T.allocate_const(T.metadata("sha256:00"), "float32", [4])  # error: TS2050 "T.metadata"
    T.evaluate(c)
