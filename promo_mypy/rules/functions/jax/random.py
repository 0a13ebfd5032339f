"""jax.random: the default float, whatever the parameters. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import BOOL, FLOAT, INDEX, real_inexact
from promo_mypy.rules.functions.language.choosing import Checked, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Same, Strong

ROWS: Final[Rows] = table(
    "jax",
    ("PRNGKey", "seed, *, impl=None", Fixed(dt.uint32)),
    ("key", "seed, *, impl=None, dtype=None", Fixed(dt.key)),
    ("wrap_key_data", "key_bits_array, *, impl=None, dtype=None", Fixed(dt.key)),
    ("key_data", "keys", Fixed(dt.uint32)),
    ("split", "key, num=2", Same("key")),
    ("fold_in", "key, data", Same("key")),
    ("clone", "key", Same("key")),
    ("uniform", "key, shape=..., dtype=None, minval=0.0, maxval=1.0", Asked(FLOAT)),
    ("normal exponential laplace cauchy logistic maxwell", "key, shape=..., dtype=None", Asked(FLOAT)),
    ("truncated_normal", "key, lower, upper, shape=None, dtype=None", Asked(FLOAT)),
    ("gumbel", "key, shape=..., dtype=None, mode=None", Asked(FLOAT)),
    ("double_sided_maxwell", "key, loc, scale, shape=..., dtype=None", Asked(FLOAT)),
    ("generalized_normal", "key, p, shape=..., dtype=None", Asked(FLOAT)),
    ("lognormal", "key, sigma=..., shape=None, dtype=None", Asked(FLOAT)),
    ("orthogonal", "key, n, shape=..., dtype=None, m=None", Asked(FLOAT)),
    ("ball", "key, d, p=2, shape=..., dtype=None", Asked(FLOAT)),
    ("gamma loggamma", "key, a, shape=None, dtype=None", Asked(FLOAT)),
    ("beta", "key, a, b, shape=None, dtype=None", Asked(FLOAT)),
    ("chisquare t", "key, df, shape=None, dtype=None", Asked(FLOAT)),
    ("dirichlet", "key, alpha, shape=None, dtype=None", Asked(FLOAT)),
    ("f", "key, dfnum, dfden, shape=None, dtype=None", Asked(FLOAT)),
    ("pareto", "key, b, shape=None, dtype=None", Asked(FLOAT)),
    ("rayleigh", "key, scale, shape=None, dtype=None", Asked(FLOAT)),
    ("triangular", "key, left, mode, right, shape=None, dtype=None", Asked(FLOAT)),
    ("wald", "key, mean, shape=None, dtype=None", Asked(FLOAT)),
    ("weibull_min", "key, scale, concentration, shape=..., dtype=None", Asked(FLOAT)),
    ("binomial", "key, n, p, shape=None, dtype=None", Asked(FLOAT)),
    ("multinomial", "key, n, p, *, shape=None, dtype=None, unroll=1", Asked(FLOAT)),
    ("poisson", "key, lam, shape=None, dtype=None", Asked(INDEX)),
    ("geometric", "key, p, shape=None, dtype=None", Asked(INDEX)),
    ("randint", "key, shape, minval, maxval, dtype=None", Asked(INDEX)),
    ("rademacher", "key, shape=..., dtype=None", Asked(INDEX)),
    ("bits", "key, shape=..., dtype=None", Asked(Fixed(dt.uint64))),
    ("bernoulli", "key, p=0.5, shape=None, mode='low'", BOOL),
    (
        "categorical",
        "key, logits, axis=-1, shape=None, replace=True, mode=None",
        Checked(INDEX, Converted(Same("logits"), "buic=refused")),
    ),
    (
        "permutation",
        "key, x, axis=0, independent=False",
        IfScalar("x", Converted(Same("x"), "bfc=refused ui=int"), Same("x")),
    ),
    (
        "choice",
        "key, a, shape=..., replace=True, p=None, axis=0, mode=None",
        IfNumber("a", INDEX, IfScalar("a", Converted(Same("a"), "buif=int c=refused"), Same("a"))),
    ),
    (
        "multivariate_normal",
        "key, mean, cov, shape=None, dtype=None, method='cholesky'",
        Asked(Strong(real_inexact("mean cov"))),
    ),
    under="random",
)
