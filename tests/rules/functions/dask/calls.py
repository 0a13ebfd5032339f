"""The calls for Dask's functions: NumPy's calls, except for these; {} is the function.

x y z have two chunks, m and n one.
"""

from typing import Final

from tests.rules.functions.measuring import written
from tests.rules.functions.numpy.calls import CALLS as NUMPY_CALLS

_OWN: Final[dict[str, str]] = {
    "absolute negative positive sqrt exp sin square floor isnan conj": "{}(u)",
    "add": "{}(u, v); {}(x, y, out=z)",
    "subtract multiply power maximum floor_divide remainder bitwise_and": "{}(u, v)",
    "sum prod mean": "{}(x); {}(x, dtype=d); {}(m, axis=0, out=x)",
    "cumsum cumprod nancumsum nancumprod": "{}(x, 0); {}(x, 0, dtype=d)",
    "median nanmedian": "{}(m, axis=0)",
    "quantile nanquantile": "{}(m, 0.5, axis=0); {}(m, [0.5], axis=0)",
    "percentile": "{}(x, 50); {}(x, [25.0, 50.0])",
    "nanpercentile": "{}(m, 50, axis=0); {}(m, [25.0, 50.0], axis=0)",
    "moment": "{}(x, 2); {}(x, 2, dtype=d)",
    "topk argtopk": "{}(x, 1)",
    "concatenate stack vstack hstack dstack block": "{}([x, y])",
    "clip": "{}(u, v, v); {}(x, 0, 1); {}(x, 0.0, None)",
    "nan_to_num": "{}(x)",
    "ediff1d": "{}(x); {}(x, to_end=y); {}(x, to_begin=y)",
    "reshape": "{}(x, (3, 1))",
    "repeat": "{}(x, 2)",
    "zeros ones empty": "{}(2); {}((2, 3), dtype=d)",
    "arange": "{}(3); {}(0, 3.0); {}(0, 3, 1.0); {}(3, dtype=d)",
    "append": "{}(x, y); {}(x, [1, 2])",
    "insert delete": "{}(x, 0, axis=0)",
    "insert": "{}(x, 0, 1, axis=0)",
    "searchsorted": "{}(x, y)",
    "digitize": "{}(x, np.asarray([1.0, 2.0]))",
    "where": "{}(da.asarray([True, False, True]), u, v); {}(x)",
    "select": "{}([da.asarray([True, False, True])], [x]); {}([da.asarray([True, False, True])], [x], 1.0)",
    "choose": "{}(da.asarray([0, 1, 0]), [x, y])",
    "compress extract": "{}(da.asarray([True, False, True]), x)",
    "unravel_index": "{}(da.asarray([5]), (2, 3))",
    "ravel_multi_index": "{}(da.asarray([[0, 1], [0, 1]]), (2, 3))",
    "bincount": "{}(x, minlength=3); {}(da.asarray([0, 1, 2]), weights=x, minlength=3)",
    "histogram": "{}(x, bins=2, range=(0, 2)); {}(x, bins=[0, 1, 2]); {}(x, bins=[0, 1, 2], weights=y)",
    "histogram2d": "{}(x, y, bins=2, range=((0, 2), (0, 2)))",
    "cov corrcoef": "{}(x)",
    "matmul dot vdot": "{}(x, y)",
    "rechunk": "{}(x, 3)",
    "map_blocks": "{}(abs, x, dtype=d); {}(abs, x, meta=np.ones(0, d))",
    "map_overlap": "{}(abs, x, depth=1, boundary='none', dtype=d)"
    "; {}(abs, x, depth=1, boundary='none', meta=np.ones(0, d))",
    "blockwise": "{}(abs, 'i', x, 'i', dtype=d); {}(abs, 'i', x, 'i', meta=np.ones(0, d))",
    "reduction": "{}(x, np.sum, np.sum, dtype=d); {}(x, np.sum, np.sum, meta=np.ones((), d))",
    "apply_along_axis": "{}(np.sum, 0, x, dtype=d, shape=())",
    "fromfunction": "{}(np.asarray, chunks=3, shape=(3,), dtype=d)",
    "from_delayed": "{}(dask.delayed(np.ones)(3), (3,), dtype=d)"
    "; {}(dask.delayed(np.ones)(3), (3,), meta=np.ones(0, d))",
    "from_array": "{}(np.ones(3, d))",
    "tril_indices_from triu_indices_from tril triu diagonal diag linalg.inv linalg.cholesky linalg.norm linalg.qr"
    " linalg.svd fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft2"
    " fft.irfft2 fft.rfftn fft.irfftn": "{}(m)",
    "linalg.solve linalg.lstsq": "{}(m, n)",
    "linspace": "{}(0, 1); {}(0, 1, dtype=d)",
    "full": "{}(2, 1); {}(2, True); {}(2, 1.0); {}(3, 1, dtype=d)",
    "asarray asanyarray array": "{}(x); {}([[1], [2.0]]); {}([1, 2], dtype=d); {}([True, 1]); {}([2**63]); {}([])",
}


def _all_calls() -> dict[str, tuple[str, ...]]:
    of_collections = {"compute persist": "{}(x, y); {}(m)"}
    return {**written(NUMPY_CALLS, "da."), **written(_OWN, "da."), **written(of_collections, "dask.")}


CALLS: Final = _all_calls()

#: Functions that other tests call, or that need pandas, or more than ones.
NOT_CALLED: Final = "gradient isnull notnull ndim"

#: Methods and attributes -> expressions.
METHODS: Final[dict[str, str]] = {
    "all any argmax argmin max mean min prod std sum var copy conj flatten ravel nonzero squeeze transpose compute"
    " persist": "x.{}()",
    "sum mean prod std": "x.{}(dtype=d)",
    "cumsum cumprod": "x.{}(0)",
    "topk argtopk repeat moment": "x.{}(2)",
    "dot": "x.{}(y)",
    "reshape": "x.{}(3)",
    "round": "x.{}(1)",
    "swapaxes": "m.{}(0, 1)",
    "trace": "m.{}()",
    "rechunk": "x.{}(3)",
    "view": "x.{}()",
    "astype": "x.{}(d)",
    "map_blocks": "x.{}(abs, dtype=d); x.{}(abs, meta=np.ones(0, d))",
    "map_overlap": "x.{}(abs, 1, 'none', dtype=d); x.{}(abs, 1, 'none', meta=np.ones(0, d))",
    "clip": "x.{}(0, 1); x.{}(y, y)",
    "T real imag": "x.{}",
}

NOT_CALLED_METHODS: Final = "choose __getitem__ __setitem__"
