"""Spell a dtype annotation in the style of a file: by the names that it imports, and the imports that it lacks."""

import ast
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from promo_mypy.annotating.wishes import TupleWish, Wish
from promo_mypy.program.syntax.imports import imports
from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.jaxtyping_names import NAMES
from promo_mypy.rules.records import record


class Style(StrEnum):
    """How the dtypes of arrays other than NumPy's are written."""

    AUTO = "auto"
    JAXTYPING = "jaxtyping"
    ANNOTATED = "annotated"


@record
class Import:
    """An import: `from module import name`, or `import module as alias` with an empty name."""

    module: str
    name: str = ""
    alias: str = ""


@record
class Spelling:
    """The text of an annotation, and the imports that it needs."""

    text: str
    imports: tuple[Import, ...]


#: Category of dtypes -> NumPy's scalar class for it. NumPy's bool has the name `bool_` in all versions.
_SCALARS: Final[Mapping[type[dt.Shaped], str]] = {
    dt.bool_: "bool_",
    dt.Float: "floating",
    dt.Complex: "complexfloating",
    dt.SignedInteger: "signedinteger",
    dt.UnsignedInteger: "unsignedinteger",
    dt.Integer: "integer",
    dt.Inexact: "inexact",
    dt.Real: "number",
    dt.Num: "number",
}
#: The dtypes whose scalar class has the same name in NumPy.
_NUMPY: Final = frozenset(
    {
        "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
        "complex64", "complex128",
    }
)  # fmt: skip
_OF_JAXTYPING: Final = {dtype: name for name, dtype in NAMES.items()}

#: Library -> the full name of its array class, its module for dtypes, and the alias of that module.
_ARRAYS: Final[Mapping[str, tuple[str, str, str]]] = {
    "jax": ("jax.Array", "jax.numpy", "jnp"),
    "torch": ("torch.Tensor", "torch", ""),
}

#: Full name of an array class -> its library.
CLASSES: Final[Mapping[str, str]] = {
    "numpy.ndarray": "numpy",
    "torch.Tensor": "torch",
    "jax.Array": "jax",
    "jax.numpy.ndarray": "jax",
    "jaxtyping.Array": "jax",
}


class Names:
    """The names of one source file."""

    def __init__(self, tree: ast.Module, style: Style) -> None:
        self._style = style
        self._is_lazy = any(
            isinstance(each, ast.ImportFrom) and each.module == "__future__" and each.names[0].name == "annotations"
            for each in tree.body
        )
        self._bound: Final = dict(self._imports(tree.body))
        self._others: Final = frozenset(_bound_elsewhere(tree))

    def _imports(self, body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
        for node in body:
            yield from imports(node)
            if isinstance(node, ast.If) and self._is_lazy and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                yield from self._imports(node.body)

    def full_name(self, written: str) -> str:
        """What a dotted name stands for by the file's imports."""
        first, dot, rest = written.partition(".")
        found = self._bound.get(first, first) + dot + rest
        return "numpy.typing.NDArray" if found == "numpy._typing.NDArray" else found

    @property
    def uses_jaxtyping(self) -> bool:
        """Whether the file annotates with jaxtyping."""
        return any(name.partition(".")[0] == "jaxtyping" for name in self._bound.values())

    def spelled(self, wish: Wish | TupleWish) -> Spelling | None:
        """The annotation for a wish; None if the file cannot write it."""
        if isinstance(wish, TupleWish):
            return self._tuple(wish)
        found = self._scalar(wish) if wish.is_scalar else self._array(wish)
        if found is None or not wish.may_be_none:
            return found
        return Spelling(f"{found.text} | None", found.imports)

    def _tuple(self, wish: TupleWish) -> Spelling | None:
        items = [self.spelled(each) for each in wish.items]
        known = [each for each in items if each is not None]
        if len(known) < len(items) or "tuple" in self._bound or "tuple" in self._others:
            return None
        imports = tuple(dict.fromkeys(each for item in known for each in item.imports))
        return Spelling(f"tuple[{', '.join(each.text for each in known)}]", imports)

    def _array(self, wish: Wish) -> Spelling | None:
        if wish.library == "numpy":
            uses_numpy_typing = any(name.startswith("numpy.typing") for name in self._bound.values())
            if self.uses_jaxtyping and not uses_numpy_typing:
                return self._jaxtyping(wish, self._spelled_name("numpy", "ndarray", "np"))
            scalar = self._scalar(wish)
            array = self._spelled_name("numpy.typing", "NDArray", "npt")
            return scalar and array and Spelling(f"{array.text}[{scalar.text}]", (*scalar.imports, *array.imports))
        if wish.library not in _ARRAYS:
            return None
        cls, module, alias = _ARRAYS[wish.library]
        owner, _, name = cls.rpartition(".")
        array = self._spelled_name(owner, name, "")
        is_jaxtyping = self._style is Style.JAXTYPING or (self._style is Style.AUTO and self.uses_jaxtyping)
        if is_jaxtyping:
            return self._jaxtyping(wish, array if wish.library != "jax" else self._jax_array(array))
        (dtype, *more) = wish.dtypes
        plain = "bool_" if dtype is dt.bool_ and module == "jax.numpy" else dtype.strong.name
        spelled = self._spelled_name(module, plain, alias)
        annotated = self._spelled_name("typing", "Annotated", None)
        if more or array is None or spelled is None or annotated is None or dtype not in dt.ORDINARY:
            return None
        imports = (*annotated.imports, *array.imports, *spelled.imports)
        return Spelling(f"{annotated.text}[{array.text}, {spelled.text}]", imports)

    def _jax_array(self, otherwise: Spelling | None) -> Spelling | None:
        """jaxtyping's own name for JAX's arrays, unless the file has another one."""
        names = [name for name, full in self._bound.items() if full in ("jaxtyping.Array", "jax.Array")]
        if names:
            return Spelling(names[0], ())
        return self._spelled_name("jaxtyping", "Array", None) or otherwise

    def _jaxtyping(self, wish: Wish, array: Spelling | None) -> Spelling | None:
        name = _OF_JAXTYPING.get(categories.smallest_category({dtype.strong for dtype in wish.dtypes}))
        cls = self._spelled_name("jaxtyping", name, None) if name is not None else None
        return cls and array and Spelling(f'{cls.text}[{array.text}, "..."]', (*cls.imports, *array.imports))

    def _scalar(self, wish: Wish) -> Spelling | None:
        if wish.library != "numpy":
            return None
        dtype = categories.smallest_category(wish.dtypes)
        name = dtype.name if dtype.name in _NUMPY else _SCALARS.get(dtype)
        return self._spelled_name("numpy", name, "np") if name is not None else None

    def _spelled_name(self, module: str, name: str, alias: str | None) -> Spelling | None:
        """How the file can write a name of a module; None if the name that it needs is in use for something else.

        Args:
            module: the module.
            name: the name in it.
            alias: for a file that imports neither. A string means `import module as alias`, or `import module` if it is
                empty. None means `from module import name`.
        """
        for bound, full in self._bound.items():
            if full == f"{module}.{name}":
                return Spelling(bound, ())
            if module == full or (module.startswith(f"{full}.") and self._reaches(module, full)):
                return Spelling(f"{bound}{module[len(full) :]}.{name}", ())
        wanted = name if alias is None else alias or module.partition(".")[0]
        if wanted in self._bound or wanted in self._others:
            return None
        if alias is None:
            return Spelling(name, (Import(module, name),))
        return Spelling(f"{wanted}.{name}", (Import(module, "", alias),))

    def _reaches(self, module: str, package: str) -> bool:
        """Whether importing a package is enough to use its module."""
        return (package, module) == ("jax", "jax.numpy")


def _bound_elsewhere(tree: ast.Module) -> Iterator[str]:
    """The names that a file binds by other statements than imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
