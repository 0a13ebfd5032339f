"""What is known of each array expression of a program: its dtypes, how they are known, and why they are unknown.

`infer`, `coverage`, findings, hovers and hints read their answers here.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mypy.nodes import Expression
from mypy.types import has_type_vars

from promo_mypy.config import Options
from promo_mypy.plugin.interface.arrays import may_be_anything
from promo_mypy.program.candidates import Candidates, candidates_of
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.checked.modules import Reader as TypeReader
from promo_mypy.program.checked.program import Program
from promo_mypy.program.counts import Cause
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.expressions import How
from promo_mypy.program.following.changed_models import casts_modules, changes_parameters
from promo_mypy.program.following.observed import with_recorded
from promo_mypy.program.following.private_parameters import PrivateCalls
from promo_mypy.program.syntax.written import Source
from promo_mypy.program.unknown.causes import UnknownDtypes
from promo_mypy.program.unknown.sources import Inference


class ModuleModel:
    """What is known of the array expressions of one module, with the dtypes that follow from known ones."""

    def __init__(self, module: Module, candidates: Candidates, unknown: UnknownDtypes) -> None:
        self.module = module
        self.candidates = candidates
        self._unknown = unknown

    @property
    def counted(self) -> Iterator[Known]:
        """The array expressions of the module: those that mypy, or what follows from it, knows to be arrays, and those
        that stand for one.
        """
        return (each for each in self.module.expressions if self.candidates.counts(each.syntax))

    def known(self, expression: ast.expr) -> Known | None:
        """An expression with its type; None for unreachable code, displays and constants."""
        return self.candidates.typed.known(expression)

    def of_node(self, node: Expression) -> Known | None:
        """The expression of a node of mypy's; None for one that no array can have."""
        return self.candidates.typed.by_node.get(node)

    def how(self, expression: Known) -> How:
        """How the dtype of an array expression is known."""
        if expression.dtypes:
            return expression.how
        arrays = expression.arrays
        is_any = any(map(may_be_anything, expression.types))
        if (arrays is None and not is_any) or expression.place in self.module.refused:
            return How.NONE
        is_generic = arrays is not None and any(map(has_type_vars, expression.types))
        is_relative = is_generic or self._unknown.is_relative(expression, self.module.path)
        return How.DECIDED if is_relative else How.UNKNOWN

    def cause(self, expression: Known) -> Cause:
        """Why a dtype is unknown."""
        return self._unknown.cause(expression, self.module.path)


def model_of(reader: TypeReader, source: Source, options: Options) -> ModuleModel:
    """What is known in one module that mypy has checked, functions without annotations included, by itself."""
    module = reader.module(source.path, source, options, checks_untyped=True)
    return models_of(Program((module,), (), ()), is_whole=False)[source.path]


def models_of(program: Program, *, is_whole: bool = True) -> Mapping[str, ModuleModel]:
    """Path of a file -> what is known in it.

    `is_whole`: whether the program has all of its modules. If not, others may cast its models.
    """
    candidates = candidates_of(program)
    typed = [each.typed for each in candidates.values()]
    code = OwnCode(
        casts_modules=not is_whole or casts_modules(typed),
        changes_parameters=not is_whole or changes_parameters([each.scopes for each in typed]),
    )
    calls = PrivateCalls(code)
    readers = [Inference(candidates[each.path], each, code, calls) for each in program.modules]
    for reader in readers:
        code.add(reader)
        calls.add(reader)
    modules = [replace(each.module, expressions=tuple(_completed(each))) for each in readers]
    for reader, module in zip(readers, modules, strict=True):
        reader.typed.complete(module.expressions)
        candidates[module.path].forget()
    unknown = UnknownDtypes({each.module.path: each for each in readers})
    return {each.path: ModuleModel(each, candidates[each.path], unknown) for each in modules}


def _completed(reader: Inference) -> Iterator[Known]:
    for each in reader.module.expressions:
        yield with_recorded(reader.completed(each), reader.module)
