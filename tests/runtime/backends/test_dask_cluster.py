"""Graphs of Dask on a local cluster: results of its threads, or of other processes, have the declared dtype."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import promo_runtime as pr
from tests.needed import imported

da = imported("dask.array")
distributed = imported("dask.distributed")


def graphs() -> dict[str, tuple[Any, type[pr.Shaped]]]:
    """Graphs under JAX's rules, and the dtype of each."""
    space = pr.namespace("jax-x32")
    f, i = da.ones(4, dtype=np.float32, chunks=2), da.arange(4, dtype=np.int32, chunks=2)
    b = f.astype(ml_dtypes.bfloat16)
    return {
        "mixed": (space.add(f, i), pr.float32),
        "small": (space.multiply(b, b), pr.bfloat16),
        "small and integer": (space.add(b, i), pr.bfloat16),
        "where": (space.where(f > 0, f, i), pr.float32),
        "matrices": (space.matmul(b, b), pr.bfloat16),
        "wrapped": ((pr.asarray(b, system="torch") + 1)._data, pr.bfloat16),
    }


@pytest.mark.parametrize("processes", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_the_computed_dtype_is_the_declared_one(processes: bool) -> None:
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=processes, dashboard_address=None, protocol="tcp"
    )
    with cluster, distributed.Client(cluster) as client:
        for name, (graph, dtype) in graphs().items():
            computed = client.compute(graph).result(timeout=60)
            assert pr.result_type(graph.dtype) is pr.result_type(computed.dtype) is dtype, name
