"""Check the number with which a reduction begins: `np.sum(x, initial=1j)`."""

from collections.abc import Container, Mapping
from contextlib import suppress

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import complex_number
from promo_mypy.rules.functions.language.protocols import Answer, Rule
from promo_mypy.rules.records import rule


@rule
class Begun(Rule):
    """A reduction that may begin with `initial`. A complex Python number has no cast to a real dtype."""

    rule: Rule

    @property
    def checks(self) -> bool:
        """It rejects a number."""
        return True

    @property
    def remedies(self) -> Mapping[str, str]:
        """Cast the number, not the arrays."""
        return {**self.rule.remedies, "initial": "value"}

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps."""
        return self.rule.kept(given)

    def answer(self, call: Call) -> Answer:
        """The number is cast to the dtype of the result. Arrays and scalars lose their imaginary parts there."""
        result = self.rule.answer(call)
        if call.has("initial") and isinstance(result, type) and issubclass(result, dt.Shaped):
            with suppress(Unresolved):
                if call.operand("initial").dtype is dt.py_complex and result.kind in "uif":
                    raise Refused(complex_number(call.system.dialect.library, result))
        return result
