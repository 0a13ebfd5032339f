"""Give PyTorch's own subclasses of Tensor a dtype: `Float32[nn.Parameter, "n"]` is `Parameter[float32]`."""

from mypy.nodes import COVARIANT
from mypy.plugin import ClassDefContext
from mypy.types import AnyType, Instance, TypeOfAny, TypeVarId, TypeVarType

from promo_mypy.plugin import names


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class a dtype parameter that it passes to Tensor. Its rank is Any, as no stub declares it."""
    info = ctx.cls.info
    any_type = AnyType(TypeOfAny.special_form)
    if not ctx.cls.type_vars:
        dtype = TypeVarType(
            name="DType",
            fullname=f"{info.fullname}.DType",
            id=TypeVarId(1, namespace=info.fullname),
            values=[],
            upper_bound=ctx.api.named_type("builtins.object"),
            default=any_type,
            variance=COVARIANT,
        )
        ctx.cls.type_vars = [dtype]
        info.type_vars = []
        info.add_type_vars()
    # mypy computes the bases anew each time it analyses the class.
    parameters = [ctx.cls.type_vars[0], any_type]
    info.bases = [
        Instance(base.type, parameters) if base.type.fullname == names.TORCH_TENSOR else base for base in info.bases
    ]
