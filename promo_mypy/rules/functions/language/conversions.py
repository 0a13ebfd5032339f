"""Convert one dtype: tables of conversions, written as text."""

from collections.abc import Iterable, Mapping
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.protocols import Rule, one
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import rule


@rule
class Converted(Rule):
    """Convert a dtype by a table of entries "from=to". A name comes before a kind; a dtype without an entry stays.

    `from` is the name of a dtype, or kinds ("bui"). `to` is the name of a dtype, or
    - "int", "float", "complex": the library's default dtype of that name, never weak; "weak_float",
    - "strong": the dtype itself, no longer weak,
    - "real", "complexed": the dtype of its parts, the complex dtype that has such parts,
    - "quotient": what x / x gives, in libraries that compute functions of integers like quotients,
    - `"refused"`: the library does not define the function for it,
    - "unknown": it depends on the values.
    """

    rule: Rule
    table: str
    keeps_weak: bool = True

    @property
    def promotes(self) -> bool:
        """Whether the rule promotes. An entry "quotient" does, too."""
        return self.rule.promotes or "quotient" in self.table

    def touches(self, dtypes: Iterable[DType]) -> bool:
        """Whether the table converts one of these dtypes."""
        rows = entries(self.table)
        return any(dtype.strong.name in rows or "kind " + dtype.kind in rows for dtype in dtypes)

    def answer(self, call: Call) -> DType:
        """A weak dtype stays weak, unless `keeps_weak` is False."""
        dtype = one(call, self.rule)
        rows = entries(self.table)
        target = rows.get(dtype.strong.name) or rows.get("kind " + dtype.kind)
        found = dtype if target is None else _target(call, target, dtype)
        if not self.keeps_weak or target in _STRONG:
            return found.strong
        return dt.WEAK.get(found, found) if dtype.weak else found


_READ: Final[dict[str, Mapping[str, str]]] = {}
_STRONG: Final = frozenset({"int", "float", "complex", "strong"})
_DEFAULTS: Final = {"int": "i", "float": "f", "complex": "c"}
_COMPLEX: Final = {part: whole for whole, part in dt.REAL_PARTS.items() if whole is not dt.bcomplex32}


def entries(table: str) -> Mapping[str, str]:
    """The entries of a table: the name of a dtype, or "kind" and a kind -> what it is converted to."""
    found = _READ.get(table)
    if found is None:
        found = _READ[table] = {}
        for sources, _, target in (entry.partition("=") for entry in table.split()):
            if sources in dt.DTYPES:
                found[sources] = target
            else:
                found.update(("kind " + kind, target) for kind in sources)
    return found


def _target(call: Call, target: str, dtype: DType) -> DType:
    match target:
        case "real":
            return dt.REAL_PARTS.get(dtype, dtype)
        case "complexed":
            return _COMPLEX.get(dtype, dtype)
        case "quotient":
            return call.dtype_of(call.system.verdict("truediv", (Operand(dtype), Operand(dtype))))
        case "strong":
            return dtype
        case "refused":
            return call.refuse(dtype)
        case "unknown":
            raise Unresolved
        case "weak_float":
            return dt.WEAK[call.default("f")]
        case "int" | "float" | "complex":
            return call.default(_DEFAULTS[target])
        case _:
            return call.stored(dt.DTYPES[target])
