"""Index the functions, classes and attributes of a program by name, for values that have no type from mypy."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import Final

from mypy.nodes import TypeInfo

from promo_mypy.program.definitions.own_definitions import (
    OwnClass,
    OwnFunction,
    is_private,
    is_super,
    is_type,
    may_be_container,
    statements,
)
from promo_mypy.program.definitions.reader import Reader
from promo_mypy.program.syntax.found_once import Asking
from promo_mypy.program.syntax.outside_bindings import Binding, Outside

#: Base classes that set no fields.
_PLAIN_BASES: Final = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol", "torch.nn.Module"})


class OwnCode:
    """The functions, classes and attributes of a program.

    Args:
        casts_modules: whether the program casts modules of PyTorch.
        changes_parameters: whether it casts the parameters of models of flax, or binds them anew.
    """

    def __init__(self, *, casts_modules: bool, changes_parameters: bool) -> None:
        self._casts_modules: Final = casts_modules
        self.changes_parameters: Final = changes_parameters
        self.asking: Final = Asking()
        """What is being asked about in any of the modules."""
        self._functions: Final[dict[str, OwnFunction]] = {}
        self._classes: Final[dict[str, OwnClass]] = {}
        self._named: Final[defaultdict[str, list[OwnClass]]] = defaultdict(list)
        self._variables: Final[dict[str, tuple[ast.expr, Reader]]] = {}
        self._outside: Final[defaultdict[tuple[Binding, str], list[tuple[Reader, Outside]]]] = defaultdict(list)
        self._hidden: Final[set[str]] = set()
        # All modules are added before the first question.
        self.family: Final = cache(self._family)
        """A class, its bases and its subclasses in the program, and what may be one of these by its name."""
        self.bindings: Final = cache(self._bindings)
        """All that the methods and the body of a class and of its relatives bind an attribute to.

        A property is bound to what it returns. If they bind it, so does what binds an attribute of that name of any
        other object.
        """
        self.values: Final = cache(self._values)
        """All that an attribute is bound to, without augmented assignments; empty if the program does not show that."""
        self.is_shown: Final = cache(self._is_shown)
        """Whether the program shows everything that an attribute of a class is bound to."""
        self._is_dynamic: Final = cache(self._may_bind_anything)
        self._packages: Final[set[str]] = set()
        self._names: Final[dict[ast.ClassDef, str]] = {}

    def add(self, reader: Reader) -> None:
        """Add the definitions of a module."""
        module, tree = reader.module.name, reader.module.tree
        self._packages.add(module.partition(".")[0])
        for node in statements(tree.body):
            if isinstance(node, ast.FunctionDef):
                self._functions[f"{module}.{node.name}"] = OwnFunction(node, reader)
            elif isinstance(node, ast.ClassDef):
                self._classes[f"{module}.{node.name}"] = found = OwnClass(node, reader)
                self._names[node] = f"{module}.{node.name}"
                self._named[node.name].append(found)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name):
                    self._add_variable(target, reader)
        for each in reader.scopes.outside:
            self._outside[each.binding, each.attribute].append((reader, each))
        self._hidden.update(reader.scopes.hidden)

    def _add_variable(self, target: ast.Name, reader: Reader) -> None:
        values = reader.scopes.values(target)
        if len(values) == 1 and reader.scopes.binds_plainly(target):
            self._variables[f"{reader.module.name}.{target.id}"] = values[0], reader

    def function(self, fullname: str) -> OwnFunction | None:
        """The function of a module with that name."""
        return self._functions.get(fullname)

    def variable(self, fullname: str) -> tuple[ast.expr, Reader] | None:
        """What the only assignment of a module binds that name to, such as another name of a function."""
        return self._variables.get(fullname)

    def constant(self, fullname: str) -> tuple[ast.expr, Reader] | None:
        """The same, if no statement about another object than `self` binds an attribute of that name."""
        name = fullname.rpartition(".")[2]
        is_stored = any((each, name) in self._outside for each in (Binding.BOUND, Binding.AUGMENTED))
        return None if is_stored or name in self._hidden else self.variable(fullname)

    def is_class(self, fullname: str) -> bool:
        """Whether it is a class of the program."""
        return fullname in self._classes

    def name_of(self, cls: ast.ClassDef | None) -> str:
        """The full name of a class; empty for one within a function."""
        return self._names.get(cls, "") if cls is not None else ""

    def class_of(self, owner: ast.expr, reader: Reader) -> str:
        """The full name of the class of an object, or of `type(object)`; empty if unknown.

        Of `super()` and of `cls`, that of the class around it.
        """
        if is_super(owner) or (isinstance(owner, ast.Name) and owner.id == "cls"):
            return self.name_of(reader.scopes.class_around(owner))
        info = reader.typed.class_of(owner.args[0] if isinstance(owner, ast.Call) and is_type(owner) else owner)
        return info.fullname if info is not None else ""

    def methods(self, cls: str, name: str) -> list[OwnFunction]:
        """The methods of that name that a call may execute: those of a class and of its relatives."""
        found = [each.methods[name] for each in self.family(cls) if name in each.methods]
        return [each for each in found if not each.is_property and not each.is_abstract]

    def called(self, function: ast.expr, reader: Reader) -> Sequence[OwnFunction]:
        """A function of the program by its name, or the private methods that a call may execute."""
        if isinstance(function, ast.Attribute) and is_private(function.attr):
            info = reader.typed.class_of(function.value)
            methods = self.methods(info.fullname, function.attr) if info is not None else []
            if methods:
                return methods
        found = self.function(reader.typed.definition(function) or "")
        return [found] if found is not None else ()

    def shown(self, attribute: ast.Attribute, reader: Reader) -> list[tuple[Reader, ast.expr]]:
        """All that an attribute of an object is bound to, as `values` has it."""
        info = reader.typed.class_of(attribute.value)
        return self.values(info.fullname, attribute.attr) if info is not None else []

    def is_property(self, attribute: ast.Attribute, reader: Reader) -> bool:
        """Whether reading an attribute calls a method of the program."""
        info = reader.typed.class_of(attribute.value)
        return info is not None and any(attribute.attr in each.methods for each in self.family(info.fullname))

    def method(self, cls: TypeInfo, name: str) -> OwnFunction | None:
        """The method of an object of exactly that class."""
        definer = cls.get_containing_type_info(name)
        own = self._classes.get(definer.fullname) if definer is not None else None
        return own.methods.get(name) if own is not None else None

    def _family(self, fullname: str) -> tuple[OwnClass, ...]:
        own = self._classes.get(fullname)
        return tuple(self._relatives(own)) if own is not None else ()

    def _bindings(self, cls: str, attribute: str) -> list[tuple[Reader, ast.expr]]:
        found: list[tuple[Reader, ast.expr]] = []
        binds = False
        for own in self.family(cls):
            method = own.methods.get(attribute)
            is_property = method is not None and method.is_property
            if method is not None and is_property and method.is_followed:
                found += [(own.reader, each) for each in method.returned]
            bound = () if is_property else own.reader.scopes.bound_attributes(own.node, attribute)
            found += [(own.reader, each) for each in bound]
            binds = binds or bool(bound)
        return [*found, *self._outside_values(cls, Binding.BOUND, attribute)] if binds else found

    def _values(self, cls: str, attribute: str) -> list[tuple[Reader, ast.expr]]:
        family = self.family(cls)
        is_set = any(attribute in each.declared for each in family) and any(map(self._may_be_record, family))
        is_augmented = any(each.reader.scopes.augments_attribute(each.node, attribute) for each in family)
        is_augmented |= bool(self._outside_values(cls, Binding.AUGMENTED, attribute))
        is_cast = self._casts_modules and any(each.reader.scopes.registers(each.node, attribute) for each in family)
        is_certain = self.is_shown(cls, attribute) and not is_set | is_augmented | is_cast
        return self.bindings(cls, attribute) if is_certain else []

    def contents(self, cls: str, attribute: str) -> list[tuple[Reader, ast.expr]]:
        """All that it is bound to, the other operands of augmented assignments, and what is added to a container."""
        found = list(self.bindings(cls, attribute))
        if any(may_be_container(value) for _, value in found):
            for own in self.family(cls):
                found += [(own.reader, each) for each in own.reader.scopes.added_to_attribute(own.node, attribute)]
            found += self._outside_values(cls, Binding.ADDED, attribute)
        return [*found, *self._outside_values(cls, Binding.AUGMENTED, attribute)] if found else found

    def attributes(self, cls: str) -> Iterator[str]:
        """The names of the attributes of `self` that the methods of a class and of its relatives bind."""
        for own in self.family(cls):
            yield from own.reader.scopes.attribute_names(own.node)

    def _outside_values(self, cls: str, binding: Binding, attribute: str) -> list[tuple[Reader, ast.expr]]:
        """The values that statements about other objects than `self` give to an object of a class or of a relative."""
        found = self._outside.get((binding, attribute), ())
        infos = [(reader, reader.typed.class_of(each.owner), each.value) for reader, each in found]
        return [
            (reader, value) for reader, info, value in infos if info is None or self.are_related(cls, info.fullname)
        ]

    def are_related(self, cls: str, other: str) -> bool:
        """Whether an object may be of both classes. A class of a library may be the base of any other one."""
        return other not in self._classes or not set(self.family(cls)).isdisjoint(self.family(other))

    def _is_shown(self, cls: str, attribute: str) -> bool:
        family = self.family(cls)
        if self._is_hidden(family, attribute) or self._is_dynamic(cls):
            return False
        methods = (each.methods.get(attribute) for each in family)
        return all(each is None or (each.is_property and (each.is_followed or each.is_abstract)) for each in methods)

    def _may_bind_anything(self, cls: str) -> bool:
        """Whether a statement in a class or in a relative may bind any attribute."""
        return any(each.is_dynamic for each in self.family(cls))

    def _is_hidden(self, family: Sequence[OwnClass], attribute: str) -> bool:
        """Whether statements about other objects than `self` may bind an attribute to what `bindings` leaves out."""
        if attribute in self._hidden:
            return True
        binds = any(
            attribute in each.methods or each.reader.scopes.bound_attributes(each.node, attribute) for each in family
        )
        return not binds and any((each, attribute) in self._outside for each in (Binding.BOUND, Binding.AUGMENTED))

    def _may_be_record(self, own: OwnClass) -> bool:
        """Whether a decorator, a metaclass or a base class of another program may set fields of a class."""
        bases = ((name, own.imported.get(name)) for name in own.bases)
        others = (full or name for name, full in bases if name not in self._named)
        return bool(own.node.decorator_list or own.node.keywords) or not _PLAIN_BASES.issuperset(others)

    def _relatives(self, own: OwnClass) -> Iterator[OwnClass]:
        name = self._names[own.node]
        for each in sorted(_reached(name, self._bases) | _reached(name, self._subclasses)):
            yield self._classes[each]

    @cached_property
    def _bases(self) -> Mapping[str, frozenset[str]]:
        """Full name of a class -> the classes of the program that may be its bases. Complete with the last module."""
        return {name: frozenset(self._bases_of(own)) for name, own in self._classes.items()}

    @cached_property
    def _subclasses(self) -> Mapping[str, set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for name, bases in self._bases.items():
            for base in bases:
                found[base].add(name)
        return found

    def _bases_of(self, own: OwnClass) -> Iterator[str]:
        """The class of its own module, or else those of that name in any module, if no library has it."""
        for base in own.bases:
            full = own.imported.get(base)
            if f"{own.reader.module.name}.{base}" in self._classes:
                yield f"{own.reader.module.name}.{base}"
            elif full is None or full.partition(".")[0] in self._packages:
                yield from (self._names[each.node] for each in self._named.get(base, ()))


def _reached(name: str, neighbours: Mapping[str, Set[str]]) -> set[str]:
    """A name, its neighbours, their neighbours and so on."""
    found = {name}
    waiting = [name]
    while waiting:
        new = neighbours.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return found
