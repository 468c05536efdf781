module @jit__lambda {
  func.func public @main(%arg0: tensor<1x2x3x4xf32>, %arg1: tensor<1x2x5x4xf32>) -> (tensor<1x2x3x5xf32>, tensor<1x2x3xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x3x5xf32>
    %1 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3xf32>
    return %0, %1 : tensor<1x2x3x5xf32>, tensor<1x2x3xf32>
  }
}
