"""LowerThreadAllreduce: lower reductions over threads to shuffles and shared memory."""
