module @jit_transposed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x4x2xf32>, %arg1: tensor<3x3x2x3xf32>) -> (tensor<1x3x4x2xf32>, tensor<1x6x4x3xf32>) {
    %0 = call @round(%arg0) : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
    %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 2], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x6x4x3xf32>
    return %0, %1 : tensor<1x3x4x2xf32>, tensor<1x6x4x3xf32>
  }
  func.func private @round(%arg0: tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x3x4x2xf32>
    return %0 : tensor<1x3x4x2xf32>
  }
}
