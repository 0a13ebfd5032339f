"""The exceptions for operations that the rules reject."""

from collections.abc import Iterable

from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.wording.near_matches import meant
from promo_mypy.rules.wording.reasons import SYMBOLS


class MissingNameError(AttributeError):
    """A namespace does not offer a function. The message names near matches, which are looked for when it is read:
    `hasattr` reads none.
    """

    def __init__(self, owner: str, name: str, space: object) -> None:
        super().__init__(f"{owner} has no {name}: no rule states its result")
        self._wanted, self._space = name, space

    def __str__(self) -> str:
        return f"{self.args[0]}{meant(self._wanted, (name for name in dir(self._space) if not name.startswith('_')))}"

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


class PromotionError(TypeError):
    """The promotion system rejects an operation. mypy reports it as `promo-undefined`.

    Attributes: `refusal`, and its parts `operands`, `system`, `operation`, `reason`, `remedy`.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.text} under {self.system} promotion: {self.reason}; {self.remedy}"

    @property
    def text(self) -> str:
        """The operation as in source code: "bfloat16 @ float32"."""
        names = [operand.name for operand in self.operands]
        symbol = SYMBOLS.get(self.operation, f"{self.operation}()")
        if symbol.endswith("()"):
            return f"{symbol[:-1]}{', '.join(names)})"
        return f" {symbol} ".join(names) if len(names) > 1 else f"{symbol}{names[0]}"

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The dtypes and forms of the operands."""
        return self.refusal.operands

    @property
    def system(self) -> str:
        """The name of the promotion system."""
        return self.refusal.system

    @property
    def operation(self) -> str:
        """The name of the operation in the rules: "add", "imul", "promote"."""
        return self.refusal.operation

    @property
    def reason(self) -> str:
        """The reason, without capital and full stop."""
        return self.refusal.reason

    @property
    def remedy(self) -> str:
        """What to write instead."""
        return self.refusal.remedy


class UnknownResultError(TypeError):
    """No rule states the dtype of a function's result: not only dtypes decide it, or it was not measured."""

    def __init__(self, system: str, function: str, operands: Iterable[Operand]) -> None:
        shown = ", ".join(each.name for each in operands)
        super().__init__(
            f"no rule of {system} promotion states the dtype of {function}({shown}): it depends on values, "
            "shapes or the version of the library; pass a dtype=, or an array that is not weak"
        )


class OutOfRangeError(PromotionError, OverflowError):
    """The value of a Python int makes the library raise. mypy reports it as `promo-overflow`."""
