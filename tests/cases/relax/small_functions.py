@I.ir_module
class Module:
    @R.function
    def simple(x: R.Tensor((128, 128), "float32")) -> R.Tensor(None, "float32", ndim=2):
        gv0 = R.call_dps_packed("extern_func", x, R.Tensor((128, 128), dtype="float32"))
        gv1 = R.call_dps_packed("extern_dps_func", gv0, R.Tensor((128, 128), dtype="float32"))
        return gv1

    @R.function(private=True)
    def private(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x

    @R.function
    def assigned_again(x: R.Tensor((2,), "float32")):
        x = R.exp(x)
        x = R.exp(x)
        x = R.add(x, x)
        return x

    @R.function
    def name_of_the_function_as_a_variable(foo_1: R.Tensor((2,), "float32")):
        y = foo_1
        return y

    @R.function
    def return_of_an_expression(x: R.Tensor((2,), "float32")):
        return R.add(R.exp(x), R.multiply(x, R.const(2.0, "float32")))

    @R.function
    def return_of_a_tuple(x: R.Tensor((2,), "float32")):
        return (x, (x, R.exp(x)))

    @R.function
    def return_of_an_empty_tuple(x: R.Tensor((2,), "float32")):
        return R.tuple()

    @R.function
    def return_of_a_tuple_by_its_function(x: R.Tensor((2,), "float32")):
        y = R.tuple(x, x)
        z = y[1]
        return R.tuple(z)

    @R.function
    def return_of_a_constant():
        return R.const(1, "int32")

    @R.function
    def return_of_a_shape(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        return R.shape([n + m, n * 2, m // 4])

    @R.function
    def return_of_a_prim_value():
        return R.prim_value(42)

    @R.function
    def return_of_a_prim_value_of_a_size(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.prim_value(n * n)

    @R.function
    def return_of_a_string():
        return R.str("hello")

    @R.function
    def return_of_a_dtype():
        return R.dtype("float32")

    @R.function
    def no_parameters() -> R.Tensor((), "float32"):
        x = R.const(3.5, "float32")
        return x

    @R.function
    def many_parameters(a: R.Tensor((2,), "float32"), b: R.Object, c: R.Shape(ndim=2), d: R.Prim("int32"), e: R.Tuple(R.Tensor, R.Object), f: R.Tensor):
        return (a, b, c, d, e, f)

    @R.function
    def annotations_of_every_kind(a: R.Tensor, b: R.Tensor(), c: R.Tensor((1, 2)), d: R.Tensor("float32"), e: R.Tensor(dtype="float32"), f: R.Tensor(ndim=3), g: R.Tensor("float16", ndim=1), h: R.Tensor([2, 3], "int8"), i: R.Tensor(shape=(2,), dtype="int8"), j: R.Tensor((), "float32"), k: R.Tensor(ndim=-1), l: R.Tensor(ndim=0)):
        return a

    @R.function
    def annotations_of_scalars(a: R.Prim("int64"), b: R.Prim("float32"), c: R.Prim("bool"), d: R.Prim(value="n"), e: R.Prim(value=3), f: R.Prim("int32")):
        return (a, b, c, d, e, f)

    @R.function
    def annotations_of_tuples(a: R.Tuple, b: R.Tuple(R.Tensor), c: R.Tuple([R.Tensor, R.Object]), d: R.Tuple(R.Tuple(R.Shape), R.Tensor((2,))), e: R.Tuple()):
        return c

    @R.function
    def annotations_of_functions(a: R.Callable, b: R.Callable((R.Tensor,), R.Tensor), c: R.Callable([R.Tensor, R.Object], R.Object), d: R.Callable(ret=R.Tensor), e: R.Callable((R.Tensor(("n",)),), R.Tensor(("n",)), True), f: R.Callable((), R.Object, False), g: R.Callable(purity=True)):
        return b

    @R.function
    def sizes_as_strings(x: R.Tensor(("m", "n"), "float32"), y: R.Tensor(("n", "m + 1"), "float32"), z: R.Tensor(("m * n",), "float32")) -> R.Tensor(("m * 2 + n",), "float32"):
        m = T.int64()
        n = T.int64()
        return R.zeros((m * 2 + n,), "float32")

    @R.function
    def sizes_used_without_a_declaration(x: R.Tensor(("m", "n"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        return R.exp(x)

    @R.function
    def sizes_with_numbers(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
        n = T.int64()
        return R.reshape(x, (n * 4,))

    @R.function
    def sizes_of_T_int64_in_an_annotation_of_a_variable(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y: R.Tensor((n,), "float32") = R.exp(x)
        z: R.Tensor((n + 1,)) = R.call_dps_packed("f", (y,), R.Tensor((n + 1,), "float32"))
        return z

    @R.function
    def sizes_declared_by_the_older_name(x: R.Tensor(("n",), "float32")):
        n = T.var("int64")
        y: R.Tensor((n,), "float32") = R.exp(x)
        return y

    @R.function
    def match_cast_of_a_tensor(x: R.Tensor("float32"), y: R.Tensor("float32")):
        m = T.int64()
        n = T.int64()
        x0 = R.match_cast(x, R.Tensor((m,), "float32"))
        with R.dataflow():
            y0 = R.match_cast(y, R.Tensor((n,), "float32"))
            gv = y0
            R.output(gv)
        return (x0, R.shape([m, n * 2]))

    @R.function
    def match_cast_of_a_shape(s: R.Shape(ndim=2)):
        m = T.int64()
        n = T.int64()
        t = R.match_cast(s, R.Shape([m, n]))
        return R.shape([n, m])

    @R.function
    def match_cast_of_a_scalar(s: R.Prim("int64")):
        m = T.int64()
        t = R.match_cast(s, R.Prim(value=m))
        return R.shape([m])

    @R.function
    def match_cast_of_a_tuple(s: R.Object):
        m = T.int64()
        t = R.match_cast(s, R.Tuple(R.Tensor((m,), "float32"), R.Prim("int64")))
        u = t[0]
        return u

    @R.function
    def match_cast_of_an_object_to_a_function(s: R.Object):
        f = R.match_cast(s, R.Callable((R.Tensor,), R.Tensor, purity=True))
        return f

    @R.function
    def match_cast_with_a_name_that_is_not_used(x: R.Object, y: R.Tensor(("n",), "float32")):
        n = T.int64()
        _ = R.match_cast(x, R.Tensor((n,), "float32"))
        return y

    @R.function
    def match_cast_with_an_annotation(x: R.Tensor("float32", ndim=2)):
        m = T.int64()
        y: R.Tensor((m, m), "float32") = R.match_cast(x, R.Tensor((m, m), "float32"))
        return y

    @R.function
    def items_of_tuples(x: R.Tuple(R.Tensor((2,), "float32"), R.Tuple(R.Tensor((3,), "int8"), R.Shape(ndim=1)))):
        a = x[0]
        b = x[1]
        c = b[0]
        d = x[1][1]
        return (a, c, d)

    @R.function
    def item_of_a_call(x: R.Tensor((4, 4), "float32")):
        a = R.split(x, 2, axis=0)[1]
        b = R.nn.dropout(a, 0.5)[0]
        return b

    @R.function
    def nested_tuples(x: R.Tensor((4, 4), "float32")):
        t = ((x, x), (x,), ())
        u = t[0]
        v = u[1]
        return (t, v)

    @R.function
    def comparisons_of_Python(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        a = x < y
        b = x <= y
        c = x > y
        d = x >= y
        return (a, b, c, d)

    @R.function
    def expressions_of_Python(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        return (x + y) * (x - y) / (x * x + R.const(1.0, "float32"))

    @R.function
    def if_with_annotations(cond: R.Tensor((), "bool"), x: R.Tensor((1,), "float32")) -> R.Tensor((1,), "float32"):
        if cond:
            w: R.Tensor((1,), "float32") = R.add(x, x)
            y: R.Tensor((1,), "float32") = R.multiply(w, w)
        else:
            w: R.Tensor((1,), "float32") = R.multiply(x, x)
            y: R.Tensor((1,), "float32") = R.add(w, w)
        return y

    @R.function
    def if_in_if(a: R.Tensor((), "bool"), b: R.Tensor((), "bool"), x: R.Tensor((1,), "float32")):
        if a:
            if b:
                y = R.exp(x)
            else:
                y = R.negative(x)
            z = R.add(y, x)
        else:
            z = x
        return z

    @R.function
    def if_with_a_prim_condition(a: R.Prim("bool"), x: R.Tensor((1,), "float32")):
        if a:
            y = R.exp(x)
        else:
            y = R.negative(x)
        return y

    @R.function
    def if_of_different_shapes(a: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        if a:
            y = R.concat((x, x), 0)
        else:
            y = R.exp(x)
        return y

    @R.function
    def if_followed_by_dataflow(a: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        if a:
            y = R.sin(x)
        else:
            y = R.exp(x)
        with R.dataflow():
            lv = R.add(y, y)
            gv = R.exp(lv)
            R.output(gv)
        return gv

    @R.function(pure=False)
    def if_in_the_name_of_nothing(a: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        if a:
            R.print(x, format="yes {}")
            y = R.sin(x)
        else:
            R.print(x, format="no {}")
            y = x
        return y

    @R.function
    def dataflow(x: R.Tensor((128, 128), "float32")) -> R.Tensor(None, "float32", ndim=2):
        with R.dataflow():
            lv0 = R.call_dps_packed("extern_func", (x,), R.Tensor((128, 128), dtype="float32"))
            lv1 = R.call_dps_packed("extern_func", (lv0,), R.Tensor((128, 128), dtype="float32"))
            gv = lv1
            R.output(gv)
        return gv

    @R.function
    def dataflow_with_two_outputs(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.sin(a)
            c = R.cos(a)
            R.output(b, c)
        return (b, c)

    @R.function
    def dataflow_without_outputs(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            R.output()
        return x

    @R.function
    def dataflow_twice(x: R.Tensor((4,), "float32")):
        y = R.exp(x)
        with R.dataflow():
            a = R.exp(y)
            b = R.exp(a)
            R.output(b)
        z = R.sin(b)
        with R.dataflow():
            c = R.exp(z)
            d = R.add(c, b)
            R.output(d)
        return d

    @R.function
    def dataflow_with_a_size_of_its_own(x: R.Tensor("float32", ndim=1)):
        with R.dataflow():
            k = T.int64()
            a = R.match_cast(x, R.Tensor((k,), "float32"))
            b = R.exp(a)
            R.output(b)
        return b

    @R.function(pure=False)
    def call_of_an_external_function(x: R.Tensor((3, 3), "float32")):
        z = R.call_packed("vm.builtin.copy", x, sinfo_args=R.Tensor((3, 3), "float32"))
        return z

    @R.function(pure=False)
    def call_of_an_external_function_that_gives_a_tuple(x: R.Tensor((3, 3), "float32")):
        z = R.call_packed("f", x, x, sinfo_args=[R.Tensor((3, 3), "float32"), R.Tensor(ndim=2)])
        return z

    @R.function(pure=False)
    def call_of_an_external_function_with_values(x: R.Tensor((3, 3), "float32")):
        z = R.call_packed("f", x, R.prim_value(1), R.str("a"), R.dtype("int8"), R.shape([1, 2]), R.const(1.0), (x, x), sinfo_args=R.Object)
        return z

    @R.function(pure=False)
    def call_of_an_external_function_that_is_an_object(x: R.Tensor((3, 3), "float32")):
        f = R.ExternFunc("ext")
        z = R.call_packed("g", f, x, sinfo_args=R.Object)
        return z

    @R.function
    def pure_call(x: R.Tensor((3, 3), "float32")):
        z = R.call_pure_packed("f", x, x, sinfo_args=R.Tensor((3, 3), "float32"))
        return z

    @R.function
    def call_in_place(x: R.Tensor((3, 3), "float32")):
        z = R.call_inplace_packed("f", x, inplace_indices=0, sinfo_args=R.Tensor((3, 3), "float32"))
        return z

    @R.function
    def call_in_place_of_two(x: R.Tensor((3, 3), "float32"), y: R.Tensor((3, 3), "float32")):
        z = R.call_inplace_packed("f", x, y, inplace_indices=[0, 1], sinfo_args=(R.Tensor((3, 3), "float32"), R.Tensor((3, 3), "float32")))
        return z

    @R.function(pure=False)
    def call_with_its_context(x: R.Tensor((3, 3), "float32")):
        z = R.call_builtin_with_ctx("vm.builtin.alloc", (x,), sinfo_args=R.Object)
        return z

    @R.function
    def call_of_destinations(x: R.Tensor(("m", "n"), "float32")):
        m = T.int64()
        n = T.int64()
        z = R.call_dps_packed("f", (x, R.prim_value(n), R.shape([m, n])), R.Tensor((n, m), "float32"))
        return z

    @R.function
    def call_of_several_destinations(x: R.Tensor((4,), "float32")):
        z = R.call_dps_packed("f", x, [R.Tensor((4,), "float32"), R.Tensor((5,), "int8")])
        a, b = z[0], z[1]
        return (a, b)

    @R.function
    def force_pure(x: R.Tensor((), "int32")):
        R.func_attr({"relax.force_pure": True})
        R.print(x, format="x: {}")
        return x

    @R.function
    def constants():
        a = R.const(1)
        b = R.const(1.5)
        c = R.const(True)
        d = R.const(2, "int64")
        e = R.const(0.1, "float16")
        f = R.const([1, 2, 3])
        g = R.const([[1.0, 2.0], [3.0, 4.0]], "float32")
        h = R.const(-1, "int8")
        return (a, b, c, d, e, f, g, h)

    @R.function
    def null_value():
        return R.null_value()

    @R.function
    def hints_of_devices(x: R.Tensor((128,), "float32")):
        y = R.hint_on_device(x, R.device(1, 0))
        z = R.hint_on_device(y, R.cpu())
        return z

    @R.function
    def inner_function(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        @R.function
        def inner(a: R.Tensor((2, 3), "float32"), b: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            c = R.add(a, b)
            return c
        z = inner(x, y)
        return z

    @R.function
    def inner_function_that_captures(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        w = R.exp(x)
        @R.function
        def inner(a: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            c = R.add(a, w)
            return R.add(c, y)
        return inner(y)

    @R.function
    def inner_function_that_is_returned(x: R.Tensor((2, 3), "float32")) -> R.Callable((R.Tensor((2, 3), "float32"),), R.Tensor((2, 3), "float32")):
        @R.function
        def inner(a: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            return R.add(a, x)
        return inner

    @R.function(pure=False)
    def inner_function_that_is_impure(x: R.Tensor((), "int32")):
        @R.function(pure=False)
        def show(a: R.Tensor((), "int32")) -> R.Tensor((), "int32"):
            R.print(a, format="{}")
            return a
        y = show(x)
        return y

    @R.function
    def inner_function_in_an_inner_function(x: R.Tensor((2,), "float32")):
        @R.function
        def one(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            @R.function
            def two(b: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
                return R.add(a, b)
            return two(x)
        return one(x)

    @R.function
    def inner_functions_in_dataflow(x: R.Tensor((2,), "float32")):
        with R.dataflow():
            @R.function
            def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
                with R.dataflow():
                    b = R.exp(a)
                    R.output(b)
                return b
            c = inner(x)
            R.output(c)
        return c

    @R.function
    def call_of_a_parameter(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True), x: R.Tensor((2,), "float32")):
        return f(f(x))

    @R.function(pure=False)
    def call_of_an_opaque_parameter(f: R.Callable, x: R.Tensor((2,), "float32")):
        y = f(x, x)
        return y

    @R.function(pure=False)
    def virtual_machine(x: R.Tensor((2, 3), "float32")):
        storage = R.vm.alloc_storage(R.shape([24]), R.prim_value(0), R.dtype("uint8"))
        made = R.vm.alloc_tensor(storage, R.prim_value(0), R.shape([2, 3]), R.dtype("float32"))
        R.vm.kill_object(storage)
        R.vm.call_tir_dyn("f", (x, made, R.shape([2, 3])))
        return made

    @R.function(pure=False)
    def memory(x: R.Tensor((2, 3), "float32")):
        storage = R.memory.alloc_storage(R.shape([24]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        made = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([2, 3]), R.dtype("float32"))
        R.memory.kill_tensor(made)
        R.memory.kill_storage(storage)
        return x

    @R.function(pure=False)
    def builtin(x: R.Tensor((2, "n"), "float32")):
        n = T.int64()
        made = R.builtin.alloc_tensor(R.shape([2, n]), R.dtype("float32"), R.prim_value(0))
        R.call_packed("f", x, made, sinfo_args=R.Tuple)
        return made

    @R.function
    def shapes_and_tensors(x: R.Tensor(("n", 3), "float32")):
        s = R.shape_of(x)
        t = R.shape_to_tensor(s)
        u = R.tensor_to_shape(t)
        y = R.reshape(x, u)
        return y

    @R.function
    def collectives(x: R.Tensor((10, 4), "float32")):
        a = R.ccl.allreduce(x, "sum")
        b = R.ccl.allgather(a, 2)
        c = R.ccl.broadcast_from_worker0(b)
        d = R.ccl.scatter_from_worker0(c, num_workers=2, axis=0)
        return d

    @R.function
    def gradients_by_hand(x: R.Tensor((3, 5), "float32"), t: R.Tensor((3,), "int64"), w: R.Tensor((5,), "float32"), g: R.Tensor((), "float32")):
        a = R.grad.no_grad(x)
        b = R.grad.start_checkpoint(a)
        c = R.grad.end_checkpoint(b)
        d = R.grad.nll_loss_backward(g, c, t, w, reduction="mean", ignore_index=-1)
        return d

    @R.function
    def gradients_of_pools(x: R.Tensor((3, 2, 10, 10), "float32"), g: R.Tensor((3, 2, 8, 8), "float32")):
        a = R.grad.max_pool2d_backward(g, x, (3, 3))
        b = R.grad.avg_pool2d_backward(g, x, (3, 3), count_include_pad=True)
        return (a, b)

    @R.function
    def gradients_of_take(x: R.Tensor((3, 2, 5), "float32"), i: R.Tensor((2,), "int32"), g: R.Tensor((3, 2, 5), "float32")):
        return R.grad.take_backward(g, x, i, axis=1)

    @R.function(pure=False)
    def external_functions_as_parameters_of_functions(x: R.Object):
        y: R.Tensor(ndim=2) = R.call_packed("a.b.c", x, sinfo_args=(R.Tensor(ndim=2),))
        z: R.Object = R.call_packed("d", y, sinfo_args=(R.Object,))
        return z

    @R.function
    def calls_with_all_keywords(x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((8, 4, 3, 3), "float32")):
        a = R.nn.conv2d(data=x, weight=w, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")
        b = R.nn.max_pool2d(data=a, pool_size=[2, 2], strides=[2, 2], padding=0)
        c = R.mean(b, axis=[2, 3], keepdims=True)
        d = R.squeeze(c, axis=[2, 3])
        return d

    @R.function
    def dtype_of_results(x: R.Tensor((2, 4), "float16"), w: R.Tensor((4, 8), "float16")):
        a = R.matmul(x, w, out_dtype="float32")
        b = R.astype(a, "float16")
        c = R.astype(b, dtype="int32")
        return c

    @R.function
    def slices(x: R.Tensor((8, 9, 10), "float32")):
        a = R.flip(x, axis=1)
        b = R.take(a, R.const([0, 1], "int64"), axis=0)
        c = R.dynamic_strided_slice(b, R.const([0, 0, 0], "int64"), R.const([1, 2, 3], "int64"), R.const([1, 1, 1], "int64"))
        return c

    @R.function
    def layout_transform(x: R.Tensor((8, 16), "float32")):
        return R.layout_transform(x, index_map=lambda i, j: (j // 4, i, j % 4))

    @R.function
    def layout_transform_with_padding(x: R.Tensor((10,), "float32")):
        return R.layout_transform(x, index_map=lambda i: (i // 4, i % 4), pad_value=2.0)

    @R.function
    def unknown_ranks(x: R.Tensor, y: R.Tensor("float32"), z: R.Tensor(ndim=2)):
        a = R.exp(x)
        b = R.add(y, y)
        c = R.matmul(z, z)
        d = R.sum(b, axis=1)
        return (a, b, c, d)

    @R.function
    def expressions_of_sizes(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        s = R.shape([n + 1, n - 1, n * m, n // 2, n % 3, T.min(n, m), T.max(n, 4), T.if_then_else(n > m, n, m), T.ceildiv(n, 4), T.Cast("int64", T.Cast("int32", n)), -n, 4 * (n + m), T.int64(3)])
        return s

    @R.function
    def sizes_of_arange(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.arange(n)
        b = R.arange(0, n, 2, dtype="int32")
        c = R.arange(R.prim_value(1), R.prim_value(n + 1), R.prim_value(1), dtype="int64")
        return (a, b, c)

    @R.function
    def full_and_its_relatives(x: R.Tensor(("n", 2), "float32")):
        n = T.int64()
        a = R.full((n, 2), R.const(1.0, "float32"), dtype="float32")
        b = R.full_like(x, R.const(2.0, "float32"))
        c = R.ones((2, n), "int8")
        d = R.zeros_like(x, "float16")
        e = R.tril(x, 1)
        f = R.triu(x, R.prim_value(-1))
        return (a, b, c, d, e, f)
