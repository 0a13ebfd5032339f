"""The losses of torch.nn.functional. Source: running PyTorch 2.13 on the CPU."""

from typing import Final

from promo_mypy.rules.functions.language.choosing import (
    Checked,
    CheckedIfKnown,
    If,
    IfKind,
    IfScalar,
    OrUnknown,
    WithDimensions,
)
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.promoting import Alike, Joined, Operator, Promoted
from promo_mypy.rules.functions.language.protocols import RankRule, Rule
from promo_mypy.rules.functions.language.rank_rules import Broadcast, Exactly, IfEqual, IfGiven, Kept, Unstated
from promo_mypy.rules.functions.language.rows import Rows, table
from promo_mypy.rules.functions.language.vocabulary import Python, Same
from promo_mypy.rules.functions.torch.functional import FLOATS, NET

#: Labels of classes. PyTorch reads uint8 only where each row has one label.
_LABELS: Final = Converted(Same("target"), "int64=int64 uint8=uint8 buifc=refused")
_INDICES: Final = Converted(Same("target"), "int64=int64 buifc=refused")
_WEIGHT: Final = Alike("input weight")
_REAL_TARGET: Final = Converted(Same("target"), "c=refused")
_NOT_BOOL: Final = Converted(Same("target"), "b=refused")
_REDUCED: Final = "size_average=None, reduce=None, reduction='mean'"
_X: Final = Same("input")
_COMPARED: Final = WithDimensions(Converted(Promoted("input target"), FLOATS))


def _loss(each: RankRule) -> RankRule:
    """A 0-d tensor, unless the reduction is "none"."""
    return IfGiven("reduce", Unstated(), IfEqual("reduction", "none", each, Exactly(0)))


_LOSS: Final = _loss(Broadcast("input target"))
_LABELLED: Final = _loss(Kept("input", -1))
_REDUCED_RANK: Final = _loss(Unstated())


def _distance(subtracted: str, names: str, kinds: str) -> Rule:
    """The float dtype of some tensors. Those that are subtracted must not be bools."""
    rule: Rule = Converted(Promoted(names), f"ui=float {kinds}")
    for name in subtracted.split():
        rule = Checked(rule, Converted(Same(name), "b=refused"))
    return rule


def _by_rank(names: str, rule: Rule) -> Rule:
    """The rule between tensors with dimensions. The functions expand some 0-d tensors, but not all of them."""
    return IfScalar(names, OrUnknown(Converted(Alike(names), "bui=float")), rule)


_GAUSSIAN: Final = Checked(
    _by_rank("input target var", _distance("input target", "input target var", "")),
    Converted(Same("var"), "buic=refused"),
)
_GAUSSIAN_RANK: Final = IfEqual("reduction", "none", Broadcast("input target var"), Exactly(0))
#: The exponential of the input, or else the input, minus the product.
_POISSON: Final = Checked(
    _by_rank("input target", Joined.of(Converted(_X, "bui=float"), Same("target"))),
    If(
        "log_input",
        IfKind("input", "b", Converted(Same("target"), "b=refused"), Same("target")),
        Converted(_X, "b=refused"),
        value=True,
    ),
)

ROWS: Final[Rows] = table(
    "torch",
    ("mse_loss", f"input, target, {_REDUCED}, weight=None", If("weight", Python(), _COMPARED), _LOSS),
    (
        "l1_loss",
        f"input, target, {_REDUCED}, weight=None",
        If("weight", Python(), WithDimensions(Converted(Operator("sub", "input target"), "bui=refused c=real"))),
        _LOSS,
    ),
    ("smooth_l1_loss", f"input, target, {_REDUCED}, beta=1.0", _COMPARED, _LOSS),
    (
        "huber_loss",
        "input, target, reduction='mean', delta=1.0, weight=None",
        If("weight", Python(), Checked(NET, _REAL_TARGET)),
        _LOSS,
    ),
    (
        "kl_div",
        f"input, target, {_REDUCED}, log_target=False",
        Joined.of(NET, Converted(Same("target"), FLOATS), names="input target"),
        _LOSS,
    ),
    (
        "binary_cross_entropy",
        f"input, target, weight=None, {_REDUCED}",
        Converted(Alike("input target"), FLOATS),
        _LOSS,
    ),
    (
        "binary_cross_entropy_with_logits",
        f"input, target, weight=None, {_REDUCED}, pos_weight=None",
        Checked(Converted(Same("target"), "bui=refused"), NET),
        _LOSS,
    ),
    (
        "cross_entropy",
        "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean',"
        " label_smoothing=0.0",
        # With labels, the weight must have the dtype of the input. With probabilities, all of them promote.
        IfKind(
            "target",
            "bui",
            CheckedIfKnown(Checked(NET, _LABELS), _WEIGHT),
            Checked(Checked(Promoted("input target weight"), NET), _REAL_TARGET),
        ),
        _LABELLED,
    ),
    (
        "nll_loss",
        "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
        CheckedIfKnown(Checked(NET, _LABELS), _WEIGHT),
        _LABELLED,
    ),
    (
        "multi_margin_loss",
        f"input, target, p=1, margin=1.0, weight=None, {_REDUCED}",
        CheckedIfKnown(Checked(NET, _INDICES), _WEIGHT),
        _LABELLED,
    ),
    ("multilabel_margin_loss", f"input, target, {_REDUCED}", Checked(NET, _INDICES), _LABELLED),
    (
        "soft_margin_loss",
        f"input, target, {_REDUCED}",
        IfKind("input", "c", _X, Checked(NET, _REAL_TARGET)),
        _LOSS,
    ),
    ("hinge_embedding_loss", f"input, target, margin=1.0, {_REDUCED}", NET, _LOSS),
    (
        "margin_ranking_loss",
        f"input1, input2, target, margin=0, {_REDUCED}",
        _distance("input1 input2 target", "input1 input2 target", "c=refused"),
        _REDUCED_RANK,
    ),
    ("gaussian_nll_loss", "input, target, var, full=False, eps=1e-06, reduction='mean'", _GAUSSIAN, _GAUSSIAN_RANK),
    (
        "poisson_nll_loss",
        "input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
        If("full", Checked(_POISSON, Converted(Same("target"), "bc=refused")), _POISSON, value=True),
        _LOSS,
    ),
    (
        "cosine_embedding_loss",
        f"input1, input2, target, margin=0, {_REDUCED}",
        Joined.of(*(Converted(Same(name), "bui=float c=refused") for name in ("input1", "input2"))),
        _REDUCED_RANK,
    ),
    (
        "triplet_margin_loss",
        f"anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, {_REDUCED}",
        _distance("anchor positive", "anchor positive negative", "c=real"),
        _REDUCED_RANK,
    ),
    (
        "multilabel_soft_margin_loss",
        f"input, target, weight=None, {_REDUCED}",
        If("weight", Python(), Checked(Checked(Promoted("input target"), NET), _NOT_BOOL)),
        _REDUCED_RANK,
    ),
    (
        "ctc_loss",
        "log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False",
        Converted(Same("log_probs"), f"{FLOATS} bfloat16=refused float16=refused"),
        IfEqual("reduction", "none", Unstated(), Exactly(0)),
    ),
    under="nn.functional",
)
