"""Cache the type of `Float32[Array, "n"]` for all equal annotations of a module.

The type depends only on what the two names stand for and on the string. Analyzing an annotation takes mypy and the
plugin as long as checking two operators, and files repeat the same annotation for many parameters.
"""

from mypy.nodes import MypyFile, SymbolNode, TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type, UnboundType

from promo_mypy.plugin.annotations.import_resolution import Origin
from promo_mypy.plugin.annotations.parsing import Metadata
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.types.array_types import takes_dtype
from promo_mypy.rules.records import record

#: The name of jaxtyping as it is written, the array class, and the string.
Question = tuple[str, SymbolNode, str]


@record
class Repeated:
    """The type of an annotation, and what its name stands for."""

    type: Type
    origin: Origin


class RepeatedAnnotations:
    """The types of annotations in the module that mypy is reading. They are dropped at the next module."""

    def __init__(self) -> None:
        self._types: dict[Question, Repeated] = {}
        self._module: MypyFile | None = None
        self._imports: object = None

    def drop_cache(self) -> None:
        """Drop the cache: names may stand for something else now."""
        self._module = self._imports = None
        self._types.clear()

    def question(self, ctx: AnalyzeTypeContext) -> Question | None:
        """The key of an annotation: a name that the module imported, a class and a string. None for other annotations.

        The class must be one that the plugin made generic. For other classes mypy may report missing type arguments at
        each annotation.
        """
        written = ctx.type
        if len(written.args) != 2:
            return None
        array, shape = written.args
        if type(array) is not UnboundType or array.args or not semantic_analysis.is_global(ctx, written.name):
            return None
        text, info = Metadata.from_type(shape).text, semantic_analysis.look_up(ctx, array.name)
        if text is None or not isinstance(info, TypeInfo) or not takes_dtype(info.fullname):
            return None
        module = semantic_analysis.current_module(ctx)
        # The mypy daemon keeps the node of a file when it reads the file again, but not its import statements.
        if module is not self._module or module.imports is not self._imports:
            self._types.clear()
            self._module, self._imports = module, module.imports
        return written.name, info, text

    def get(self, question: Question) -> Repeated | None:
        """The type of an equal annotation; None if there was no such annotation yet."""
        return self._types.get(question)

    def keep(self, question: Question, found: Repeated) -> None:
        """Store the type for equal annotations that follow."""
        self._types[question] = found
