"""Find what a file does to modules of PyTorch: the classes that it makes, and the casts of their parameters.

`module.half()` casts the parameters of a module and of all modules in it, in place. A module that a function gets as an
argument may be cast there.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final

from mypy.nodes import (
    ARG_POS,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    RevealExpr,
    Statement,
    TypeInfo,
    Var,
)

from promo_mypy.plugin.trees import file_texts, torch_module_steps
from promo_mypy.plugin.trees.bound_targets import Definition, Way, definitions_in
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.syntax_trees import (
    Statements,
    checked_last,
    checked_statements,
    nodes,
    placed_statements,
)
from promo_mypy.plugin.trees.torch_module_types import (
    declared_type,
    holds_module,
    is_module,
    is_of_torch,
    is_own_module,
    is_single_layer,
    made_class,
    may_be_anything,
    returns_module,
)
from promo_mypy.rules.functions.torch.layers import CASTS, CASTS_TO, KEEPS
from promo_mypy.rules.records import record

_HARMLESS_PACKAGES: Final = ("builtins", "copy", "torch")
_DEEPEST: Final = 8
#: What adds modules by name, and what replaces parameters, in the text of a file.
_ADDING: Final = ("add_module(", "register_module(", "setattr(", "_modules[")
_REPLACING: Final = ("setattr(", "assign=", "_parameters[", "register_parameter(", "swap_tensors(")


@record
class Step:
    """A statement that binds a module to a name, or casts the module of that name.

    Attributes:
        value: the module afterwards.
        line: where it stands.
        block: the statements that it is one of.
        function: the function around it; None at the top of a file or class.
    """

    value: Expression
    line: int
    block: Block | MypyFile | ClassDef
    function: FuncDef | None


class FileModules:
    """What one file does to modules. Attributes are told apart by their names alone."""

    def __init__(self, tree: MypyFile) -> None:
        self._tree = tree
        self._definitions = definitions(tree)

    def steps(self, name: str, variable: Var) -> Sequence[Step] | None:
        """What happens to the module in a variable or attribute, in the order of the text.

        None if it may also be cast in a way that this cannot follow.
        """
        if (name if variable.info else variable) in self._escaped:
            return None
        bound = self._definitions.of_variable(variable)
        found = [*self._steps.get(variable, ()), *(self._steps.get(name, ()) if variable.info else ())]
        if not bound or any(each.whole_value is None for each in bound):
            return None
        values = [step.value for step in found]
        found.sort(key=lambda step: step.line)
        return found if all(each.whole_value in values for each in bound) else None

    def iterated(self, variable: Var) -> Expression | None:
        """The container of the one loop that binds a variable to its modules."""
        bound = self._definitions.of_variable(variable)
        is_alone = len(bound) == 1 and variable not in self._escaped
        return torch_module_steps.iterated(bound[0]) if is_alone else None

    @cached_property
    def replaces_data(self) -> bool:
        """Whether the file gives parameters other data, which may be of another dtype: `layer.weight.data = x`."""
        if file_texts.may_have(self._tree, _REPLACING):
            return True
        assigned = (each for each in nodes(self._tree.defs) if isinstance(each, AssignmentStmt))
        targets = (target for each in assigned for target in each.lvalues)
        return any(isinstance(target, MemberExpr) and target.name == "data" for target in targets)

    @cached_property
    def adds_modules(self) -> bool:
        """Whether the file adds modules to others that no assignment shows."""
        return file_texts.may_have(self._tree, _ADDING)

    def changes_later(self, parameter: MemberExpr) -> bool:
        """Whether a parameter of a layer is kept, in a variable or elsewhere, and the layer may be cast after that."""
        layer = torch_module_steps.key(torch_module_steps.whole_module(parameter.expr))
        steps = self._steps.get(layer, ()) if isinstance(layer, Var) else ()
        later = [step for step in steps if step.line > parameter.line and torch_module_steps.has_cast(step.value)]
        return bool(later) and parameter in self._kept

    @cached_property
    def _kept(self) -> frozenset[Expression]:
        """The expressions whose values outlive a statement."""
        return frozenset(chain.from_iterable(map(torch_module_steps.kept, nodes(self._tree.defs))))

    @cached_property
    def casts_holders(self) -> bool:
        """Whether the file may cast a module that holds others, or gives one away that may be cast elsewhere."""
        return any(map(self._may_cast_holder, nodes(self._tree.defs)))

    @cached_property
    def casts_made(self) -> bool:
        """Whether the file certainly casts a module that holds others to another dtype."""
        return any(map(self._casts_made, nodes(self._tree.defs)))

    @cached_property
    def made(self) -> frozenset[TypeInfo]:
        """The classes that the file makes instances of, outside of classes or within classes that it makes."""
        inside = _made_inside(self._tree)
        waiting, found = list(inside[None]), set[TypeInfo]()
        while waiting:
            cls = waiting.pop()
            if cls not in found:
                found.add(cls)
                waiting += inside[cls]
        return frozenset(found)

    def may_be_module(self, expression: Expression | None, depth: int = 0) -> bool:
        """Whether the text of the file allows an expression to be a module."""
        if depth > _DEEPEST:
            return True
        match expression:
            case CallExpr(analyzed=RevealExpr(expr=revealed)):
                return self.may_be_module(revealed, depth + 1)
            case CallExpr(callee=callee):
                return self._may_give_module(callee, depth + 1)
            case IndexExpr(base=base):
                return self.may_be_module(base, depth + 1)
            case NameExpr(node=Var() as variable):
                return self._variable_may_be_module(variable, depth + 1)
            case MemberExpr(name=name):
                return self._attribute_may_be_module(expression, name, depth + 1)
            case _:
                return False

    def _may_give_module(self, callee: Expression, depth: int) -> bool:
        node = callee.node if isinstance(callee, RefExpr) else None
        if isinstance(node, TypeInfo):
            return is_module(node)
        if isinstance(node, FuncDef):
            return returns_module(node.type)
        if isinstance(callee, MemberExpr):
            if callee.fullname and callee.fullname.startswith("torch."):
                return False
            if callee.name in CASTS or callee.name in CASTS_TO or callee.name in KEEPS:
                return self.may_be_module(callee.expr, depth)
            return False  # a method, or a module that is called: it gives a tensor
        return False

    def _variable_may_be_module(self, variable: Var, depth: int) -> bool:
        if variable.type is not None and not may_be_anything(variable.type):
            return holds_module(variable.type)
        bound = self._definitions.of_variable(variable) or self._in_comprehensions.get(variable, ())
        return not bound or any(each.way is Way.ARGUMENT or self.may_be_module(each.value, depth) for each in bound)

    @cached_property
    def _in_comprehensions(self) -> Mapping[Var, Sequence[Definition]]:
        """What comprehensions bind their variables to."""
        found: defaultdict[Var, list[Definition]] = defaultdict(list)
        for node in nodes(self._tree.defs):
            for each in definitions_in(node) if isinstance(node, GeneratorExpr | DictionaryComprehension) else ():
                if each.variable is not None:
                    found[each.variable].append(each)
        return found

    def _attribute_may_be_module(self, expression: MemberExpr, name: str, depth: int) -> bool:
        if name in torch_module_steps.OF_TENSORS:
            return False
        declared = declared_type(expression)
        if declared is not None:
            return holds_module(declared)
        bound = self._definitions.of_attributes(name)
        return not bound or any(self.may_be_module(each.value, depth) for each in bound)

    def _may_cast_holder(self, node: Node) -> bool:
        cast = torch_module_steps.cast_of(node)
        if cast is not None:
            holds_no_other = is_single_layer(self._origin(cast)) or self._is_of_new_layers(cast)
            return not holds_no_other and self.may_be_module(cast)
        if not isinstance(node, CallExpr) or self._is_known(node.callee):
            return False
        return any(made_class(self._origin(argument)) is not None for argument in node.args
                   if isinstance(argument, NameExpr | CallExpr))  # fmt: skip

    def _casts_made(self, node: Node) -> bool:
        cast = torch_module_steps.cast_of(node)
        return (
            cast is not None
            and torch_module_steps.names_dtype(node)
            and (is_own_module(cast) or made_class(self._origin(cast)) is not None)
            and not self._is_of_new_layers(cast)
        )

    def _is_of_new_layers(self, cast: Expression) -> bool:
        """Whether a cast module is made in the same expression, of layers of PyTorch that are made there, too."""
        waiting = [torch_module_steps.receiver(cast)]
        while waiting:
            made = waiting.pop()
            if not isinstance(made, CallExpr) or not is_of_torch(made):
                return False
            if is_single_layer(made):
                if any(map(self.may_be_module, made.args)):
                    return False
            elif any(kind != ARG_POS for kind in made.arg_kinds):
                return False
            else:
                waiting += made.args
        return True

    def _origin(self, expression: Expression) -> Expression:
        """The expression that a name is bound to, if there is only one, without the casts around it."""
        for _ in range(_DEEPEST):
            inner = torch_module_steps.cast_of(expression)
            if inner is not None:
                expression = inner
                continue
            values = self._values(expression)
            if len(values) != 1 or values[0] is None:
                break
            expression = values[0]
        return expression

    def _values(self, expression: Expression) -> Sequence[Expression | None]:
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
            return self._definitions.values(expression.node) or ()
        bound = self._definitions.of_attributes(expression.name) if isinstance(expression, MemberExpr) else ()
        return [each.value for each in bound]

    def _is_known(self, callee: Expression) -> bool:
        """Whether a function is one of this file, of PyTorch or of Python: its casts are seen, or it has none."""
        if isinstance(callee, MemberExpr) and not callee.fullname:
            return True
        node = callee.node if isinstance(callee, RefExpr) else None
        module = node.fullname.partition(".")[0] if node is not None else ""
        here = node is not None and node.fullname.startswith(f"{self._tree.fullname}.")
        local = isinstance(node, Var | FuncDef) and "." not in node.fullname
        return here or local or module in _HARMLESS_PACKAGES

    @cached_property
    def _steps(self) -> Mapping[Var | str, list[Step]]:
        found: defaultdict[Var | str, list[Step]] = defaultdict(list)
        for block, function in _blocks(self._tree):
            for statement in block.body if isinstance(block, Block) else block.defs:
                for target, value in torch_module_steps.steps(statement):
                    key = torch_module_steps.key(target, is_target=True)
                    if key is not None:
                        found[key].append(Step(value, statement.line, block, function))
        return found

    @cached_property
    def _escaped(self) -> frozenset[Var | str]:
        """The variables and attributes whose modules may be cast out of sight: arguments, aliases, other methods."""
        escaped = self._given_away()
        loops = (node for node in nodes(self._tree.defs) if isinstance(node, ForStmt))
        # A module that is cast in a loop over a container.
        cast = (
            loop.expr for loop in loops if (key := torch_module_steps.key(loop.index)) in escaped or key in self._steps
        )
        return escaped | {key for each in cast if (key := torch_module_steps.key(each)) is not None}

    def _given_away(self) -> frozenset[Var | str]:
        """The names whose modules other code gets, without a function of the file that casts no such parameter."""
        waiting = list(torch_module_steps.escaping(self._tree))
        found = frozenset[Var | str]()
        while True:
            more = {name for name, gets in waiting if gets is None or gets in found or gets in self._steps}
            if more <= found:
                return found
            found |= more


@lru_cache(maxsize=1)  # mypy checks one file after another
def _read(_: Statements, tree: MypyFile) -> FileModules:
    return FileModules(tree)


def file_modules(tree: MypyFile) -> FileModules:
    """What the file that mypy checks does to modules."""
    # The daemon reuses the node of a file that it reads again, but not its statements.
    return _read(checked_statements(tree), tree)


def has_subclass(cls: TypeInfo, tree: MypyFile) -> bool:
    """Whether the file that mypy checks has a subclass of a class."""
    infos = (each.info for each in definitions(tree).classes)
    return any(info is not cls and cls in info.mro for info in infos)


def _made_inside(tree: MypyFile) -> Mapping[TypeInfo | None, set[TypeInfo]]:
    """The classes that the file makes instances of, by each class of modules around; None outside of these."""
    found: defaultdict[TypeInfo | None, set[TypeInfo]] = defaultdict(set)
    waiting = list(map(_held, tree.defs))
    while waiting:
        holder, value = waiting.pop()
        for node in nodes(value):
            if isinstance(node, CallExpr):
                if (made := made_class(node)) is not None:
                    found[holder].add(made)
            elif isinstance(node, ClassDef) and is_module(node.info):
                waiting.append((node.info, node.defs))
    return found


def _held(statement: Statement) -> tuple[TypeInfo | None, Node]:
    """The class that a statement of the file is, if it is one of modules, and the code in the statement."""
    node = checked_last(statement)
    if isinstance(node, ClassDef):
        return node.info if is_module(node.info) else None, node.defs
    return None, node.body if isinstance(node, FuncDef) else node


def _blocks(tree: MypyFile) -> Iterator[tuple[Block | MypyFile, FuncDef | None]]:
    yield tree, None
    for node, function, _ in placed_statements(tree.defs):
        if isinstance(node, Block):
            yield node, function
