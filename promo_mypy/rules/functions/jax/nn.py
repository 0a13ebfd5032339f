"""jax.nn and jax.scipy. Source: running JAX 0.10."""

from collections.abc import Callable
from typing import Final

from promo_mypy.rules.functions.jax.inexact import FLOAT, inexact, real_inexact, weak_complex_scalar, weak_scalar
from promo_mypy.rules.functions.jax.shaping import INDICES
from promo_mypy.rules.functions.language.choosing import Checked, If
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed
from promo_mypy.rules.functions.language.optional_arrays import UnlessArrays
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.several_results import Each, Several
from promo_mypy.rules.functions.language.vocabulary import Asked, Dtypes, Python, Same, Strong


def _float(name: str) -> Rule:
    return Converted(Same(name), "bui=refused")


def _with(name: str, number: str) -> Rule:
    return Promoted(name, also=number)


def _masked(name: str) -> Rule:
    return Converted(Same(name), "b=weak_float ui=quotient")


_SUMMED: Final = Strong(If("b", inexact("a b"), inexact("a")))

NN: Final[Rows] = table(
    "jax",
    ("relu hard_tanh", "x", _with("x", "py_int")),
    ("relu6", "x", _with("x", "py_float")),
    ("sigmoid silu swish", "x", _float("x")),
    ("glu", "x, axis=-1", _float("x")),
    ("softplus mish", "x", weak_complex_scalar("x", _masked("x"))),
    ("soft_sign", "x", _masked("x")),
    ("log_sigmoid", "x", weak_complex_scalar("x", Converted(Same("x"), "b=refused ui=quotient"))),
    ("elu celu", "x, alpha=1.0", UnlessArrays(_with("x", "py_float"), "alpha")),
    ("selu hard_sigmoid hard_silu hard_swish sparse_plus", "x", _with("x", "py_float")),
    ("leaky_relu", "x, negative_slope=0.01", UnlessArrays(_with("x", "py_float"), "negative_slope")),
    ("gelu", "x, approximate=True", Strong(inexact("x"))),
    ("logsumexp", "a, axis=None, b=None, keepdims=False, return_sign=False, where=None", _SUMMED),
    ("softmax log_softmax", "x, axis=-1, where=None", Strong(Converted(Same("x"), "b=refused uifc=quotient"))),
    (
        "standardize",
        "x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None, *, algorithm='fast'",
        UnlessArrays(Strong(real_inexact("x")), "mean variance"),
    ),
    ("tanh", "x, /", inexact("x")),
    ("squareplus", "x, b=4", inexact("x")),
    ("identity", "x", Same("x")),
    ("one_hot", "x, num_classes, *, dtype=None, axis=-1", Checked(Asked(FLOAT), Converted(Same("x"), "b=refused"))),
    (
        "dot_product_attention",
        "query, key, value, bias=None, mask=None, *, scale=None, is_causal=False, query_seq_lengths=None, "
        "key_value_seq_lengths=None, local_window_size=None, implementation=None, return_residual=False",
        Strong(Promoted("query key value")),
    ),
    under="nn",
)

_SPECIAL: Final[Rows] = table(
    "jax",
    ("erf erfc erfinv gammaln digamma i0 i1 entr", "x", real_inexact("x")),
    ("factorial", "n, exact=False", real_inexact("n")),
    ("expit", "x", inexact("x")),
    ("logit", "x", weak_scalar("x", inexact("x"))),
    ("gamma", "x", Strong(inexact("x"))),
    ("logsumexp", "a, axis=None, b=None, keepdims=False, return_sign=False, where=None", _SUMMED),
    ("ndtr", "x", Strong(Converted(Same("x"), "bui=refused bfloat16=refused float16=refused c=refused"))),
    ("ndtri", "p", Strong(Converted(Same("p"), "bui=refused bfloat16=refused float16=refused c=refused"))),
    (
        "log_ndtr",
        "x, series_order=3",
        Strong(Converted(Same("x"), "bui=refused bfloat16=refused float16=refused c=refused")),
    ),
    ("softmax log_softmax", "x, /, *, axis=None", Strong(Converted(Same("x"), "b=refused uifc=quotient"))),
    ("xlogy xlog1py", "x, y", inexact("x y")),
    ("gammainc gammaincc", "a, x", real_inexact("a x")),
    ("betaln", "a, b", real_inexact("a b")),
    under="scipy.special",
)

_LINALG: Final[Rows] = table(
    "jax",
    ("inv", "a, overwrite_a=False, check_finite=True", Strong(inexact("a"))),
    ("det", "a, overwrite_a=False, check_finite=True", inexact("a")),
    ("cholesky", "a, lower=False, overwrite_a=False, check_finite=True", inexact("a")),
    (
        "expm",
        "A, *, upper_triangular=False, max_squarings=16",
        Strong(Converted(inexact("A"), "bfloat16=refused float16=refused")),
    ),
    ("cho_factor", "a, lower=False, overwrite_a=False, check_finite=True", Several.of(inexact("a"), Python("b"))),
    ("cho_solve", "c_and_lower, b, overwrite_b=False, check_finite=True", inexact("*c_and_lower b")),
    ("lu_solve", "lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True", inexact("*lu_and_piv b")),
    (
        "lu_factor",
        "a, overwrite_a=False, check_finite=True",
        Several.of(inexact("a"), Converted(inexact("a"), "fc=int32")),
    ),
    (
        "solve_triangular",
        "a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, debug=None, check_finite=True",
        inexact("a b"),
    ),
    (
        "solve",
        "a, b, lower=False, overwrite_a=False, overwrite_b=False, debug=False, check_finite=True, assume_a='gen'",
        inexact("a b"),
    ),
    (
        "qr",
        "a, overwrite_a=False, lwork=None, mode='full', pivoting=False, check_finite=True",
        If("mode", Several.of(inexact("a")), Several.of(inexact("a"), inexact("a")), "r"),
    ),
    (
        "svd",
        "a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver='gesdd'",
        If(
            "compute_uv",
            Several.of(inexact("a"), Converted(inexact("a"), "c=real"), inexact("a")),
            Converted(inexact("a"), "c=real"),
            True,
        ),
    ),
    ("block_diag", "*arrs", Strong(Promoted("*arrs"))),
    under="scipy.linalg",
)

#: `ndtr` has no half precision.
_NORMAL: Final = Strong(Converted(inexact("x loc scale"), "bfloat16=refused float16=refused c=refused"))


def _density(names: str, of: Callable[[str], Rule] = real_inexact) -> Rule:
    """Weak only if the first argument is 0-d."""
    return weak_scalar(names.split()[0], of(names))


_STATS: Final[Rows] = table(
    "jax",
    ("norm.logpdf norm.pdf cauchy.logpdf cauchy.pdf", "x, loc=0, scale=1", _density("x loc scale", inexact)),
    ("logistic.logpdf logistic.pdf", "x, loc=0, scale=1", weak_scalar("x loc scale", inexact("x loc scale"))),
    ("norm.cdf norm.logcdf norm.sf norm.logsf", "x, loc=0, scale=1", _NORMAL),
    ("uniform.logpdf uniform.pdf expon.logpdf expon.pdf", "x, loc=0, scale=1", real_inexact("x loc scale")),
    ("laplace.logpdf laplace.pdf", "x, loc=0, scale=1", _density("x loc scale")),
    ("gamma.logpdf gamma.pdf", "x, a, loc=0, scale=1", _density("x a loc scale")),
    ("beta.logpdf beta.pdf", "x, a, b, loc=0, scale=1", _density("x a b loc scale")),
    ("t.logpdf t.pdf chi2.logpdf chi2.pdf", "x, df, loc=0, scale=1", _density("x df loc scale")),
    ("poisson.logpmf poisson.pmf", "k, mu, loc=0", real_inexact("k mu loc")),
    ("bernoulli.logpmf bernoulli.pmf", "k, p, loc=0", _density("k p loc")),
    under="scipy.stats",
)

_SIGNAL: Final[Rows] = table(
    "jax",
    ("convolve correlate", "in1, in2, mode='full', method='auto', precision=None", inexact("in1 in2")),
    ("convolve2d", "in1, in2, mode='full', boundary='fill', fillvalue=0, precision=None", inexact("in1 in2")),
    under="scipy.signal",
)

_SEGMENTS: Final = "num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, mode=None"

#: Functions of the package `jax` itself that take and return arrays, also in pytrees.
_PLACED: Final[Rows] = table(
    "jax",
    ("device_put", "x, device=None, *, src=None, donate=False, may_alias=None", Each("x", Same("x"), single=True)),
    ("block_until_ready", "x", Each("x", Same("x"), single=True)),
    (
        "image.resize",
        "image, shape, method, antialias=True, precision=...",
        If("method", Same("image"), Strong(inexact("image")), "nearest"),
    ),
    (
        "ops.segment_sum ops.segment_prod",
        f"data, segment_ids, {_SEGMENTS}",
        Indexed(Strong(Converted(Same("data"), "b=refused")), "segment_ids", INDICES),
    ),
    (
        "ops.segment_max ops.segment_min",
        f"data, segment_ids, {_SEGMENTS}",
        Indexed(Strong(Same("data")), "segment_ids", INDICES),
    ),
    ("dtypes.result_type", "*args, return_weak_type_flag=False", Strong(Dtypes("args"))),
)

ROWS: Final[Rows] = {**NN, **_SPECIAL, **_LINALG, **_STATS, **_SIGNAL, **_PLACED}
