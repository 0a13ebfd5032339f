"""Map the special methods of Python's operators to operations of the promotion systems.

The kind of a row says which operand the receiver of the special method is, and whether the result replaces it.
"""

from typing import Final, Literal

from promo_mypy.rules.records import record

Kind = Literal["binary", "reflected", "inplace", "comparison", "unary"]


@record
class Operator:
    """One special method: its operation in the rules, its symbol in source code, and its kind."""

    method: str
    operation: str
    symbol: str
    kind: Kind

    @property
    def arity(self) -> int:
        """The number of operands."""
        return 1 if self.kind == "unary" else 2


_ARITHMETIC: Final = (
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("truediv", "/"),
    ("floordiv", "//"),
    ("mod", "%"),
    ("pow", "**"),
    ("matmul", "@"),
    ("and", "&"),
    ("or", "|"),
    ("xor", "^"),
    ("lshift", "<<"),
    ("rshift", ">>"),
)
_COMPARISON: Final = (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
_UNARY: Final = (("neg", "-"), ("pos", "+"), ("invert", "~"), ("abs", "abs()"))

_ROWS: Final = (
    *(Operator(f"__{name}__", name, symbol, "binary") for name, symbol in _ARITHMETIC),
    *(Operator(f"__r{name}__", name, symbol, "reflected") for name, symbol in _ARITHMETIC),
    *(Operator(f"__i{name}__", "i" + name, symbol + "=", "inplace") for name, symbol in _ARITHMETIC),
    *(Operator(f"__{name}__", name, symbol, "comparison") for name, symbol in _COMPARISON),
    *(Operator(f"__{name}__", name, symbol, "unary") for name, symbol in _UNARY),
    Operator("__divmod__", "divmod", "divmod()", "binary"),
    Operator("__rdivmod__", "divmod", "divmod()", "reflected"),
)

#: special method -> operator
OPERATORS: Final[dict[str, Operator]] = {row.method: row for row in _ROWS}

#: Operations that are associative in mathematics.
ASSOCIATIVE: Final = frozenset({"add", "mul", "matmul", "and", "or", "xor"})
