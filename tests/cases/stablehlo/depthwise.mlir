module @jit__lambda {
  func.func public @main(%arg0: tensor<1x8x8x3xf32>, %arg1: tensor<3x3x1x6xf32>) -> (tensor<1x6x8x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x1x6xf32>) -> tensor<1x6x8x6xf32>
    return %0 : tensor<1x6x8x6xf32>
  }
}
