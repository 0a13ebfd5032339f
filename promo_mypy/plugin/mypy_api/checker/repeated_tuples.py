"""Call mypy's own plugin for a tuple times a number: outside its public surface, as in `partial_application`.

mypy calls only the first plugin with a hook for a name (python/mypy#8331), and this plugin comes first for
`tuple.__mul__`. (tests/plugin/mypy_api/test_own_hooks_of_mypy.py)
"""

from mypy.plugin import MethodContext
from mypy.plugins.default import tuple_mul_callback
from mypy.types import Type


def stock_product(ctx: MethodContext) -> Type:
    """mypy's own type: a tuple of known length for a literal number."""
    return tuple_mul_callback(ctx)
