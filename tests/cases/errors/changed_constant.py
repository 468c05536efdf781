@T.prim_func
def main():
    c = T.allocate_const(T.metadata("sha256:00"), "int8", [2])  # error: TS2051 "T.metadata"
    T.evaluate(c)

metadata = {"sha256:00": T.data("int8", [2], "AQI=")}
