module @jit_fft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x5xf32>) -> (tensor<1x3x5xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<1x3x3xf32> {jax.result_info = "result[1]"}, tensor<1x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x3x3xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<2x3x5xf32> {jax.result_info = "result[4]"}, tensor<1x3x5xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:3, 0:5] : (tensor<2x3x5xf32>) -> tensor<1x3x5xf32>
    %1 = call @fft(%0) : (tensor<1x3x5xf32>) -> tensor<1x3x5xcomplex<f32>>
    %2 = call @fft_0(%0) : (tensor<1x3x5xf32>) -> tensor<1x3x3xcomplex<f32>>
    %3 = stablehlo.abs %2 : (tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x3xf32>
    %4 = call @fft_0(%0) : (tensor<1x3x5xf32>) -> tensor<1x3x3xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<1x3x3xcomplex<f32>>
    %6 = stablehlo.multiply %4, %5 : tensor<1x3x3xcomplex<f32>>
    %7 = call @fft_1(%6) : (tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x4xf32>
    %8 = call @fft_2(%arg0) : (tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>>
    %9 = call @fft_2(%arg0) : (tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = call @_pad(%9, %c) : (tensor<2x3x3xcomplex<f32>>, tensor<i32>) -> tensor<2x3x3xcomplex<f32>>
    %11 = call @fft_3(%10) : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x5xf32>
    %12 = stablehlo.convert %0 : (tensor<1x3x5xf32>) -> tensor<1x3x5xcomplex<f32>>
    %13 = call @fft_4(%12) : (tensor<1x3x5xcomplex<f32>>) -> tensor<1x3x5xcomplex<f32>>
    %14 = stablehlo.imag %13 : (tensor<1x3x5xcomplex<f32>>) -> tensor<1x3x5xf32>
    return %1, %3, %7, %8, %11, %14 : tensor<1x3x5xcomplex<f32>>, tensor<1x3x3xf32>, tensor<1x3x4xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x5xf32>, tensor<1x3x5xf32>
  }
  func.func private @fft(%arg0: tensor<1x3x5xf32>) -> tensor<1x3x5xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<1x3x5xf32>) -> tensor<1x3x5xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [5] : (tensor<1x3x5xcomplex<f32>>) -> tensor<1x3x5xcomplex<f32>>
    return %1 : tensor<1x3x5xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<1x3x5xf32>) -> tensor<1x3x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [5] : (tensor<1x3x5xf32>) -> tensor<1x3x3xcomplex<f32>>
    return %0 : tensor<1x3x3xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x4xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [4] : (tensor<1x3x3xcomplex<f32>>) -> tensor<1x3x4xf32>
    return %0 : tensor<1x3x4xf32>
  }
  func.func private @fft_2(%arg0: tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [3, 5] : (tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>>
    return %0 : tensor<2x3x3xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<2x3x3xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<2x3x3xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
    return %1 : tensor<2x3x3xcomplex<f32>>
  }
  func.func private @fft_3(%arg0: tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x5xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [3, 5] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x5xf32>
    return %0 : tensor<2x3x5xf32>
  }
  func.func private @fft_4(%arg0: tensor<1x3x5xcomplex<f32>>) -> tensor<1x3x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [5] : (tensor<1x3x5xcomplex<f32>>) -> tensor<1x3x5xcomplex<f32>>
    return %0 : tensor<1x3x5xcomplex<f32>>
  }
}
