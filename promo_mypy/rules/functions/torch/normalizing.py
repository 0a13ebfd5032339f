"""PyTorch's normalizations. Source: running PyTorch 2.13 on the CPU, every dtype of input and parameters."""

from collections.abc import Iterator

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import unequal_parameters
from promo_mypy.rules.functions.language.protocols import NeverPromotes, Rule, one
from promo_mypy.rules.records import rule


@rule
class Normalized(NeverPromotes):
    """The rule's result, if the parameters have its dtype, or all of them float32 beside a half-precision input."""

    rule: Rule
    parameters: str

    def answer(self, call: Call) -> DType:
        """Parameters of unknown dtype may be ones that fit."""
        own = one(call, self.rule)
        given = set(self._given(call))
        others = given - {own}
        if others and (own.bits > 16 or given != {dt.float32}):
            library = call.system.dialect.library
            raise Refused(unequal_parameters(library, call.function, own, min(others, key=lambda each: each.name)))
        return own

    def _given(self, call: Call) -> Iterator[DType]:
        for name in self.parameters.split():
            try:
                dtype = call.operand(name).dtype if call.given(name) else None
            except Unresolved:
                continue
            if dtype is not None and issubclass(dtype, dt.Shaped):
                yield dtype
