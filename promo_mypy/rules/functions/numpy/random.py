"""numpy.random: the functions of the module, and the methods of its generators. Source: running NumPy 2.4."""

from typing import Final

from promo_mypy.rules.functions.language.choosing import Checked, IfScalar
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Entry, Rows, table
from promo_mypy.rules.functions.language.vocabulary import Asked, Default, Drawn, Inferred, Python, Same

_FLOAT: Final = Default("f")
_INT: Final = Default("i")

# A number n stands for the items 0, 1, ..., n - 1.
_CHOSEN: Final = IfScalar("a", Checked(Drawn("i"), Converted(Same("a"), "fc=refused")), Inferred("a"))
_PERMUTED: Final = IfScalar("x", Converted(Inferred("x"), "uint64=float64 bui=int fc=refused"), Inferred("x"))

# A float of another dtype than the default is a NumPy scalar.
_ASKED: Final = Asked(Drawn("f"))

#: Distributions: names -> parameters and what is drawn; legacy functions and generators share them.
_DISTRIBUTIONS: Final[tuple[Entry, ...]] = (
    ("uniform", "low=0.0, high=1.0, size=None", Drawn("f", "low high")),
    ("normal gumbel laplace logistic", "loc=0.0, scale=1.0, size=None", Drawn("f", "loc scale")),
    ("lognormal", "mean=0.0, sigma=1.0, size=None", Drawn("f", "mean sigma")),
    ("exponential rayleigh", "scale=1.0, size=None", Drawn("f", "scale")),
    ("standard_cauchy", "size=None", Drawn("f")),
    ("beta", "a, b, size=None", Drawn("f", "a b")),
    ("gamma", "shape, scale=1.0, size=None", Drawn("f", "shape scale")),
    ("chisquare standard_t", "df, size=None", Drawn("f", "df")),
    ("f", "dfnum, dfden, size=None", Drawn("f", "dfnum dfden")),
    ("vonmises", "mu, kappa, size=None", Drawn("f", "mu kappa")),
    ("wald", "mean, scale, size=None", Drawn("f", "mean scale")),
    ("weibull power pareto", "a, size=None", Drawn("f", "a")),
    ("triangular", "left, mode, right, size=None", Drawn("f", "left mode right")),
    ("dirichlet", "alpha, size=None", Drawn("f", "alpha")),
    ("poisson", "lam=1.0, size=None", Drawn("i", "lam")),
    ("binomial negative_binomial", "n, p, size=None", Drawn("i", "n p")),
    ("geometric logseries", "p, size=None", Drawn("i", "p")),
    ("zipf", "a, size=None", Drawn("i", "a")),
    ("hypergeometric", "ngood, nbad, nsample, size=None", Drawn("i", "ngood nbad nsample")),
    ("multinomial", "n, pvals, size=None", Drawn("i", "n pvals")),
)
#: The functions of the module, and the methods of RandomState. A number n stands for the items 0, 1, ..., n - 1.
LEGACY: Final[tuple[Entry, ...]] = (
    *_DISTRIBUTIONS,
    ("rand randn", "*args", _FLOAT),
    ("random random_sample ranf sample standard_normal standard_exponential", "size=None", Drawn("f")),
    ("standard_gamma", "shape, size=None", Drawn("f", "shape")),
    ("multivariate_normal", "mean, cov, size=None, check_valid='warn', tol=1e-08", _FLOAT),
    ("randint", "low, high=None, size=None, dtype=None", Asked(Drawn("i", "low high"), table="fc=refused")),
    ("random_integers", "low, high=None, size=None", _INT),
    ("choice", "a, size=None, replace=True, p=None", _CHOSEN),
    ("permutation", "x", _PERMUTED),
)
#: The methods of Generator, without `self`.
GENERATOR: Final[tuple[Entry, ...]] = (
    *_DISTRIBUTIONS,
    ("random standard_normal", "size=None, dtype=None, out=None", _ASKED),
    ("standard_exponential", "size=None, dtype=None, method='zig', out=None", _ASKED),
    ("standard_gamma", "shape, size=None, dtype=None, out=None", Asked(Drawn("f", "shape"))),
    ("multivariate_normal", "mean, cov, size=None, check_valid='warn', tol=1e-08, *, method='svd'", _FLOAT),
    ("multivariate_hypergeometric", "colors, nsample, size=None, method='marginals'", _INT),
    ("integers", "low, high=None, size=None, dtype=None, endpoint=False", Asked(_INT)),
    ("choice", "a, size=None, replace=True, p=None, axis=0, shuffle=True", _CHOSEN),
    ("permutation", "x, axis=0", _PERMUTED),
    ("permuted", "x, *, axis=None, out=None", Inferred("x")),
)

_NOTHING: Final[tuple[Entry, ...]] = (
    ("random.seed", "seed=None", Python()),
    ("random.shuffle", "x", Python()),
    ("random.Generator.shuffle", "self, x, axis=0", Python()),
)


def under(prefix: str, names: str) -> str:
    """The names below a module or a class."""
    return " ".join(f"{prefix}.{name}" for name in names.split())


ROWS: Final[Rows] = table(
    "numpy",
    *((under("random", names), signature, rule) for names, signature, rule in LEGACY),
    *((under("random.RandomState", names), f"self, {signature}", rule) for names, signature, rule in LEGACY),
    *((under("random.Generator", names), f"self, {signature}", rule) for names, signature, rule in GENERATOR),
    *_NOTHING,
)
