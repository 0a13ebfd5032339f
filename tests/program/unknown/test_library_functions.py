"""Functions of libraries that call or wrap others, and what is relative to a parameter through them.

Each program is executed for two dtypes of its opaque values, too.
"""

from pathlib import Path

import pytest

from tests.needed import needs
from tests.program.unknown.labelled import assert_labelled, labels
from tests.program.unknown.test_random_code import wrong

NUMPY = """\
import numpy as np
import elsewhere

def spread(row, by=1):
    return row * by

def along(a):
    np.apply_along_axis(spread, 0, a)  # relative
    np.apply_along_axis(lambda row: row + elsewhere.opaque()[0], 0, a)  # unknown
    np.apply_along_axis(spread, 0, elsewhere.opaque())  # unknown

along(np.ones((2, 2), np.float32))
"""
PARALLEL = """\
import numpy as np
from joblib import Parallel, delayed
import elsewhere

def double(a, by=2):
    return a * by

def other(a):
    return elsewhere.opaque()

def gathered(a):
    found = Parallel(n_jobs=1)(delayed(double)(row) for row in a)
    np.array(found)  # relative
    np.concatenate(Parallel(n_jobs=1)(delayed(np.sqrt)(row) for row in [a, a]))  # relative
    parallel = Parallel(2)
    np.array(parallel(delayed(double)(row, 3) for row in a))  # relative
    with Parallel(n_jobs=1) as pool:
        np.array(pool(delayed(double)(row) for row in a))  # relative
    np.array(Parallel(n_jobs=1)(delayed(other)(row) for row in a))  # unknown
    np.array(Parallel(n_jobs=1)(delayed(double)(elsewhere.opaque()) for row in a))  # unknown

gathered(np.ones((2, 2), np.float32))
"""
#: What joblib does without processes.
JOBLIB = """\
class Parallel:
    def __init__(self, n_jobs=1):
        self.n_jobs = n_jobs

    def __call__(self, calls):
        return [function(*arguments, **named) for function, arguments, named in calls]

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

def delayed(function):
    return lambda *arguments, **named: (function, arguments, named)
"""
JAX = """\
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jax.scipy.sparse.linalg import bicgstab, cg, gmres
import elsewhere

def other():
    return jnp.asarray(elsewhere.opaque().real)

def raveled(a):
    flat, back = ravel_pytree({"a": a, "b": [a, a * 2]})
    jnp.sin(flat)  # relative
    jnp.sin(back(flat)["a"])  # relative
    mixed, again = ravel_pytree([a, other()])
    jnp.sin(mixed)  # unknown

def solved(a, b):
    for solve in (cg, gmres):
        x, _ = solve(lambda v: a @ v, b)
        jnp.sin(x)  # relative
    y, _ = bicgstab(lambda v: a @ v, b)
    jnp.sin(y)  # relative
    opaque = other()
    z, _ = cg(lambda v: opaque @ v, opaque)
    jnp.sin(z)  # unknown

raveled(jnp.ones(2, jnp.float16))
solved(jnp.eye(2), jnp.ones((2, 2)))
"""
TORCH = """\
import torch
import elsewhere

def other():
    return torch.from_numpy(elsewhere.opaque().real)

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        return x * by

    @staticmethod
    def backward(ctx, grad):
        return grad * 2, None

class Mixed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + other()

class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x.sum()

def applied(a):
    torch.sin(Double.apply(a, 2))  # relative
    double = Double.apply
    torch.sin(double(a, 2))  # relative
    torch.sin(Double.apply(other(), 2))  # unknown
    torch.sin(Mixed.apply(a))  # unknown
    first, second = Pair.apply(a)
    torch.sin(first)  # relative
    torch.sin(second)  # relative

def options(a, device=None, dtype=None):
    made = {"device": device, "dtype": dtype}
    torch.sin(torch.empty(3, **made))  # relative
    torch.sin(torch.nn.Parameter(torch.zeros(3, **made)))  # relative
    torch.sin(torch.zeros(3, **{"dtype": other().dtype}))  # unknown

class Doubling(torch.nn.Module):
    def forward(self, x):
        return x * 2

class Mixing(torch.nn.Module):
    def forward(self, x):
        return x + other()

class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.doubling = torch.nn.ModuleList([Doubling(), Doubling()])
        self.mixed = torch.nn.ModuleList([Doubling(), Mixing()])

    def forward(self, x):
        for layer in self.doubling:
            torch.sin(layer(x))  # relative
        for mixed in self.mixed:
            torch.sin(mixed(x))  # unknown
        return x

Layers()(torch.ones(2, 2))
applied(torch.ones(2, 2))
options(torch.ones(2), dtype=torch.float64)
"""


@pytest.mark.parametrize(
    ("library", "text"),
    [("numpy", NUMPY), pytest.param("numpy", PARALLEL, marks=pytest.mark.slow), ("jax", JAX), ("torch", TORCH)],
)
def test_what_a_function_returns_that_calls_another(
    library: str, text: str, tmp_path: Path, plugin_cache: Path
) -> None:
    needs(library)
    (tmp_path / "joblib.py").write_text(JOBLIB)
    told, differing, _ = wrong(tmp_path, plugin_cache, text)
    assert told == []
    assert differing
    assert_labelled(labels(tmp_path, text), text)
