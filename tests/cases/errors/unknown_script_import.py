from tvm.script import relay as RR  # error: TS2024 "relay"
