"""Give parameters of unknown dtype the dtypes that the option `parameters` names, or that a profile has recorded.

The signature stays, so that callers see no difference. Inside the function the parameter is narrowed, as if the first
statement bound it to an array of that dtype. So the dtype is inferred: it may be bound to another one.
"""

from collections.abc import Iterator, Sequence

from mypy.nodes import Argument, FuncDef, MypyFile, NameExpr
from mypy.types import CallableType, Instance, TupleType, Type, UnionType

from promo_mypy.config import Options
from promo_mypy.plugin.inferred.observed_dtypes import ObservedDtypes
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.nodes.tree_changes import narrow_first
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.trees.syntax_trees import nodes_as_written
from promo_mypy.plugin.types.array_types import library_of, read, with_dtypes
from promo_mypy.plugin.types.walks import opened
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import UNKNOWN_RANK


class AssumedParameters:
    """Narrows the parameters of one file after another."""

    def __init__(self, symbols: Symbols, platform: str, observed: ObservedDtypes) -> None:
        self._symbols = symbols
        self._platform = platform
        self._observed = observed

    def concern(self, module: str, options: Options) -> bool:
        """Whether the parameters of a module may be narrowed."""
        return bool(options.parameters) or self._observed.concern(module)

    def narrow(self, tree: MypyFile, options: Options) -> None:
        """Narrow the parameters of all functions of a file. Repeated for a file, it narrows them anew."""
        for node in nodes_as_written(tree) if self.concern(tree.fullname, options) else ():
            if isinstance(node, FuncDef):
                named = list(self._narrowed(node, options))
                others = [argument for argument, _ in named]
                seen = self._observed.parameters(tree, node)
                narrow_first(node, [*named, *(pair for pair in seen if pair[0] not in others)])

    def _narrowed(self, function: FuncDef, options: Options) -> Iterator[tuple[Argument, Type]]:
        signature = function.type
        if not options.parameters or not isinstance(signature, CallableType):
            return
        if len(signature.arg_types) != len(function.arguments):
            return
        read_variables = {node.node for node in nodes_as_written(function.body) if isinstance(node, NameExpr)}
        for argument, typ in zip(function.arguments, signature.arg_types, strict=True):
            if argument.variable in read_variables and not argument.kind.is_star():
                assumed = self._assumed(typ, options)
                if assumed is not None:
                    yield argument, assumed

    def _assumed(self, typ: Type, options: Options) -> Type | None:
        """The type with the named dtypes in every array of unknown dtype; None without such an array."""
        proper = opened(typ)
        if isinstance(proper, UnionType | TupleType):
            items = [self._assumed(item, options) for item in proper.items]
            if not any(items):
                return None
            kept = [new or old for new, old in zip(items, proper.items, strict=True)]
            return UnionType.make_union(kept) if isinstance(proper, UnionType) else proper.copy_modified(items=kept)
        library = library_of(proper)
        if not isinstance(proper, Instance) or library is None or read(proper, self._platform) is not None:
            return None
        dtypes = assumed_dtypes(options.parameters, library)
        found = with_dtypes(proper, dtypes, UNKNOWN_RANK, self._symbols) if dtypes and proper.args else None
        return found if found is not None and read(found, self._platform) is not None else None


def assumed_dtypes(names: Sequence[str], library: Library) -> frozenset[type[dt.Shaped]]:
    """The dtypes that the option names for a library: `float32`, or `torch:float32` for one library."""
    pairs = [name.rpartition(":")[::2] for name in names]
    return frozenset(dt.DTYPES[dtype] for owner, dtype in pairs if owner in ("", library.value))
