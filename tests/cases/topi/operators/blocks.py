"""Space to depth and back, flattening."""


def blocks():
    yield "flatten", "x:float32[n,m,4]", topi.nn.flatten, lambda x: x.reshape(len(x), -1), {"least": 1}
    yield "space_to_depth", "x:float32[n,2,4,6]", lambda x: topi.nn.space_to_depth(x, 2), lambda x: x.reshape(len(x), 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(len(x), 8, 2, 3)
    yield "depth_to_space", "x:float32[n,8,2,3]", lambda x: topi.nn.depth_to_space(x, 2), lambda x: x.reshape(len(x), 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(len(x), 2, 4, 6)
    yield "space_to_depth_nhwc", "x:float32[n,4,6,2]", lambda x: topi.nn.space_to_depth(x, 2, "NHWC"), lambda x: x.reshape(len(x), 2, 2, 3, 2, 2).transpose(0, 1, 3, 2, 4, 5).reshape(len(x), 2, 3, 8)
    yield "depth_to_space_crd", "x:float32[n,8,2,3]", lambda x: topi.nn.depth_to_space(x, 2, mode="CRD"), lambda x: x.reshape(len(x), 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(len(x), 2, 4, 6)
