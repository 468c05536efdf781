module @jit_f attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x5xf32>, %arg1: tensor<5x4xf32>, %arg2: tensor<?xi32>) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<5xf32>, tensor<?x4xf32>, tensor<?x5x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:6 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<?x5xf32>, tensor<5x4xf32>, tensor<?xi32>) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<5xf32>, tensor<?x4xf32>, tensor<?x5x4xf32>)
    return %4#0, %4#1, %4#2, %4#3, %4#4, %4#5 : tensor<?x4xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<5xf32>, tensor<?x4xf32>, tensor<?x5x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x5xf32>, %arg2: tensor<5x4xf32>, %arg3: tensor<?xi32>) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<5xf32>, tensor<?x4xf32>, tensor<?x5x4xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<5> : tensor<i32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x4xf32>) -> tensor<?x4xf32>
    %1 = call @relu(%arg0, %0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %2 = stablehlo.reduce(%1 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst_5, %3, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<?xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %5, %7, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %8, %10, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %12 = stablehlo.subtract %1, %11 : tensor<?x4xf32>
    %13 = stablehlo.exponential %12 : tensor<?x4xf32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %14, %16, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %18 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %18, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %17, %19, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %21 = stablehlo.divide %13, %20 : tensor<?x4xf32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.dynamic_iota %22, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %24 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %cst, %24, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<?xf32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %cst_2, %27, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %29 = stablehlo.add %28, %26 : tensor<?xf32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.concatenate %30, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %32 = stablehlo.dynamic_broadcast_in_dim %29, %31, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %33 = stablehlo.convert %arg0 : tensor<i32>
    %34 = stablehlo.multiply %33, %c_1 : tensor<i32>
    %35 = stablehlo.reshape %34 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.dynamic_reshape %arg1, %35 : (tensor<?x5xf32>, tensor<1xi32>) -> tensor<?xf32>
    %37 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.concatenate %37, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %39 = stablehlo.dynamic_broadcast_in_dim %32, %38, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x5xf32>
    %40 = stablehlo.multiply %arg1, %39 : tensor<?x5xf32>
    %41 = stablehlo.concatenate %arg1, %40, dim = 0 : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
    %42 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %43 = stablehlo.reduce(%arg1 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<?x5xf32>, tensor<f32>) -> tensor<5xf32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %45 = stablehlo.divide %43, %44 : tensor<5xf32>
    %46 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %48 = stablehlo.add %45, %47 : tensor<5xf32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.dynamic_broadcast_in_dim %c, %49, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %51 = stablehlo.compare LT, %arg3, %50, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %52 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %53 = stablehlo.dynamic_broadcast_in_dim %c_1, %52, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %54 = stablehlo.add %arg3, %53 : tensor<?xi32>
    %55 = stablehlo.select %51, %54, %arg3 : tensor<?xi1>, tensor<?xi32>
    %56 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %56, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %55, %57, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %59 = "stablehlo.gather"(%arg2, %58) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
    %60 = stablehlo.dot_general %arg1, %21, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<?x5xf32>, tensor<?x4xf32>) -> tensor<?x5x4xf32>
    return %21, %36, %41, %48, %59, %60 : tensor<?x4xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<5xf32>, tensor<?x4xf32>, tensor<?x5x4xf32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x4xf32>
    return %3 : tensor<?x4xf32>
  }
}
