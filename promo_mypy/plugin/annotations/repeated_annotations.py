"""`Float32[Array, "n"]` to the type that it has: one answer for all annotations of a module that are written alike.

What such an annotation means follows from what its two names stand for and from the string. Reading it takes mypy and
us as long as checking two operators, and files say the same of many parameters.
"""

from mypy.nodes import MypyFile, SymbolNode, TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type, UnboundType

from promo_mypy.plugin.annotations.import_resolution import Origin
from promo_mypy.plugin.annotations.parsing import Metadata
from promo_mypy.plugin.mypy_api import semantic_analysis
from promo_mypy.plugin.types.array_types import takes_dtype
from promo_mypy.rules.records import record

#: The name of jaxtyping's as it is written, the class in it, and the string.
Question = tuple[str, SymbolNode, str]


@record
class Repeated:
    """The type of an annotation, and what its name stands for."""

    type: Type
    origin: Origin


class RepeatedAnnotations:
    """The types of annotations of the module that mypy is reading; forgets them when it goes on to another one."""

    def __init__(self) -> None:
        self._types: dict[Question, Repeated] = {}
        self._module: MypyFile | None = None
        self._imports: object = None

    def forget(self) -> None:
        """Names may stand for something else now."""
        self._module = self._imports = None
        self._types.clear()

    def question(self, ctx: AnalyzeTypeContext) -> Question | None:
        """What decides the type; None where it is more than the name that the module imported, a class and a string.

        Of other classes than those that we made generic mypy may have something to say each time (type arguments are
        missing).
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
        """What holds for an annotation that was written alike; None if there was none."""
        return self._types.get(question)

    def keep(self, question: Question, found: Repeated) -> None:
        """What holds for the next ones, too."""
        self._types[question] = found
