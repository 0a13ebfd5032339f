"""The calls for the standard's functions, if their signatures do not determine them; {} is the function."""

from typing import Final

#: Names -> calls. Other functions are called with as many arrays as they need.
CALLS: Final[dict[str, str]] = {
    "add subtract multiply divide floor_divide remainder pow maximum minimum atan2 copysign hypot logaddexp nextafter"
    " bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift equal not_equal less less_equal greater"
    " greater_equal logical_and logical_or logical_xor": "{}(u, v); {}(1, 2); {}(True, True); {}(1.0, 2.0)",
    "clip": "{}(x, v, v); {}(x, min=v); {}(x, max=v); {}(x); {}(x, y, z)",
    "sum prod": "{}(x); {}(x, dtype=d)",
    "cumulative_sum cumulative_prod": "{}(x); {}(x, dtype=d)",
    "diff": "{}(x); {}(x, prepend=y); {}(x, append=y)",
    "searchsorted": "{}(x, y); {}(x, 1); {}(x, 1.0)",
    "isin": "{}(x, y); {}(x, 1); {}(1, x)",
    "linalg.matrix_norm linalg.matrix_rank linalg.inv linalg.det linalg.pinv linalg.cholesky linalg.eigh"
    " linalg.eigvalsh linalg.eig linalg.eigvals linalg.svd linalg.svdvals linalg.qr linalg.slogdet linalg.diagonal"
    " matrix_transpose linalg.matrix_transpose tril triu": "{}(m)",
    "linalg.trace": "{}(m); {}(m, dtype=d)",
    "linalg.matrix_power": "{}(m, 2)",
    "linalg.solve matmul linalg.matmul": "{}(m, n)",
    "tensordot linalg.tensordot": "{}(x, y, axes=1)",
    "fft.fftfreq fft.rfftfreq": "{}(4); {}(4, dtype=d)",
    "zeros ones empty": "{}(2); {}((2, 3), dtype=d)",
    "eye": "{}(2); {}(2, 3, dtype=d)",
    "full": "{}(2, True); {}(2, 1); {}(2, 1.0); {}(2, 1j); {}(2, 1, dtype=d)",
    "arange": "{}(3); {}(3.0); {}(0, 3.0); {}(0, 3, 1.0); {}(3, dtype=d)",
    "linspace": "{}(0, 1, 3); {}(0.0, 1, 3); {}(0, 1j, 3); {}(0, 1, 3, dtype=d)",
    "asarray": "{}(x); {}(x, dtype=d); {}(True); {}(1); {}(1.0); {}(1j); {}([]); {}([True, 1]); {}([[1], [2.0]]);"
    " {}([1, 2j]); {}(2**31); {}(2**63); {}([1], dtype=d)",
    "zeros_like ones_like empty_like": "{}(x); {}(x, dtype=d)",
    "full_like": "{}(x, 1); {}(x, 1, dtype=d)",
    "meshgrid broadcast_arrays": "{}(x, y); {}(x)",
    "broadcast_to": "{}(x, (2, 3))",
    "broadcast_shapes": "{}((2, 1), (1, 3))",
    "concat stack": "{}([x, y]); {}((x,))",
    "expand_dims": "{}(x, 0)",
    "squeeze": "{}(xp.ones((1, 3), dtype=d), 0)",
    "moveaxis": "{}(m, 0, 1)",
    "permute_dims": "{}(m, (1, 0))",
    "repeat roll": "{}(x, 2)",
    "reshape": "{}(x, (3, 1))",
    "tile": "{}(x, (2,))",
    "where": "{}(xp.asarray([True, False, True]), u, v); {}(x, y, z); {}(x, 1, 2)",
    "take take_along_axis": "{}(x, xp.asarray([0, 1]))",
    "astype": "{}(x, d)",
    "can_cast": "{}(x, d)",
    "isdtype": "{}(d, 'bool')",
    "finfo iinfo": "{}(d)",
    "result_type": "{}(x, y); {}(x, 1); {}(x, d); {}(x, 1.0)",
}

#: Functions without a dtype, which are not called.
NOT_CALLED: Final = "finfo iinfo"
