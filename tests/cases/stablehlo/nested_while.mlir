module @m {
  func.func public @main(%arg0: tensor<i32>) -> (tensor<i32>) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
     cond {
      %c = stablehlo.constant dense<100> : tensor<i32>
      %1 = stablehlo.compare  LT, %iterArg, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.while(%iterArg_0 = %iterArg) : tensor<i32>
       cond {
        %c = stablehlo.constant dense<7> : tensor<i32>
        %c_1 = stablehlo.constant dense<0> : tensor<i32>
        %3 = stablehlo.remainder %iterArg_0, %c : tensor<i32>
        %4 = stablehlo.compare  NE, %3, %c_1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %c = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %iterArg_0, %c : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }
      %2 = stablehlo.add %1, %iterArg : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
    return %0 : tensor<i32>
  }
}
