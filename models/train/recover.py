#!/usr/bin/env python3
"""Makes a checkpoint from an exported net, so that training can go on where only squares.onnx is left.

The export has folded each batch normalization into its convolution. Here the normalization is put back: its mean and
deviation are measured over stored boards and its scale and shift chosen so that the whole gives what the exported net gives.
The head that reads squares alone is not exported and begins anew; so does the optimizer.
"""

from __future__ import annotations

import argparse

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

import evaluate
from net import SquaresNet


def weights(path: str) -> tuple[dict, list, list]:
    """Named arrays; folded convolutions (weight, bias) and matrices in the order in which the graph uses them."""
    graph = onnx.load(path).graph
    arrays = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    convolutions = [tuple(arrays[name] for name in node.input[1:3]) for node in graph.node if node.op_type == "Conv"]
    matrices = [arrays[node.input[1]] for node in graph.node if node.op_type == "MatMul" and node.input[1] in arrays]
    return {name: value for name, value in arrays.items() if "::" not in name}, convolutions, matrices


@torch.no_grad()
def recover(path: str, boards: np.ndarray) -> SquaresNet:
    """The net of squares.onnx; `boards` (uint8 n x 288 x 288, training ones) give the measured statistics."""
    named, convolutions, matrices = weights(path)
    net = SquaresNet().eval()
    net.load_state_dict(named, strict=False)
    # From nothing, so that at first it pulls the trunk nowhere.
    nn.init.zeros_(net.alone.weight)
    nn.init.zeros_(net.alone.bias)
    # Linear layers in the order of use: the attention blocks' own, then the head; stored transposed.
    linear = [layer for block in net.attention for layer in (block.qkv, block.out, block.mlp[0], block.mlp[2])] + [net.head]
    for layer, matrix in zip(linear, matrices, strict=True):
        layer.weight.copy_(matrix.T)
    sequences = [m for m in net.trunk.modules() if isinstance(m, nn.Sequential) and len(m) > 1 and isinstance(m[0], nn.Conv2d)]
    for sequence, (weight, bias) in zip(sequences, convolutions, strict=True):
        sequence[0].weight.copy_(weight)
        seen = []

        def measure(module, inputs, output, seen=seen):
            seen.append((output.mean((0, 2, 3)), output.var((0, 2, 3))))

        hook = sequence[0].register_forward_hook(measure)
        for part in np.array_split(boards, max(1, len(boards) // 32)):
            net(torch.from_numpy(part)[:, None].float())
        hook.remove()
        mean, variance = (torch.stack(values).mean(0) for values in zip(*seen))
        norm = sequence[1]
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(mean + bias)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="../squares.onnx")
    parser.add_argument("--boards", default="work/boards", help="folder of chunks")
    parser.add_argument("--prefix", default="train")
    parser.add_argument("--out", default="work/recovered.pt", help="checkpoint for `train.py --init`")
    args = parser.parse_args()
    boards, _, _, _ = evaluate.stored(args.boards, args.prefix, 1)
    net = recover(args.model, boards[:256])
    ours = net(torch.from_numpy(boards[:8])[:, None].float())[0].detach().numpy()
    theirs, _ = evaluate.predict(evaluate.Onnx(args.model), boards[:8])
    deviation = float(np.abs(ours - theirs).max())
    if deviation > 1e-2:
        raise SystemExit(f"{args.model}: does not fit the net of net.py (deviation {deviation:.2g})")
    torch.save({"average": net.state_dict()}, args.out)
    print(f"{args.out}: greatest deviation from {args.model} {deviation:.1e}")


if __name__ == "__main__":
    main()
