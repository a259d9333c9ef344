"""The squares net: one look at the whole board, 13 classes for each of the 64 squares.

A convolutional trunk brings 288 x 288 to 8 x 8 cells of features; two attention blocks let every
square look at the others, because the other men of the same type explain this one. Input: gray
0..255, normalized inside by the board's own mean and deviation.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

CLASSES = 13
# Trunk widths at 1/4, 1/8 and 1/16 of the resolution, then of the 64 square vectors.
# Multiples of 16: the matrix units of current CPUs are filled.
WIDTHS = (32, 64, 128, 224)


def convolution(inputs: int, outputs: int, stride: int = 1, kernel: int = 3, pad: int | None = None) -> nn.Sequential:
    pad = kernel // 2 if pad is None else pad
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3 x 3 convolutions and the way around them."""

    def __init__(self, width: int):
        super().__init__()
        self.first = convolution(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        nn.init.zeros_(self.second[1].weight)

    def forward(self, x):
        return F.relu(x + self.second(self.first(x)))


class Attention(nn.Module):
    """A transformer block over the 64 squares (pre-norm)."""

    def __init__(self, width: int, heads: int = 4, skip: float = 0.1):
        super().__init__()
        self.heads = heads
        self.norm, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.skip = skip

    def forward(self, tokens):
        batch, count, width = tokens.shape
        shape = (batch, count, 3, self.heads, width // self.heads)
        query, key, value = self.qkv(self.norm(tokens)).reshape(shape).permute(2, 0, 3, 1, 4).unbind(0)
        weights = (query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5).softmax(-1)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, count, width)
        mixed = self.out(mixed)
        if self.training:  # some boards do without their context, so that it is not relied upon
            mixed = mixed * (torch.rand(batch, 1, 1) > self.skip)
        tokens = tokens + mixed
        return tokens + self.mlp(self.norm_mlp(tokens))


class SquaresNet(nn.Module):
    """forward: N x 1 x 288 x 288 gray 0..255 -> logits N x 64 x 13, features N x D.

    With `alone=True` also the logits read from each square's own features, without its neighbours
    in the attention: the auxiliary loss on them keeps the trunk honest on unusual positions.
    """

    def __init__(self, widths=WIDTHS, blocks: int = 2):
        super().__init__()
        b, c, d, e = widths
        self.trunk = nn.Sequential(
            # Two steps down at once: 6 x 6 pixels into at least as many numbers as pixels advanced.
            nn.PixelUnshuffle(2),  # 4 x 144
            convolution(4, b, 2),  # 72
            Residual(b),
            convolution(b, c, 2),  # 36: 4 cells a square and 2 of margin
            Residual(c),
            Residual(c),
            convolution(c, d, 2),  # 18: 2 cells a square and 1 of margin
            Residual(d),
            convolution(d, e, 2, 4, 0),  # 8: each square with half a square around it
        )
        self.attention = nn.ModuleList(Attention(e) for _ in range(blocks))
        self.norm = nn.LayerNorm(e)
        self.alone = nn.Linear(e, CLASSES)
        self.head = nn.Linear(e, CLASSES)

    @staticmethod
    def normalize(board):
        """By the board's own mean and deviation; 12 gray levels are added for blank pictures."""
        mean = board.mean((1, 2, 3), keepdim=True)
        centred = board - mean
        deviation = (centred * centred).mean((1, 2, 3), keepdim=True).sqrt()
        return centred / (deviation + 12.0)

    def forward(self, board, alone: bool = False):
        cells = self.trunk(self.normalize(board))
        own = cells.flatten(2).transpose(1, 2)
        tokens = own
        for block in self.attention:
            tokens = block(tokens)
        tokens = self.norm(tokens)
        logits = self.head(tokens)
        # Spread as well as mean: a board with a few strange squares should stand out.
        features = torch.cat([own.mean(1), tokens.mean(1)], 1)
        return (logits, features, self.alone(own)) if alone else (logits, features)


def parameters(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
