"""Map nodes of Python's tree to the terms of the rules: operations, and the constants that rules read."""

import ast
from collections.abc import Mapping
from typing import Final

OPERATIONS: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift", ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le",
    ast.Gt: "gt", ast.GtE: "ge", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip
"""Class of an operator -> operation."""

WRITTEN: Final = (bool, int, float, complex, str, type(None))
"""The classes of the constants that rules read."""
