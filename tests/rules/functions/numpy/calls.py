"""The calls for NumPy's functions, if their signatures do not determine them; {} is the function."""

from typing import Final

#: Names -> calls. Other functions are called with as many arrays as they need.
CALLS: Final[dict[str, str]] = {
    "absolute negative positive sqrt exp sin square conjugate floor isnan": "{}(u); {}(x, dtype=d)"
    "; {}(x, dtype=d, casting='safe'); {}(x, casting='no')",
    "add subtract multiply power maximum floor_divide remainder bitwise_and": "{}(u, v); {}(x, y, dtype=d);"
    " {}(x, y, dtype=d, casting='unsafe'); {}(x, y, casting='no'); {}(x, y, casting='safe');"
    " {}(x, y, out=z)",
    "divide minimum fmax fmin arctan2 hypot logaddexp copysign nextafter heaviside fmod gcd lcm float_power bitwise_or"
    " bitwise_xor left_shift right_shift equal not_equal less less_equal greater greater_equal logical_and logical_or"
    " logical_xor divmod": "{}(u, v)",
    "matmul": "{}(m, n); {}(m, n, casting='equiv'); {}(m, n, dtype=d, casting='safe')",
    "dot": "{}(x, y); {}(u, v)",
    "matvec": "{}(m, x)",
    "vecmat": "{}(x, m)",
    "sum prod mean": "{}(x); {}(x, dtype=d); {}(m, axis=0, out=x)",
    "cumsum cumprod": "{}(x); {}(x, dtype=d)",
    "var std": "{}(x); {}(x, dtype=d); {}(x, mean=y); {}(x, mean=1.0)",
    "max min any all": "{}(x); {}(m, axis=0, keepdims=True)",
    "quantile nanquantile": "{}(x, 0.5); {}(x, [0.5]); {}(x, 1); {}(x, [0, 1]); {}(x, y)"
    "; {}(x, 0.5, method='lower'); {}(x, 1, method='hazen')"
    "; {}(x, True); {}(x, True, method='hazen'); {}(x, [True], method='normal_unbiased'); {}(x, y, method='hazen')"
    "; {}(x, True, method='weibull'); {}(x, 1, method='weibull'); {}(x, 0.5, method='interpolated_inverted_cdf')"
    "; {}(x, [True], method='interpolated_inverted_cdf'); {}(x, [0, 1], method='weibull'); {}(x, y, method='weibull')",
    "percentile nanpercentile": "{}(x, 50); {}(x, [25.0, 50.0]); {}(x, True); {}(x, True, method='weibull')"
    "; {}(x, [0, 1], method='weibull'); {}(x, y, method='median_unbiased')",
    "average": "{}(x); {}(x, weights=y); {}(x, returned=True)",
    "partition argpartition": "{}(x, 1)",
    "lexsort": "{}((x, y))",
    "unique": "{}(x); {}(x, return_index=True); {}(x, return_inverse=True, return_counts=True)",
    "digitize": "{}(x, [1.0, 2.0])",
    "reshape": "{}(x, (3, 1)); {}([x, y], (2, 3))",
    "matrix_transpose diagonal fliplr rot90 tril triu fill_diagonal": "{}(m)",
    "swapaxes moveaxis": "{}(m, 0, 1)",
    "rollaxis": "{}(m, 1)",
    "expand_dims": "{}(x, 0)",
    "repeat": "{}(x, 2); {}(x, y)",
    "resize": "{}(x, 4)",
    "roll": "{}(x, 1)",
    "tile": "{}(x, 2)",
    "pad": "{}(x, 1); {}(x, 1, mode='constant', constant_values=1.5)",
    "broadcast_to": "{}(x, (2, 3))",
    "split array_split": "{}(x, 3); {}(x, [1]); {}(x, y)",
    "hsplit vsplit": "{}(m, 3); {}(m, x)",
    "dsplit": "{}(np.ones((2, 2, 2)), 2)",
    "atleast_1d atleast_2d atleast_3d": "{}(x); {}(x, y); {}(1)",
    "broadcast_arrays meshgrid": "{}(x, y); {}([1], [2.0])",
    "ix_": "{}([0, 1], [0])",
    "concatenate": "{}([x, y]); {}((x, [1, 2.0])); {}([x, y], dtype=d, casting='unsafe')"
    "; {}([x, y], dtype=d, casting='safe'); {}([x, y], dtype=d)",
    "stack vstack hstack dstack column_stack": "{}([x, y]); {}((x, [1, 2, 3]))",
    "block": "{}([x, y]); {}([[m, n]])",
    "append": "{}(x, y); {}(x, 1.0); {}(x, [1, 2])",
    "insert": "{}(x, 0, 1)",
    "delete": "{}(x, 0)",
    "where": "{}([True, False, True], u, v); {}(x)",
    "select": "{}([[True, False, True]], [x]); {}([[True, False, True]], [x], 1.0)",
    "choose": "{}([0, 1, 0], [x, y]); {}(x, [y, y])",
    "compress extract": "{}([True, False, True], x)",
    "take": "{}(x, 0); {}(x, [0, 1]); {}(x, y)",
    "take_along_axis": "{}(x, np.array([0, 1]), 0)",
    "unravel_index": "{}(5, (2, 3)); {}(x, (2, 3))",
    "ravel_multi_index": "{}(([0, 1], [0, 1]), (2, 3))",
    "unpackbits": "{}(np.ones(3, 'uint8'))",
    "clip": "{}(u, v, v); {}(x, 0, 1); {}(x, 0.0, None); {}(x, min=y); {}(x, y, y, dtype=d)",
    "round": "{}(x); {}(x, 2)",
    "nan_to_num": "{}(x); {}(x, nan=1.0); {}(x, nan=1j); {}(x, nan=y); {}(x, posinf=y)",
    "real imag angle isreal iscomplex": "{}(x)",
    "ediff1d": "{}(x); {}(x, to_end=y); {}(x, to_begin=y); {}(x, to_end=1)",
    "diff": "{}(x); {}(x, prepend=0); {}(x, append=y)",
    "gradient": "{}(x, axis=0); {}(x, y); {}(x, 0.5, axis=0); {}(x, axis=(0,))",
    "trapezoid": "{}(x); {}(x, y); {}(x, dx=y[0]); {}(x, dx=0.5)",
    "unwrap": "{}(x); {}(x, period=y[0]); {}(x, period=4)",
    "interp": "{}(1.5, [1, 2, 3], x); {}(x, y, [1.0, 2.0, 3.0])",
    "bincount": "{}(x); {}([0, 1, 2], weights=x)",
    "histogram": "{}(x); {}(x, bins=[0, 1, 2]); {}(x, bins=y); {}(x, weights=y)",
    "histogram_bin_edges": "{}(x); {}(x, y); {}(x, 3); {}(x, 3.0); {}(x, 'sturges')",
    "histogram2d": "{}(x, y); {}(x, y, 3); {}(x, x, y); {}(x, x, 3.0)",
    "histogramdd": "{}((x, y), 3); {}((x, y), 3.0)",
    "cov corrcoef": "{}(x); {}(x, y); {}(x, dtype=d)",
    "polyfit": "{}(x, y, 1)",
    "polyval": "{}([1, 2], x); {}([1.0, 2.0], x)",
    "tensordot": "{}(x, y, 1)",
    "einsum": "{}('i,i->', x, y); {}('i,i,i', x, x, y); {}('i,i', x, y, dtype=d)"
    "; {}('i,i', x, y, dtype=d, casting='unsafe')",
    "trace": "{}(m); {}(m, dtype=d)",
    "linalg.trace linalg.inv linalg.pinv linalg.det linalg.slogdet linalg.svdvals linalg.cholesky linalg.eig"
    " linalg.eigvals linalg.eigh linalg.eigvalsh linalg.matrix_rank linalg.cond linalg.matrix_norm fft.fft2 fft.ifft2"
    " fft.rfft2 fft.irfft2 tril_indices_from triu_indices_from": "{}(m)",
    "linalg.svd": "{}(m); {}(m, compute_uv=False)",
    "linalg.qr": "{}(m); {}(m, mode='r')",
    "linalg.tensorinv": "{}(m, 1)",
    "linalg.norm": "{}(x); {}(m, axis=1)",
    "linalg.solve linalg.lstsq": "{}(m, n)",
    "linalg.tensorsolve": "{}(m, x)",
    "linalg.matrix_power": "{}(m, 2)",
    "linalg.multi_dot": "{}([m, n])",
    "fft.fftfreq fft.rfftfreq hanning hamming blackman bartlett": "{}(3)",
    "eye identity tri tril_indices triu_indices diag_indices": "{}(3)",
    "kaiser": "{}(3, 1.0)",
    "ndarray": "{}(2); {}(2, d)",
    "zeros ones empty": "{}(2); {}((2, 3), dtype=d); {}(2, d)",
    "full": "{}(2, x[0]); {}(2, 1); {}(2, True); {}(2, 1.0); {}(3, x, dtype=d)",
    "full_like": "{}(x, 1.5); {}(x, 1, dtype=d)",
    "zeros_like ones_like empty_like": "{}(x); {}(x, dtype=d); {}([1, 2.0]); {}(1)",
    "arange": "{}(x[0]); {}(3); {}(0, 3.0); {}(0, 3, 1.0); {}(3, dtype=d)",
    "linspace": "{}(x[0], y[0]); {}(0, 1); {}(0, 1j); {}(0, 1, dtype=d); {}(x, y, retstep=True)",
    "logspace": "{}(x[0], y[0]); {}(0, 1); {}(0, 1, dtype=d)",
    "geomspace": "{}(x[0], y[0]); {}(1, 8)",
    "array asarray asanyarray": "{}(x); {}(u); {}([x[0], y[0]]); {}([[1], [2.0]]); {}([x, y]); {}(x, d);"
    " {}([1, 2], dtype=d);"
    " {}([True, 1]); {}([x[0], 1]); {}([x[0], 1.0]); {}([2**63]); {}([])",
    "ascontiguousarray asfortranarray require asarray_chkfinite": "{}(x); {}(x, dtype=d); {}([1, 2.0])",
    "astype": "{}(x, d)",
    "fromiter": "{}([1, 2], d)",
    "indices": "{}((2, 2)); {}((2, 2), dtype=d)",
    "result_type": "{}(x, y); {}(x, 1.0); {}(x, d)",
    "promote_types": "{}(np.float32, d)",
    "min_scalar_type": "{}(x)",
    "random.rand random.randn": "{}(2, 3)",
    "random.choice": "{}(x); {}(3); {}([1.0, 2.0])",
    "random.permutation": "{}(x); {}(3)",
    "random.randint": "{}(3); {}(0, 3, size=2); {}(3, dtype=np.uint8); {}(2, dtype=d)",
    "random.multivariate_normal": "{}([0, 0], [[1, 0], [0, 1]])",
    "random.multinomial": "{}(3, [0.5, 0.5])",
    "random.dirichlet": "{}([1.0, 2.0])",
    "random.triangular": "{}(0, 1, 2)",
    "random.hypergeometric": "{}(3, 3, 2)",
    "random.binomial random.negative_binomial": "{}(3, 0.5, 2)",
    "random.geometric random.logseries": "{}(0.5, 2)",
    "random.beta random.f random.vonmises random.wald": "{}(1.0, 2.0, 3)",
    "random.zipf": "{}(2.0, 2)",
    "random.gamma random.chisquare random.standard_t random.weibull": "{}(1.0); {}(1.0, size=2)",
    "random.power random.pareto random.standard_gamma": "{}(1.0); {}(1.0, size=2)",
    "random.random random.normal random.uniform random.standard_normal": "{}(); {}(size=2)",
    "random.random_integers": "{}(3)",
}

#: Functions that need a file or a buffer, or depend on the contents of the array.
NOT_CALLED: Final = "fromfile fromstring frombuffer genfromtxt loadtxt"

#: Methods and attributes -> expressions.
METHODS: Final[dict[str, str]] = {
    "all any argmax argmin argsort conj conjugate cumprod cumsum max mean min nonzero prod ravel squeeze std sum var"
    " copy flatten byteswap": "x.{}()",
    "sum cumsum mean prod": "x.{}(dtype=d)",
    "argpartition": "x.{}(1)",
    "diagonal trace": "m.{}()",
    "dot": "x.{}(y)",
    "repeat reshape": "x.{}(3)",
    "round": "x.{}(1)",
    "searchsorted": "x.{}(x)",
    "swapaxes": "m.{}(0, 1)",
    "take": "x.{}(0)",
    "compress": "x.{}([True, False, True])",
    "transpose": "x.{}()",
    "view": "x.{}()",
    "astype": "x.{}(d); x.{}(d, casting='safe'); x.{}(d, casting='same_kind'); x.{}(d, casting='no')",
    "item": "x.{}(0)",
    "clip": "x.{}(0, 1); x.{}(y, y); x.{}(min=0.0)",
    "T real imag": "x.{}",
    "mT": "m.{}",
}

#: Methods that return nothing, or no array, or the array itself.
NOT_CALLED_METHODS: Final = (
    "to_device choose tolist sort partition fill resize tobytes flat put __getitem__ __setitem__"
)
