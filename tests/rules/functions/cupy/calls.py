"""The calls and operators of CuPy that a GPU executes: NumPy's calls where they work, or CuPy's own.

Besides the variables of `expressions`, p and q are 0-d arrays, s is a NumPy scalar, a is an array of NumPy, and k is a
number that is written out.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from promo_mypy.rules.functions import library
from promo_mypy.rules.operators import OPERATORS
from tests.rules.functions.measuring import by_signature, with_dtype, written
from tests.rules.functions.numpy.calls import CALLS as NUMPY_CALLS

_MASK: Final = "cp.asarray([True, False, True])"
_OWN: Final = {
    "where": f"{{}}({_MASK}, u, v); {{}}(x)",
    "select": f"{{}}([{_MASK}], [x]); {{}}([{_MASK}], [x], 1.0)",
    "choose": "{}(cp.asarray([0, 1, 0]), [x, y])",
    "compress extract": f"{{}}({_MASK}, x)",
    "take": "{}(x, 0); {}(x, cp.asarray([0, 1])); {}(x, [0, 1])",
    "take_along_axis": "{}(x, cp.asarray([0, 1]), 0)",
    # No GPU has executed them with arrays of counts or places.
    "repeat": "{}(x, 2)",
    "split array_split": "{}(x, 3); {}(x, [1])",
    "hsplit vsplit": "{}(m, 3)",
    "digitize": "{}(x, cp.asarray([1.0, 2.0]))",
    "lexsort": "{}(cp.stack([x, x]))",
    "unravel_index": "{}(cp.asarray([5]), (2, 3))",
    "ravel_multi_index": "{}((cp.asarray([0, 1]), cp.asarray([0, 1])), (2, 3))",
    "unpackbits": "{}(cp.ones(3, 'uint8'))",
    "interp": "{}(cp.asarray([1.5]), cp.asarray([1., 2., 3.]), x); {}(x, y, cp.asarray([1., 2., 3.]))",
    "bincount": "{}(x); {}(cp.asarray([0, 1, 2]), weights=x)",
    "histogram2d": "{}(x, y)",
    "histogram": "{}(x); {}(x, bins=cp.asarray([0, 1, 2])); {}(x, bins=y); {}(x, weights=y); {}(x, density=True)",
    "polyval": "{}(cp.asarray([1, 2]), x); {}(cp.asarray([1.0, 2.0]), x)",
    "clip": "{}(x, y, y); {}(x, 0, 1); {}(x, 0.0, None); {}(x, y, None); {}(u, v, v)",
    "concatenate": "{}([x, y]); {}([x, y], dtype=d); {}([x, y], dtype=d, casting='unsafe')",
    "stack vstack hstack": "{}([x, y]); {}([x, y], dtype=d); {}([x, y], dtype=d, casting='unsafe')",
    "dstack column_stack": "{}([x, y])",
    "zeros_like ones_like empty_like": "{}(x); {}(x, dtype=d)",
    "array asarray asanyarray": "{}(x); {}([[1], [2.0]]); {}([x, y]); {}([x[0], y[0]]); {}(x, d); {}([1, 2], dtype=d);"
    " {}([True, 1]); {}([2**63]); {}([]); {}(1); {}(1.5); {}(True); {}(1j); {}(a)",
    "ascontiguousarray asfortranarray": "{}(x); {}(x, dtype=d)",
    "atleast_1d atleast_2d atleast_3d": "{}(x); {}(x, y)",
    "broadcast_arrays meshgrid": "{}(x, y)",
    "linspace": "{}(0, 1); {}(0, 1, dtype=d); {}(x, y, dtype=d); {}(0, 1j); {}(x, y); {}(x[0], y[0])"
    "; {}(0, 1, retstep=True)",
    "logspace": "{}(0, 1); {}(0, 1, dtype=d)",
    "arange": "{}(3); {}(0, 3.0); {}(0, 3, 1.0); {}(3, dtype=d)",
    "full": "{}(2, 1); {}(2, True); {}(2, 1.0); {}(2, 1j); {}(3, 1, dtype=d); {}(2, x[0]); {}(2, s)",
    "ndarray": "{}(2); {}(2, d)",
    "float32": "{}(); {}(x)",
    "result_type": "{}(x, y); {}(x, 1.0); {}(x, d); {}(u, v)",
    "promote_types": "{}(np.float32, d); {}(x.dtype, y.dtype)",
    "add": "{}(u, v); {}(x, y, dtype=d); {}(x, y, out=z); {}(x, s); {}(s, x); {}(a, x)",
    "sum prod mean": "{}(x); {}(x, dtype=d); {}(m, axis=0, out=x)",
    "var std": "{}(x); {}(x, dtype=d)",
    "cov": "{}(x); {}(x, y); {}(x, dtype=d); {}(x, aweights=y); {}(x, fweights=y)",
    "corrcoef": "{}(x); {}(x, y); {}(x, dtype=d)",
    "einsum": "{}('i,i->', x, y); {}('i,i,i', x, x, y); {}('ii', m); {}('ij,jk->ik', m, n)",
    "dot": "{}(x, y)",
    "i0 sinc signbit frexp modf asnumpy": "{}(x)",
    "ediff1d": "{}(x); {}(x, to_end=y); {}(x, to_begin=y); {}(x, to_end=1)",
    "gradient": "{}(x); {}(x, 0.5); {}(x, y)",
    "nan_to_num": "{}(x); {}(x, nan=1.0); {}(x, nan=y[0])",
    "pad": "{}(x, 1); {}(x, 1, constant_values=1.5)",
    "average": "{}(x); {}(x, weights=y); {}(x, returned=True)",
    "trapz trapezoid": "{}(x); {}(x, y); {}(x, dx=0.5); {}(x, dx=y[0])",
    "linalg.norm": "{}(x); {}(m, axis=1); {}(m)",
    "linalg.solve": "{}(m, n); {}(m, x)",
    "random.choice": "{}(x); {}(3); {}(3, 2)",
    # Of the methods that compute, CuPy has one.
    "quantile": "{}(x, 0.5); {}(x, [0.5]); {}(x, 1); {}(x, [0, 1]); {}(x, y)"
    "; {}(x, 0.5, method='lower'); {}(x, 1, method='hazen')"
    "; {}(x, True); {}(x, True, method='hazen'); {}(x, [0, 1], method='weibull')",
    "percentile": "{}(x, 50); {}(x, [25.0, 50.0]); {}(x, True)",
    "random.randint": "{}(3); {}(0, 3, size=2); {}(0, 3, 2, d)",
    "random.rand random.randn random.random random.random_sample random.sample random.ranf random.standard_normal"
    " random.standard_exponential random.standard_cauchy": "{}(2); {}(2, dtype=d)",
    "random.normal random.uniform random.gumbel random.laplace random.logistic random.lognormal":
        "{}(0.0, 1.0, 2); {}(0.0, 1.0, 2, dtype=d)",
    "random.multivariate_normal": "{}(cp.zeros(2), cp.eye(2), 3)",
    "random.poisson random.exponential random.rayleigh random.standard_t random.chisquare random.power random.pareto"
    " random.weibull random.standard_gamma random.geometric random.logseries": "{}(0.5, 2); {}(0.5, 2, dtype=d)",
    "random.zipf": "{}(2.0, 2); {}(2.0, 2, dtype=d)",
    "random.beta random.f random.vonmises random.wald random.gamma": "{}(1.0, 2.0, 3); {}(1.0, 2.0, 3, dtype=d)",
    "random.binomial random.negative_binomial": "{}(3, 0.5, 2); {}(3, 0.5, 2, dtype=d)",
    "random.hypergeometric": "{}(3, 3, 2, 4); {}(3, 3, 2, 4, dtype=d)",
    "random.dirichlet": "{}(cp.asarray([1.0, 2.0]))",
    "random.triangular": "{}(0, 1, 2, 3); {}(0, 1, 2, 3, dtype=d)",
}  # fmt: skip


def _all_calls() -> dict[str, tuple[str, ...]]:
    theirs = {name: tuple(text.replace("np.", "cp.") for text in texts)
              for name, texts in written(NUMPY_CALLS, "cp.").items()}  # fmt: skip
    return {**theirs, **written(_OWN, "cp.")}


#: Functions -> calls. Other functions are called with as many arrays as they need.
CALLS: Final = _all_calls()

#: Methods and attributes -> expressions.
METHODS: Final[dict[str, str]] = {
    "all any argmax argmin argsort conj conjugate cumprod cumsum max mean min nonzero prod ravel squeeze std sum var"
    " copy flatten get tolist ptp transpose view reduced_view": "x.{}()",
    "sum cumsum cumprod mean prod var std": "x.{}(dtype=d)",
    "argpartition": "x.{}(1)",
    "diagonal trace": "m.{}()",
    "dot": "x.{}(y)",
    "repeat reshape": "x.{}(3)",
    "round": "x.{}(1); x.{}()",
    "searchsorted": "x.{}(x)",
    "swapaxes": "m.{}(0, 1)",
    "take": "x.{}(0); x.{}([0, 1])",
    "compress": "x.{}([True, False, True])",
    "astype": "x.{}(d)",
    "item": "x.{}(0); x[0].{}()",
    "clip": "x.{}(0, 1); x.{}(y, y); x.{}(min=0.0)",
    "T real imag": "x.{}",
    "mT": "m.{}",
    "flat": "x.{}[0]",
}

#: Names that were called and are not methods: indexing, conversions to Python, NumPy's functions.
EXPRESSIONS: Final = (
    "x[0]", "x[:2]", "x[x > 0]", "x[[0, 1]]", "x[None]", "int(x[0])", "float(x[0])", "bool(x[0])", "complex(x[0])",
    "round(x)", "np.add(x, y)", "np.add(a, x)", "np.sin(x)", "np.sum(x)", "np.concatenate([x, y])",
    "np.where(x > 0, x, y)", "cp.uint8(1) + x", "cp.float32(1) + x",
)  # fmt: skip

#: Calls with a number that is written out.
LITERALS: Final = (
    "cp.add(x, k)", "cp.maximum(x, k)", "cp.where(x > 0, x, k)", "cp.full_like(x, k)", "cp.clip(x, 0, k)",
    "x.__setitem__(0, k)",
)  # fmt: skip


def _operators() -> dict[str, str]:
    found = {}
    for row in OPERATORS.values():
        match row.kind:
            case "binary" | "comparison" if row.operation != "divmod":
                found[f"ops/{row.operation}"] = f"u {row.symbol} v"
            case "unary" if row.operation != "abs":
                found[f"ops/{row.operation}"] = f"{row.symbol}x"
            case "inplace" if row.symbol in _IN_PLACE:
                found[f"inplace/{row.operation}"] = f"x {row.symbol} v"
    for operation, symbol in _MIXED.items():
        found |= {
            f"weak/array_numpy_scalar_{operation}": f"x {symbol} s",
            f"weak/numpy_scalar_array_{operation}": f"s {symbol} x",
            f"weak/array_numpy_array_{operation}": f"x {symbol} a",
            f"weak/numpy_array_array_{operation}": f"a {symbol} x",
        }
    return {
        **found,
        "ops/abs": "abs(x)",
        "ops/divmod": "divmod(u, v)",
        "ops/matmul_vectors": "x @ y",
        "ops/matmul_transposed": "x.T @ y",
        "ops/matmul_matrices": "m @ n",
        "ops/matmul_vector": "m @ x",
        "weak/array_zero_d_add": "x + p",
        "weak/zero_d_array_add": "p + x",
        "weak/zero_d_zero_d_add": "p + q",
        "weak/zero_d_mixed_mul": "p * v",
        "literals/add": "x + k",
        "literals/radd": "k + x",
        "literals/mul": "x * k",
        "literals/eq": "x == k",
        "literals/lt": "x < k",
        "literals/iadd": "x += k",
        "literals/pow": "x ** k",
    }


_IN_PLACE: Final = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "<<=", "@=")
_MIXED: Final = {"add": "+", "mul": "*", "truediv": "/", "eq": "=="}

#: Table of operators, as tests/golden/compact.py names them -> expression.
TABLES: Final = _operators()

#: NumPy's calls with an argument `casting` that were executed for CuPy, too.
_RECORDED_CASTS: Final = frozenset(
    f"cp.{name}([x, y], dtype=d, casting='unsafe')" for name in ("concatenate", "stack", "vstack", "hstack")
)

#: Reductions that treat the dtype argument in many ways.
_DTYPE_ARGUMENTS: Final = (
    "sum prod mean std var nansum nanprod nanmean nanstd nanvar cumsum nancumsum argmax argmin nanargmax nanargmin cov"
    " corrcoef"
)
#: Expressions that are measured for every pair of dtypes; the operators also beside written floats.
IN_FULL: Final = (
    "u + v", "x += v", "cp.linspace(x, y, dtype=d)", *(f"cp.{name}(x, dtype=d)" for name in _DTYPE_ARGUMENTS.split()),
)  # fmt: skip
FLOATS: Final = ("x + k", "x * k", "x += k")


def calls_of(name: str) -> tuple[str, ...]:
    """The calls of a function."""
    row = library("cupy").functions[name]
    calls = CALLS.get(name) or (by_signature(row, "cp"),)
    return with_dtype(row, tuple(call for call in calls if call in _RECORDED_CASTS or "casting=" not in call))


def by_row() -> Iterator[tuple[str, ...]]:
    """The calls of each function, method and attribute."""
    yield from map(calls_of, library("cupy").functions)
    yield from written(METHODS).values()


def texts() -> Iterator[str]:
    """Every expression that is measured."""
    yield from dict.fromkeys([*chain(*by_row()), *EXPRESSIONS, *LITERALS, *TABLES.values()])
