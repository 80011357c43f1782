"""Makes a checkpoint from the weights that the program contains, so that a second run of training
can begin with them.

    unfold_weights.py SCENES start.pt
    train.py SCENES RUN --start start.pt --rate 6e-4 --minutes 60

In the file of weights batch normalization is folded into the convolutions. Here each convolution
gets its normalization back, with the mean and the variance that its outputs have on scenes, and its
filters are scaled as fresh ones are, so that the learning rate has its usual effect. The network's
answers stay the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from data import Shards, augment
from model import Net
from weights_file import decoded, weights_of

BATCHES, BATCH = 40, 48  #: of scenes, from which means and variances are taken
SIDES = (160, 192)  #: pixels of their sides, in turn
MOST_OFF = 0.01  #: logits by which the answers may differ afterward


def layers(net: Net) -> dict[str, nn.Sequential]:
    """The convolutions that are followed by a normalization, by name."""
    return {
        name: part
        for name, part in net.named_modules()
        if isinstance(part, nn.Sequential)
        and isinstance(part[0], nn.Conv2d)
        and isinstance(part[1], nn.BatchNorm2d)
    }


def fill(net: Net, tensors: dict[str, np.ndarray]) -> None:
    """Sets the folded weights, with filters scaled to a fresh layer's spread, and a normalization
    that undoes the scale.
    """

    def tensor(name: str) -> torch.Tensor:
        return torch.from_numpy(tensors[name].astype(np.float32))

    for name, part in layers(net).items():
        weight = tensor(f"{name}.weight")
        if name == "s2":  # the program's first layer takes red first
            weight = weight.flip(1)
        scale = (
            weight.pow(2).mean((1, 2, 3)).sqrt().clamp_min(1e-8) * (3 * weight[0].numel()) ** 0.5
        )
        part[0].weight.copy_(weight / scale[:, None, None, None])
        part[1].weight.copy_(scale)
        part[1].bias.copy_(tensor(f"{name}.bias"))
        part[1].running_mean.zero_()
        part[1].running_var.fill_(1 - part[1].eps)
    for name in ("ctx", "pres", "out"):
        part = net.get_submodule(name)
        part.weight.copy_(tensor(f"{name}.weight"))
        part.bias.copy_(tensor(f"{name}.bias"))


def normalize(net: Net, scenes: Shards, rng: np.random.Generator) -> None:
    """Gives every normalization the mean and variance that its inputs have on scenes, without
    changing its effect.
    """
    sums = {
        name: torch.zeros(3, part[0].out_channels, dtype=torch.double)
        for name, part in layers(net).items()
    }

    def adds(name: str):
        def add(_: nn.Module, __: tuple, out: torch.Tensor) -> None:
            out = out.double()
            count = torch.full((out.shape[1],), out.numel() / out.shape[1], dtype=torch.double)
            sums[name] += torch.stack([count, out.sum((0, 2, 3)), out.pow(2).sum((0, 2, 3))])

        return add

    hooks = [part[0].register_forward_hook(adds(name)) for name, part in layers(net).items()]
    for number in range(BATCHES):
        net(augment(scenes.draw(rng, BATCH, SIDES[number % len(SIDES)])[0]))
    for hook in hooks:
        hook.remove()
    for name, part in layers(net).items():
        count, total, squares = sums[name]
        mean, norm = total / count, part[1]
        variance = (squares / count - mean**2).clamp_min(0)
        norm.bias.add_(norm.weight * mean)
        norm.weight.mul_((variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


@torch.no_grad()
def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenes", type=Path, help="folder of shards written by generate.py")
    parser.add_argument("checkpoint", type=Path)
    options = parser.parse_args()
    torch.manual_seed(0)
    rng, scenes, net = np.random.default_rng(0), Shards(options.scenes), Net().eval()
    fill(net, decoded(weights_of("page").read_bytes())[0])
    pictures = augment(scenes.draw(rng, BATCH, SIDES[-1])[0])
    before = net(pictures)
    normalize(net, scenes, rng)
    off = max(float((one - other).abs().max()) for one, other in zip(before, net(pictures)))
    if off > MOST_OFF:
        raise SystemExit(
            f"unfold_weights.py: the answers differ by {off} from those of the program's weights"
        )
    torch.save(net.state_dict(), options.checkpoint)
    print(f"{options.checkpoint}: answers differ by {off:.6f} at most")


if __name__ == "__main__":
    main()
