"""The call behind each measured table of a library: golden file -> table -> expression.

A table without an entry is the function of its name on the arrays x, or u and v if both operands vary.
"""

from typing import Final

#: Tables that are not functions: indexing, conversions to Python, expressions of operators.
NOT_CALLS: Final = {
    "numpy": "getitem item_type",
    "jax": "getitem",
    "torch": "getitem item_type square_python sqrt_python setitem",
    "array_api_strict": "can_cast",
}
#: Expressions of the table "creation" that are operators, chains of calls or constants.
NOT_CREATION: Final = (
    r".*\).*[-+/] ?\w.*|.*default_rng.*|True_|.*astype.*|.*\.real|sum\(asarray.*|meshgrid\(asarray.*|complex\(tensor.*"
)

_SHARED: Final = {
    "quantile": "{}(x, 0.5)",
    "percentile": "{}(x, 50)",
    "trace": "{}(m)",
    "pad": "{}(x, 1)",
    "roll": "{}(x, 1)",
    "full_like": "{}(x, 1.5)",
    "searchsorted": "{}(x, x)",
    "interp": "{}(x, x, x)",
    "where": "{}([True, False], u, v)",
    "clip": "{}(u, v, v)",
    "concatenate": "{}([x, y])",
    "stack": "{}([x, y])",
    "einsum": "{}('i,i->', x, y)",
    "tensordot": "{}(x, y, 1)",
    "linspace_like": "linspace(x[0], x[1], 3)",
    "arange_like": "arange(x[0])",
    "clip_python": "clip(x, 0, 1)",
    "clip_python_float": "clip(x, 0.0, 1.0)",
    "unique_counts": "unique(x, return_counts=True)",
    "sum_dtype": "sum(x, dtype=d)",
    "mean_dtype": "mean(x, dtype=d)",
    "astype": "x.astype(d)",
}

CALLS: Final = {
    "numpy": {**_SHARED, "cumsum_axis0": "cumsum(x, axis=0)", "fft.fft2": "fft.fft2(m)"},
    "jax": {
        **_SHARED,
        "bincount": "{}(x, length=3)",
        "at_set": "x.at.set(v)",
        "at_add": "x.at.add(v)",
        **{name: f"jax.{name}(x)" for name in ("nn.relu", "nn.sigmoid", "nn.softmax", "nn.gelu")},
        "scipy.logsumexp": "jax.scipy.special.logsumexp(x)",
        "scipy.erf": "jax.scipy.special.erf(x)",
        "lax/select": "jax.lax.select([True], x, y)",
        "lax/concatenate": "jax.lax.concatenate([x, y], 0)",
        "lax/unary_not": "jax.lax.bitwise_not(x)",
        "lax/unary_integer_pow": "jax.lax.integer_pow(x, 2)",
        **dict.fromkeys(
            ("lax/add_18", "lax/add_python", "lax/python_python", "lax/add_small", "lax/add_numpy_array"),
            "jax.lax.add(u, v)",
        ),
    },
    "torch": {
        **_SHARED,
        "rint": "round(x)",
        "cumsum": "{}(x, 0)",
        "cumprod": "{}(x, 0)",
        "sort": "sort(x)[0]",
        "flip": "{}(x, (0,))",
        "quantile_half": "quantile(x, 0.5)",
        "logsumexp": "{}(x, 0)",
        "softmax": "{}(x, 0)",
        "maximum_python": "maximum(x, 1.0)",
        "nn.gelu": "nn.functional.gelu(x)",
        "concatenate": "cat([x, y])",
        "lerp": "{}(x, y, 0.5)",
        "divide_floor": "div(x, y, rounding_mode='floor')",
        "divide_trunc": "div(x, y, rounding_mode='trunc')",
        "add_alpha_float": "add(x, y, alpha=1.5)",
        "astype": "x.to(d)",
    },
    "array_api_strict": {
        **_SHARED,
        "unique_counts": "{}(x)",
        "concat": "{}([x, y])",
        "tensordot": "{}(x, y, axes=1)",
        "astype": "astype(x, d)",
    },
    "dask": {**_SHARED, **dict.fromkeys(("cumsum", "cumprod"), "{}(x, axis=0)")},
    "tensorflow": {
        **_SHARED,
        **{
            name: f"math.{name}({'u, v' if two else 'x'})"
            for two, names in (
                (
                    False,
                    "rint is_nan is_inf is_finite conj real imag angle rsqrt erf reduce_std reduce_any cumprod log"
                    " log1p expm1 reciprocal ceil count_nonzero",
                ),
                (True, "floordiv floormod mod"),
            )
            for name in names.split()
        },
        "concatenate": "concat([x, y], 0)",
        "clip": "clip_by_value(u, v, v)",
        "matmul": "matmul(m, n)",
        "astype": "cast(x, d)",
    },
    "paddle": {
        **_SHARED,
        "cumprod": "{}(x, 0)",
        "concatenate": "concat([x, y])",
        "matmul": "{}(m, n)",
        "astype": "cast(x, d)",
    },
    "cupy": {},
}
