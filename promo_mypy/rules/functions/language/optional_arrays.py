"""Optional arguments that may be arrays."""

from promo_mypy.rules.functions.language.calls import Call, Unresolved
from promo_mypy.rules.functions.language.choosing import is_number
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.records import rule


@rule
class UnlessArrays(Rule):
    """The rule's result, but unknown if one of these optional arguments is an array, which may change the dtype."""

    rule: Rule
    names: str

    def answer(self, call: Call) -> Answer:
        """A number changes nothing."""
        for name in self.names.split():
            if call.given(name) and not is_number(call.bound[name]):
                raise Unresolved
        return self.rule.answer(call)
