"""SciPy computes with arrays of the array API module as with those of other libraries, and keeps their dtypes."""

import json
import os
import subprocess
import sys

from tests.needed import needs

needs("scipy")

#: SciPy reads its environment variable when it is imported, so that this needs a process of its own.
_PROGRAM = """
import json, sys
import numpy as np
from promo_runtime import array_api as xp
from scipy import constants, fft, integrate, signal, special, stats

vectors = [1.0, 2.0, 3.0, 7.0], [2.0, 1.0, 5.0, 7.0]
calls = {
    "logsumexp": lambda x, y: special.logsumexp(x),
    "softmax": lambda x, y: special.softmax(x),
    "xlogy": lambda x, y: special.xlogy(x, y),
    "zscore": lambda x, y: stats.zscore(x),
    "skew": lambda x, y: stats.skew(x),
    "ttest_ind": lambda x, y: stats.ttest_ind(x, y).pvalue,
    "pearsonr": lambda x, y: stats.pearsonr(x, y).statistic,
    "rfft": lambda x, y: fft.rfft(x),
    "convolve": lambda x, y: signal.convolve(x, y),
    "detrend": lambda x, y: signal.detrend(x),
    "cumulative_trapezoid": lambda x, y: integrate.cumulative_trapezoid(y, x),
    "convert_temperature": lambda x, y: constants.convert_temperature(x, "C", "K"),
}
found = {}
for name, call in calls.items():
    for dtype in ("float32", "float64"):
        ours = call(*(xp.asarray(each, dtype=dtype) for each in vectors))
        theirs = call(*(np.asarray(each, dtype=dtype) for each in vectors))
        assert type(ours).__name__ == "Array" and ours.system == "array-api", name
        np.testing.assert_allclose(np.asarray(ours), theirs, 1e-5, err_msg=name)
        found[f"{name} {dtype}"] = ours.dtype.name == np.asarray(theirs).dtype.name
json.dump(found, sys.stdout)
"""


def test_scipy_computes_with_our_arrays() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert len(found) == 24
    assert [name for name, same in found.items() if not same] == []
