module @jit_cplx attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xcomplex<f32>>, %arg1: tensor<2x3xcomplex<f32>>) -> (tensor<2x3xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<2x3xf32> {jax.result_info = "result[4]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[5]"}, tensor<2x3xi1> {jax.result_info = "result[6]"}, tensor<2x2xcomplex<f32>> {jax.result_info = "result[7]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[8]"}, tensor<3xcomplex<f32>> {jax.result_info = "result[9]"}, tensor<4x3xcomplex<f32>> {jax.result_info = "result[10]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[11]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[12]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[13]"}) {
    %cst = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-1.000000e+00), (0.000000e+00,5.000000e-01)]> : tensor<3xcomplex<f32>>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_4 = %arg0) : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
    cond {
      %26 = stablehlo.abs %iterArg_4 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.reduce(%26 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
      %cst_6 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
      %28 = stablehlo.compare LT, %27, %cst_6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %28 : tensor<i1>
    } do {
      %26 = stablehlo.multiply %iterArg_4, %iterArg_4 : tensor<2x3xcomplex<f32>>
      %27 = stablehlo.add %26, %iterArg : tensor<2x3xcomplex<f32>>
      stablehlo.return %iterArg, %27 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
    }
    %1 = stablehlo.real %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.compare GT, %2, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %26 = stablehlo.real %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
      %27 = stablehlo.imag %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
      %28 = stablehlo.negate %27 : tensor<2x3xf32>
      %29 = stablehlo.complex %26, %28 : tensor<2x3xcomplex<f32>>
      stablehlo.return %29 : tensor<2x3xcomplex<f32>>
    }, {
      %cst_4 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
      %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
      %27 = stablehlo.multiply %arg0, %26 : tensor<2x3xcomplex<f32>>
      stablehlo.return %27 : tensor<2x3xcomplex<f32>>
    }) : (tensor<i32>) -> tensor<2x3xcomplex<f32>>
    %6 = stablehlo.multiply %arg0, %arg1 : tensor<2x3xcomplex<f32>>
    %7 = stablehlo.divide %arg0, %arg1 : tensor<2x3xcomplex<f32>>
    %8 = stablehlo.exponential %arg0 : tensor<2x3xcomplex<f32>>
    %9 = stablehlo.log %arg0 : tensor<2x3xcomplex<f32>>
    %10 = call @angle(%arg0) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %11 = chlo.square %arg0 : tensor<2x3xcomplex<f32>> -> tensor<2x3xcomplex<f32>>
    %12 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
    %13 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %14 = stablehlo.dot_general %arg0, %13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %15 = stablehlo.real %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %17 = stablehlo.compare GT, %15, %16, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %18 = call @_where(%17, %arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %19 = stablehlo.negate %arg0 : tensor<2x3xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %21 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
    %22 = stablehlo.reverse %21, dims = [0] : tensor<4x3xcomplex<f32>>
    %23 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %25 = stablehlo.subtract %arg0, %24 : tensor<2x3xcomplex<f32>>
    return %6, %7, %8, %9, %10, %11, %12, %14, %18, %20, %22, %0#1, %5, %25 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x3xi1>, tensor<2x2xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  }
  func.func private @angle(%arg0: tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32> {
    %0 = stablehlo.real %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %1 = stablehlo.imag %arg0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xcomplex<f32>>, %arg2: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
    return %0 : tensor<2x3xcomplex<f32>>
  }
}
