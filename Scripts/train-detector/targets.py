"""The network's target, drawn from the corners alone, and the loss of its answers."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

BOUNDARY_SIGMA = 0.8  #: cells
CORNER_SIGMA = 1.1  #: cells


def targets(corners: torch.Tensor, cells: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The target for corners n × 4 × 2 in 0..1 of the frame (NaN: no page): the maps n × 3 × cells
    × cells (page with a soft rim, boundary, corners) and n flags for the presence of a page.
    """
    present = ~torch.isnan(corners[:, 0, 0])
    here = torch.nan_to_num(corners) * cells
    middle = here.mean(1, keepdim=True)
    center = torch.arange(cells, device=corners.device) + 0.5
    x, y = center[None, None, None, :], center[None, None, :, None]
    side = here.roll(-1, 1) - here
    length = side.norm(dim=2).clamp(min=1e-3)
    normal = torch.stack([-side[..., 1], side[..., 0]], 2) / length[..., None]
    normal = normal * torch.sign(((middle - here) * normal).sum(2, keepdim=True))
    dx, dy = x - here[..., 0, None, None], y - here[..., 1, None, None]
    inward = (dx * normal[..., 0, None, None] + dy * normal[..., 1, None, None]).amin(1)
    page = (inward + 0.5).clamp(0, 1)
    along = (
        (dx * side[..., 0, None, None] + dy * side[..., 1, None, None])
        / (length**2)[..., None, None]
    ).clamp(0, 1)
    off = (
        (dx - along * side[..., 0, None, None]) ** 2 + (dy - along * side[..., 1, None, None]) ** 2
    ).amin(1)
    boundary = torch.exp(-off / 2 / BOUNDARY_SIGMA**2)
    corner = torch.exp(-(dx**2 + dy**2).amin(1) / 2 / CORNER_SIGMA**2)
    return torch.stack([page, boundary, corner], 1) * present[:, None, None, None], present.float()


#: The weight of an earlier network's answer in the target, where that answer is right.
KEPT = 0.7
#: The least overlap of page and answer (dice, 0..1) for a right answer.
RIGHT = 0.95


def leaning(
    maps: torch.Tensor, presence: torch.Tensor, wanted: torch.Tensor, present: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The target, moved toward an earlier network's answer (logits) in pictures in which that
    answer is right. So a second run keeps its knowledge about these, and learns from the others.
    """
    maps, seen = torch.sigmoid(maps.float()), torch.sigmoid(presence[:, 0].float())
    page = maps[:, 0]
    both = 2 * (page * wanted[:, 0]).sum((1, 2))
    dice = both / (page.sum((1, 2)) + wanted[:, 0].sum((1, 2))).clamp(min=1e-6)
    right = torch.where(present > 0.5, (dice > RIGHT) & (seen > 0.5), seen < 0.5)
    share = KEPT * right.float()
    wanted = torch.lerp(wanted, maps, share[:, None, None, None])
    return wanted, torch.lerp(present, seen, share)


@dataclass
class Loss:
    """The whole loss (for the gradient) and its parts (for the log)."""

    total: torch.Tensor
    parts: dict[str, torch.Tensor]


def loss(
    maps: torch.Tensor, presence: torch.Tensor, wanted: torch.Tensor, present: torch.Tensor
) -> Loss:
    """The cross-entropy on the maps (with more weight at boundaries and corners), dice on the page,
    and presence.
    """
    maps = maps.float()
    entropy = F.binary_cross_entropy_with_logits(maps, wanted, reduction="none")
    weight = torch.stack(
        [torch.ones_like(wanted[:, 0]), 1 + 4 * wanted[:, 1], 1 + 12 * wanted[:, 2]], 1
    )
    page, boundary, corner = (entropy * weight).mean((0, 2, 3))
    covered = torch.sigmoid(maps[:, 0])
    dice = 1 - (2 * (covered * wanted[:, 0]).sum((1, 2)) + 1) / (
        covered.sum((1, 2)) + wanted[:, 0].sum((1, 2)) + 1
    )
    dice = (dice * present).sum() / present.sum().clamp(min=1)
    seen = F.binary_cross_entropy_with_logits(presence[:, 0].float(), present)
    total = 2 * page + boundary + 2 * corner + dice + 0.2 * seen
    parts = {"page": page, "boundary": boundary, "corner": corner, "dice": dice, "presence": seen}
    return Loss(total, {name: value.detach() for name, value in parts.items()})
