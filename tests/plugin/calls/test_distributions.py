"""Members of PyTorch's distributions: their dtypes are those of the execution, for every class and dtype."""

from pathlib import Path
from typing import Final

from promo_mypy.rules.functions.torch import distributions
from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.plugin.executed_programs import dtype_of, execute

needs("torch")

_ONE: Final = "one"
_TWO: Final = "one, 2 * one"
#: The arguments that make a distribution; a row for each class that differs.
_ARGUMENTS: Final = {
    "Beta Cauchy FisherSnedecor Gamma Gumbel InverseGamma Kumaraswamy Laplace LogNormal Normal Pareto Uniform": _TWO,
    "VonMises Weibull": _TWO,
    "Chi2 Exponential HalfCauchy HalfNormal Poisson": _ONE,
    "StudentT": "3 * one",
    "Bernoulli ContinuousBernoulli Geometric": "one / 4",
    "Binomial NegativeBinomial": "3, one / 4",
    "Categorical OneHotCategorical": "logits=torch.stack([one, one])",
    "Dirichlet": "torch.stack([one, one])",
    "MultivariateNormal": "torch.stack([one, one]), torch.eye(2, dtype=one.dtype)",
}
_MADE: Final = {cls: given for classes, given in _ARGUMENTS.items() for cls in classes.split()}
#: A line is skipped when it is executed if PyTorch does not have the member, or not for the dtype.
_HEAD: Final = "import torch\nfrom torch import distributions as D\n"
_MORE: Final = """\
reveal_type(D.Normal(0.0, 1.0).sample())
reveal_type(D.Normal(0, torch.ones(2).double()).rsample())
reveal_type(D.Independent(D.Normal(torch.zeros(3), 1.0), 1).log_prob(torch.ones(3)))
reveal_type(D.Independent(D.Categorical(torch.ones(2, 3)), 1).sample())
reveal_type(D.kl_divergence(D.Normal(torch.zeros(2), 1.0), D.Normal(0.0, torch.ones(2))))
reveal_type(D.Uniform(torch.zeros(2), torch.ones(2).double()).low)  # unknown
reveal_type(D.Normal(torch.zeros(2), torch.ones(2)).log_prob(torch.ones(2).double()))  # unknown
"""


def _lines() -> list[str]:
    names = {name.rpartition(".")[2] for name in distributions.CLASSES}
    assert names == set(_MADE)
    lines = []
    for dtype in ("float16", "float64"):
        lines.append(f"one = torch.tensor(1.0, dtype=torch.{dtype})")
        for cls, given in _MADE.items():
            made = f"D.{cls}({given})"
            read = [f"{made}.{name}" for name in sorted(distributions.ATTRIBUTES)]
            read += [f"{made}.{name}()" for name in sorted(distributions.METHODS - distributions.OF_VALUES)]
            read += [f"{made}.{name}({made}.mode)" for name in sorted(distributions.OF_VALUES)]
            lines += [f"reveal_type({each})" for each in read]
    return lines


def test_members_have_the_dtypes_of_their_execution(tmp_path: Path, plugin_cache: Path) -> None:
    text = _HEAD + "\n".join(_lines()) + "\n" + _MORE
    program, executed = tmp_path / "distributions_program.py", tmp_path / "executed.py.txt"
    program.write_text(text)
    guarded = [f"try: {line}\nexcept Exception: pass" if "(D." in line else line for line in text.splitlines()]
    executed.write_text("\n".join(guarded) + "\n")
    # Two lines for each line with a member.
    places = [number for number, line in enumerate(guarded, start=1) for _ in line.splitlines()]
    found = {places[line - 1]: dtypes for line, dtypes in execute([executed])[executed][0].items()}
    run = run_mypy(tmp_path, program.name, cache=plugin_cache)
    shown = {each.line: dtype_of(each.revealed) for each in run.messages if each.revealed is not None}
    lines = text.splitlines()
    assert len(found) > 500
    wrong = {
        lines[line - 1]: (dtypes, shown.get(line)) for line, dtypes in found.items() if [shown.get(line)] != dtypes
    }
    assert {line for line in wrong if "# unknown" not in line} == set()
    assert {given for line, (_, given) in wrong.items() if "# unknown" in line} == {None}
