"""jax.random: the default float, whatever the parameters. Source: running JAX 0.10."""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.inexact import BOOL, FLOAT, INDEX, real_inexact
from promo_mypy.rules.functions.language.choosing import Checked, CheckedIfKnown, IfNumber, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, Same, Strong

#: The dtype argument chooses among dtypes of the same kind.
_FLOAT: Final = Asked(FLOAT, table="buic=refused")
_INEXACT: Final = Asked(FLOAT, table="bui=refused")
_INTEGER: Final = Asked(INDEX, table="bfc=refused")
_KEY: Final = Asked(Fixed(dt.key), table="buifc=refused")

ROWS: Final[Rows] = table(
    "jax",
    ("PRNGKey", "seed, *, impl=None", Fixed(dt.uint32)),
    ("key", "seed, *, impl=None, dtype=None", _KEY),
    ("wrap_key_data", "key_bits_array, *, impl=None, dtype=None", _KEY),
    ("key_data", "keys", Fixed(dt.uint32)),
    ("split", "key, num=2", Same("key")),
    ("fold_in", "key, data", Same("key")),
    ("clone", "key", Same("key")),
    ("uniform", "key, shape=..., dtype=None, minval=0.0, maxval=1.0", _FLOAT),
    ("exponential laplace cauchy logistic maxwell", "key, shape=..., dtype=None", _FLOAT),
    ("normal", "key, shape=..., dtype=None", _INEXACT),
    ("truncated_normal", "key, lower, upper, shape=None, dtype=None", _FLOAT),
    ("gumbel", "key, shape=..., dtype=None, mode=None", _FLOAT),
    ("double_sided_maxwell", "key, loc, scale, shape=..., dtype=None", _FLOAT),
    ("generalized_normal", "key, p, shape=..., dtype=None", _FLOAT),
    ("lognormal", "key, sigma=..., shape=None, dtype=None", _INEXACT),
    ("orthogonal", "key, n, shape=..., dtype=None, m=None", _INEXACT),
    ("ball", "key, d, p=2, shape=..., dtype=None", _FLOAT),
    ("gamma loggamma", "key, a, shape=None, dtype=None", _FLOAT),
    ("beta", "key, a, b, shape=None, dtype=None", _FLOAT),
    ("chisquare t", "key, df, shape=None, dtype=None", _FLOAT),
    ("dirichlet", "key, alpha, shape=None, dtype=None", _FLOAT),
    ("f", "key, dfnum, dfden, shape=None, dtype=None", _FLOAT),
    ("pareto", "key, b, shape=None, dtype=None", _FLOAT),
    ("rayleigh", "key, scale, shape=None, dtype=None", _FLOAT),
    ("triangular", "key, left, mode, right, shape=None, dtype=None", _FLOAT),
    ("wald", "key, mean, shape=None, dtype=None", _FLOAT),
    ("weibull_min", "key, scale, concentration, shape=..., dtype=None", _FLOAT),
    ("binomial", "key, n, p, shape=None, dtype=None", _FLOAT),
    ("multinomial", "key, n, p, *, shape=None, dtype=None, unroll=1", Asked(FLOAT)),
    ("poisson", "key, lam, shape=None, dtype=None", _INTEGER),
    ("geometric", "key, p, shape=None, dtype=None", _INTEGER),
    ("randint", "key, shape, minval, maxval, dtype=None", _INTEGER),
    ("rademacher", "key, shape=..., dtype=None", Asked(INDEX)),
    ("bits", "key, shape=..., dtype=None", Asked(Fixed(dt.uint64), table="bifc=refused")),
    ("bernoulli", "key, p=0.5, shape=None, mode='low'", CheckedIfKnown(BOOL, Converted(Same("p"), "biuc=refused"))),
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
        Asked(Strong(real_inexact("mean cov")), table="buic=refused"),
    ),
    under="random",
)
