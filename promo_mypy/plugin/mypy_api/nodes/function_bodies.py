"""Tell the functions whose arguments and body are at hand from those of which mypy keeps only the signature.

mypy writes no arguments, bodies and decorators of functions to its cache: on a function from there `arguments` is an
undefined attribute, and `body` is empty. With an empty cache the same function has both. So only functions of the file
that mypy checks are read, and the answer does not depend on what is cached.
(tests/incremental/test_cached_functions.py)
"""

from typing import TypeGuard

from mypy.nodes import Decorator, FuncDef, MypyFile, SymbolNode

from promo_mypy.plugin.mypy_api.symbols import Symbols, is_foreign


def has_body(node: SymbolNode | None, file: MypyFile) -> TypeGuard[FuncDef]:
    """Whether this is a function of the file, so that its `arguments` and `body` may be read."""
    return isinstance(node, FuncDef) and not is_foreign(node, file.fullname)


def is_nested(node: SymbolNode | None, symbols: Symbols) -> TypeGuard[FuncDef]:
    """Whether this is a function in a function. No table of symbols has it, so it is read where its body is.

    mypy calls it `f`, or `module.Class.f` in a method.
    """
    return isinstance(node, FuncDef) and symbols.node(node.fullname) is None


def has_decorators(node: SymbolNode | None, file: MypyFile) -> TypeGuard[Decorator]:
    """Whether this is a decorated function of the file, so that its decorators and the function may be read."""
    return isinstance(node, Decorator) and has_body(node.func, file)
