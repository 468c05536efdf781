"""The classic schedule: stages of operations, whose loops are split, fused, ordered, bound and nested.

Stages are lowered by bound inference, not translated to the tensor-level schedule: the text of `tvm.lower` follows from
the ranges that bound inference gives to the axes of each stage, its `likely` conditions from what they prove, and a
stage under a loop of another one needs no dependence analysis, for its region is computed from its consumers. The
result has the nodes that `tir.StorageFlatten` lowers, and goes through the pipeline of all programs.

    relations       how the loops of a stage come from the axes of its operation; messages along them
    stage           one operation and its loops
    schedule        the stages, and `normalize`
    dataflow        cache_read, cache_write, rfactor, inlining, transform_layout: new operations
    bound           ranges of all axes
    loop_nest       loops of one stage, and their conditions
    tensorize       tensor intrinsics on regions of tensors
    lower           loops of all stages, and functions of them
"""
