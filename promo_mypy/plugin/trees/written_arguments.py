"""Read the arguments of a call as they are written: by position, by keyword, and whether there are stars."""

from mypy.nodes import ARG_POS, ARG_STAR, CallExpr, Context, Expression


def has_stars(call: Context) -> bool:
    """Whether a call has `*args` or `**kwargs`, so that the parameter of an argument is unknown."""
    return not isinstance(call, CallExpr) or any(kind.is_star() for kind in call.arg_kinds)


def positional(call: CallExpr) -> list[Expression]:
    """The arguments by position, without those of `*args`."""
    return [value for value, kind in zip(call.args, call.arg_kinds, strict=True) if kind is ARG_POS]


def keywords(call: CallExpr) -> dict[str, Expression]:
    """Keyword -> its value."""
    return {name: value for name, value in zip(call.arg_names, call.args, strict=True) if name is not None}


def argument(call: CallExpr, keyword: str, place: int | None = None) -> Expression | None:
    """The argument with that keyword, or else at that place among the positional ones.

    The result is None if there is no such argument, or if `*args` stands before it.
    """
    value = keywords(call).get(keyword)
    if value is not None or place is None or ARG_STAR in call.arg_kinds[: place + 1]:
        return value
    return next(iter(positional(call)[place:]), None)
