"""Give functions that a library's stubs do not declare (`tf.gather`) a signature of Any.

The stubs end with `def __getattr__(name: str): ...`, so that such a function has type Any. mypy calls no hook for a
call of Any. Here each mention of a function of the registry gets a signature, in the syntax tree of a file that mypy is
about to check. Otherwise nothing changes: the function accepts any arguments and returns Any.
(tests/other_libraries/test_whole_programs.py)
"""

from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2, MemberExpr, MypyFile, Var
from mypy.types import AnyType, CallableType, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.rules import functions

_LIBRARY: Final = "tensorflow"


def annotate(tree: MypyFile, symbols: Symbols) -> None:
    """Give the undeclared functions that a file mentions their signatures."""
    if symbols.info(names.TENSORFLOW_TENSOR) is None or not file_texts.may_have(tree, [_LIBRARY]):
        return
    fallback = symbols.instance("builtins.function")
    library = functions.library(_LIBRARY)
    anything = AnyType(TypeOfAny.special_form)
    for node in nodes(tree.defs):
        if not isinstance(node, MemberExpr) or not isinstance(node.node, Var) or fallback is None:
            continue
        package, _, name = node.fullname.partition(".")
        if package == _LIBRARY and library.function(name) and isinstance(get_proper_type(node.node.type), AnyType):
            node.node.type = CallableType(
                [anything, anything], [ARG_STAR, ARG_STAR2], [None, None], anything, fallback, name=name
            )
