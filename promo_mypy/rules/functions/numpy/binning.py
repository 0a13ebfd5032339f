"""Histograms. Source: `numpy/lib/_histograms_impl.py`, executed for all dtypes (tests/rules/functions)."""

from dataclasses import replace
from typing import Final

from promo_mypy.rules.functions.language.arguments import Items
from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.choosing import CheckedIfKnown, If, IfScalar, LastWord, OrUnknown, is_text
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Promoted
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.functions.language.several_results import Listed, Several
from promo_mypy.rules.functions.language.vocabulary import Default, Inferred, OfArray, Python
from promo_mypy.rules.records import rule

_OPTIONS: Final = "bins=10, range=None, density=None, weights=None"
#: A number of bins is an int.
_WHOLE: Final = Converted(Inferred("bins"), "fc=refused")
_COUNTS: Final = If("density", Default("f"), If("weights", Inferred("weights"), Default("i")), True)


@rule
class OfItem(Rule):
    """The rule with one of two items in place of a pair. Any other value stands for both."""

    name: str
    place: int
    rule: Rule

    def answer(self, call: Call) -> Answer:
        """The rule's answer."""
        given = call.bound[self.name]
        if isinstance(given, Items) and len(given.items) == 2:
            given = given.items[self.place]
        return self.rule.answer(replace(call, bound={**call.bound, self.name: given}))


@rule
class Estimated(Rule):
    """The rule, but for a method that estimates the number of bins for weighted values: NumPy raises TypeError."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """Unknown for such a call."""
        if is_text(call.bound["bins"]) and call.given("weights"):
            raise Unresolved
        return self.rule.answer(call)


def _between(values: str, *, joined: bool = False) -> Rule:
    """The edges of bins between the least and the greatest value, or within a range.

    `joined`: whether NumPy makes one array of the values, in which a Python number is not weak.
    """
    # Edges of bfloat16 stay bfloat16 unless all values are equal.
    return Converted(Promoted(values, full=joined), "bui=float64 bfloat16=unknown")


def _counted(edges: Rule, given: Rule) -> Rule:
    """One rule for a number of bins, another for bins whose edges are given."""
    return IfScalar("bins", Estimated(CheckedIfKnown(edges, _WHOLE)), given)


_EDGES: Final = _counted(_between("a *range"), Inferred("bins"))
_OF_AXIS: Final = _counted(OrUnknown(_between("x y", joined=True)), OfArray("bins"))

HISTOGRAMS: Final = (
    ("histogram", f"a, {_OPTIONS}", Several.of(_COUNTS, _EDGES)),
    ("histogram_bin_edges", "a, bins=10, range=None, weights=None", LastWord(_EDGES)),
    (
        "histogram2d",
        f"x, y, {_OPTIONS}",
        LastWord(Several.of(Default("f"), OfItem("bins", 0, _OF_AXIS), OfItem("bins", 1, _OF_AXIS))),
    ),
    (
        "histogramdd",
        f"sample, {_OPTIONS}",
        _counted(Several.of(Default("f"), Listed(OrUnknown(_between("*sample", joined=True)))), Python()),
    ),
)
