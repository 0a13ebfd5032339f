"""Infer the dtype of an array that NumPy makes of an image, as in `np.asarray(Image.open(path).convert("RGB"))`."""

import ast

from promo_mypy.program.checked.typed_expressions import TypedExpressions
from promo_mypy.program.syntax.scopes import Scopes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around import pillow_images

_ARRAYS = frozenset({"numpy.asarray", "numpy.array", "numpy.asanyarray"})
_HARMLESS = frozenset({"copy", "order"})
#: The most names and methods that lead from an array to its image.
_MOST_STEPS = 8


def image_dtype(call: ast.Call, scopes: Scopes, typed: TypedExpressions) -> type[dt.Shaped] | None:
    """The dtype of the array that a call makes of an image; None for any other call."""
    is_plain = len(call.args) == 1 and _HARMLESS.issuperset(each.arg or "" for each in call.keywords)
    if not is_plain or scopes.imported(call.func) not in _ARRAYS:
        return None
    mode = _Images(scopes, typed).mode(call.args[0], _MOST_STEPS)
    return pillow_images.MODES.get(mode) if mode is not None else None


class _Images:
    """The images in one module."""

    def __init__(self, scopes: Scopes, typed: TypedExpressions) -> None:
        self._scopes = scopes
        self._typed = typed

    def mode(self, value: ast.expr, steps: int) -> str | None:
        """The mode of an image, if the text tells it."""
        match value:
            case ast.Call(func=ast.Attribute(value=image, attr="convert"), args=[ast.Constant(value=str(mode)), *_]):
                return mode if self._is_image(image, steps) else None
            case ast.Call(func=ast.Attribute(value=image, attr=attr)) if steps and attr in pillow_images.KEEPING:
                return self.mode(image, steps - 1)
            case ast.Call(func=function, args=[ast.Constant(value=str(mode)), *_]):
                return mode if self._scopes.imported(function) == "PIL.Image.new" else None
            case ast.Name() if steps and self._scopes.binds_plainly(value):
                bound = {self.mode(each, steps - 1) for each in self._scopes.values(value)}
                return bound.pop() if len(bound) == 1 else None
        return None

    def _is_image(self, value: ast.expr, steps: int) -> bool:
        info = self._typed.class_of(value)
        if info is not None and info.has_base(pillow_images.CLASS):
            return True
        match value:
            case ast.Call(func=function) if self._scopes.imported(function) in pillow_images.MAKING:
                return True
            case ast.Call(func=ast.Attribute(value=image, attr=attr)) if attr in pillow_images.KEEPING | {"convert"}:
                return bool(steps) and self._is_image(image, steps - 1)
            case ast.Name() if steps and self._scopes.binds_plainly(value):
                values = self._scopes.values(value)
                return bool(values) and all(self._is_image(each, steps - 1) for each in values)
        return False
