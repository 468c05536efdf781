module @jit_bits attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<4xi16>) -> (tensor<4xi16> {jax.result_info = "result[0]"}, tensor<4xi16> {jax.result_info = "result[1]"}, tensor<6xi32> {jax.result_info = "result[2]"}, tensor<6x2xui16> {jax.result_info = "result[3]"}, tensor<6xf32> {jax.result_info = "result[4]"}, tensor<6xf32> {jax.result_info = "result[5]"}, tensor<6xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.popcnt %arg2 : tensor<4xi16>
    %1 = stablehlo.count_leading_zeros %arg2 : tensor<4xi16>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6xi32>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6x2xui16>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6x2xui16>
    %5 = stablehlo.bitcast_convert %4 : (tensor<6x2xui16>) -> tensor<6xf32>
    %6 = chlo.next_after %arg0, %arg1 : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
    %7 = chlo.erf_inv %arg0 : tensor<6xf32> -> tensor<6xf32>
    return %0, %1, %2, %3, %5, %6, %7 : tensor<4xi16>, tensor<4xi16>, tensor<6xi32>, tensor<6x2xui16>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
}
