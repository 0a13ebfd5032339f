"""The dtypes of `torch.distributions`: samples, densities and statistics have the dtype of the parameters.

Samples of a categorical distribution are int64, whatever its parameters. Measured with PyTorch 2.13:
tests/plugin/calls/test_distributions.py executes every class and member.
"""

from collections.abc import Iterable
from typing import Final

_PACKAGE: Final = "torch.distributions."
_WITHOUT_PROBS: Final = """
beta.Beta cauchy.Cauchy chi2.Chi2 dirichlet.Dirichlet exponential.Exponential fishersnedecor.FisherSnedecor
gamma.Gamma gumbel.Gumbel half_cauchy.HalfCauchy half_normal.HalfNormal inverse_gamma.InverseGamma
kumaraswamy.Kumaraswamy laplace.Laplace log_normal.LogNormal multivariate_normal.MultivariateNormal normal.Normal
pareto.Pareto poisson.Poisson studentT.StudentT uniform.Uniform von_mises.VonMises weibull.Weibull
"""
_WITH_PROBS: Final = """
bernoulli.Bernoulli binomial.Binomial categorical.Categorical continuous_bernoulli.ContinuousBernoulli
geometric.Geometric negative_binomial.NegativeBinomial one_hot_categorical.OneHotCategorical
"""

#: The full names of the classes.
CLASSES: Final = frozenset(f"{_PACKAGE}{name}" for name in (_WITHOUT_PROBS + _WITH_PROBS).split())
#: The class whose samples are int64.
CATEGORICAL: Final = f"{_PACKAGE}categorical.Categorical"
#: A class around another distribution, which has its dtypes.
INDEPENDENT: Final = f"{_PACKAGE}independent.Independent"
KL_DIVERGENCE: Final = f"{_PACKAGE}kl.kl_divergence"

#: The members that have the dtype of samples, and the methods that promote a value with the parameters.
SAMPLES: Final = frozenset({"sample", "rsample", "mode"})
OF_VALUES: Final = frozenset({"log_prob", "cdf", "icdf"})
#: All members of known dtype. What is in neither set above has the dtype of the parameters.
METHODS: Final = frozenset({"sample", "rsample", "entropy", "perplexity"}) | OF_VALUES
ATTRIBUTES: Final = frozenset({"mode", "mean", "variance", "stddev", "probs", "logits", "loc", "scale"})
#: The arguments of a class that are no parameters of the distribution.
OPTIONS: Final = frozenset({"validate_args", "total_count"})


def members(methods: Iterable[str]) -> list[str]:
    """The full names of members of these names, of all classes and of their base class."""
    classes = (*CLASSES, INDEPENDENT, f"{_PACKAGE}distribution.Distribution", f"{_PACKAGE}exp_family.ExponentialFamily")
    return [f"{cls}.{name}" for cls in classes for name in methods]
