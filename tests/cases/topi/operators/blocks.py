"""Space to depth and back, flattening."""

#: where the text differs from TVM's
DIFFERENT = {
    "batches.space_to_batch_symbol": "TVM takes -1 for a symbolic batch, and makes a loop over it",
    "batches.fifo_buffer": "TVM takes no sizes of 64 bits",
    "batches.fifo_buffer_first": "TVM takes no sizes of 64 bits",
}


def blocks():
    yield "flatten", "x:float32[n,m,4]", topi.nn.flatten, lambda x: x.reshape(len(x), x.shape[1] * 4)
    yield "space_to_depth", "x:float32[n,2,4,6]", lambda x: topi.nn.space_to_depth(x, 2), lambda x: topi.testing.space_to_depth_python(x, 2)
    yield "depth_to_space", "x:float32[n,8,2,3]", lambda x: topi.nn.depth_to_space(x, 2), lambda x: topi.testing.depth_to_space_python(x, 2)
    yield "space_to_depth_nhwc", "x:float32[n,4,6,2]", lambda x: topi.nn.space_to_depth(x, 2, "NHWC"), lambda x: x.reshape(len(x), 2, 2, 3, 2, 2).transpose(0, 1, 3, 2, 4, 5).reshape(len(x), 2, 3, 8)
    yield "depth_to_space_crd", "x:float32[n,8,2,3]", lambda x: topi.nn.depth_to_space(x, 2, mode="CRD"), lambda x: topi.testing.depth_to_space_python(x, 2, "CRD")


def batches():
    yield "space_to_batch", "x:float32[2,4,6,2]", lambda x: topi.nn.space_to_batch_nd(x, [2, 3], [0, 1], [2, 2], 1.0), lambda x: topi.testing.space_to_batch_nd_python(x, (2, 3), (0, 1), (2, 2), 1.0)
    yield "space_to_batch_symbol", "x:float32[n,4,6,2]", lambda x: topi.nn.space_to_batch_nd(x, [2, 2], [0, 0], [0, 0]), lambda x: topi.testing.space_to_batch_nd_python(x, (2, 2), (0, 0), (0, 0))
    yield "batch_to_space", "x:float32[12,2,3,2]", lambda x: topi.nn.batch_to_space_nd(x, [2, 3], [0, 0], [0, 0]), lambda x: topi.testing.batch_to_space_nd_python(x, (2, 3), (0, 0), (0, 0))
    yield "batch_to_space_cropped", "x:float32[12,2,3,2]", lambda x: topi.nn.batch_to_space_nd(x, [2, 3], [0, 1], [1, 2]), lambda x: topi.testing.batch_to_space_nd_python(x, (2, 3), (0, 1), (1, 2))
    yield "fifo_buffer", "x:float32[3,2] b:float32[3,5]", lambda x, b: topi.nn.fifo_buffer(x, b, 1), lambda x, b: np.concatenate([b, x], 1)[:, 2:]
    yield "fifo_buffer_first", "x:int32[2,3,2]{0:9} b:int32[4,3,2]{0:9}", lambda x, b: topi.nn.fifo_buffer(x, b, 0), lambda x, b: np.concatenate([b, x])[2:]
