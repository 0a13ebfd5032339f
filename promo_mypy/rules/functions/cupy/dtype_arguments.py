"""The dtype argument of functions that do not cast every array to it. Source: running CuPy 14.2 on a GPU."""

from collections.abc import Container
from contextlib import suppress

from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.conversions import entries
from promo_mypy.rules.functions.language.protocols import Answer, Rule, one
from promo_mypy.rules.records import rule


@rule
class CastFrom(Rule):
    """The rule's result, unless the function cannot cast what it computes to the dtype argument.

    Attributes:
        rule: the rule.
        computed: gives the dtype in which the function computes.
        refused: kind of that dtype -> the kinds to which it is not cast: "c=bui"; "c=other" stands for any other dtype.
    """

    rule: Rule
    computed: Rule
    refused: str

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """An unknown array may be one that is cast."""
        dtype = call.dtype("dtype")
        if dtype is not None:
            with suppress(Unresolved):
                computed = one(call, self.computed)
                kinds = entries(self.refused).get("kind " + computed.kind, "")
                if dtype.kind in kinds or (kinds == "other" and dtype is not computed):
                    call.refuse(dtype)
        return self.rule.answer(call)
