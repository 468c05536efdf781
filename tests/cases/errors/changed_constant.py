@T.prim_func
def main():
    c = T.allocate_const(T.metadata("sha256:00"), "int8", [2])  # error: TS2051 "T.metadata"
    T.evaluate(c)

metadata = {"sha256:00": T.data("int8", [2], "AQI=")}

# output
error[TS2051]: the data of the constant sha256:00 have the fingerprint sha256:aa678146e95a2a3297cb0a5c22094f47
 --> <text>:3:26
  |
3 |     c = T.allocate_const(T.metadata("sha256:00"), "int8", [2])  # error: TS2051 "T.metadata"
  |                          ^^^^^^^^^^^^^^^^^^^^^^^
